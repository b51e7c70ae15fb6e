#include "io/datasets/image_readers.hpp"

#include "io/bytes/byte_stream.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace bcr::io {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t published_size = 64;
constexpr std::uint64_t largest_text = std::uint64_t{1} << 26;

/// A line of a text file and the offset of its first byte.
struct Line {
  std::string text;
  std::uint64_t offset;
};

/// The lines of a text file, which must end with a line feed: that is how a cut one is noticed.
std::vector<Line> read_lines(const InputFile& file) {
  const std::vector<std::uint8_t> bytes = read_whole(file, largest_text);
  std::vector<Line> lines;
  std::size_t begin = 0;
  while (begin < bytes.size()) {
    const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto end = std::find(at, bytes.end(), std::uint8_t{'\n'});
    if (end == bytes.end()) refuse(file.name(), bytes.size(), "a line feed at the end of the last line", "none");
    lines.push_back({std::string(at, end), begin});
    if (lines.back().text.ends_with('\r')) lines.back().text.pop_back();
    begin += static_cast<std::size_t>(end - at) + 1;
  }
  return lines;
}

bool is_wnid(const std::string& text) {
  return text.size() == 9 && text[0] == 'n' && text.find_first_not_of("0123456789", 1) == std::string::npos;
}

/// Labels by WordNet id, in alphabetical order.
std::map<std::string, std::int32_t> read_classes(const fs::path& root) {
  const InputFile file(root / "wnids.txt");
  std::map<std::string, std::int32_t> labels;
  for (const Line& line : read_lines(file)) {
    if (!is_wnid(line.text)) refuse(file.name(), line.offset, "a WordNet id such as n01443537", line.text);
    if (!labels.emplace(line.text, 0).second) refuse(file.name(), line.offset, "each WordNet id once", line.text);
  }
  std::int32_t next = 0;
  for (auto& [wnid, label] : labels) label = next++;
  return labels;
}

/// "n01443537 goldfish": the id and the first of its synonyms.
std::vector<std::string> read_names(const fs::path& root, const std::map<std::string, std::int32_t>& labels) {
  const InputFile file(root / "words.txt");
  std::vector<std::string> names(labels.size());
  for (const Line& line : read_lines(file)) {
    const std::size_t tab = line.text.find('\t');
    if (tab == std::string::npos) refuse(file.name(), line.offset, "a WordNet id, a tab, words", line.text);
    const auto found = labels.find(line.text.substr(0, tab));
    if (found == labels.end()) continue;
    const std::string words = line.text.substr(tab + 1);
    names[static_cast<std::size_t>(found->second)] =
        fmt::format("{} {}", found->first, words.substr(0, words.find(',')));
  }
  for (const auto& [wnid, label] : labels) {
    if (names[static_cast<std::size_t>(label)].empty()) refuse(file.name(), file.size(), "words for " + wnid, "none");
  }
  return names;
}

void list_train(const fs::path& root, const std::map<std::string, std::int32_t>& labels,
                std::vector<LabelledPicture>& pictures) {
  for (const auto& folder : sorted_directories(root / "train")) {
    const std::string wnid = folder.filename().string();
    if (!labels.contains(wnid)) throw IoError("import " + folder.string(), "a WordNet id of wnids.txt", wnid);
  }
  for (const auto& [wnid, label] : labels) {
    const fs::path folder = root / "train" / wnid / "images";
    const auto files = sorted_pictures(folder);
    if (files.empty()) throw IoError("import " + folder.string(), "JPEG files", "none");
    for (const auto& file : files) pictures.push_back({file, file.lexically_relative(root).generic_string(), label});
  }
}

void list_val(const fs::path& root, const std::map<std::string, std::int32_t>& labels,
              std::vector<LabelledPicture>& pictures) {
  const InputFile file(root / "val" / "val_annotations.txt");
  const fs::path folder = root / "val" / "images";
  std::map<std::string, std::int32_t> annotated;
  for (const Line& line : read_lines(file)) {
    const std::size_t tab = line.text.find('\t');
    const std::string name = line.text.substr(0, tab);
    const std::size_t after = tab == std::string::npos ? line.text.size() : tab + 1;
    const std::string wnid = line.text.substr(after, line.text.find('\t', after) - after);
    const auto found = labels.find(wnid);
    if (found == labels.end()) refuse(file.name(), line.offset + after, "a WordNet id of wnids.txt", wnid);
    if (!annotated.emplace(name, found->second).second) refuse(file.name(), line.offset, "each picture once", name);
  }
  std::size_t present = 0;
  for (const auto& path : sorted_pictures(folder)) {
    const auto found = annotated.find(path.filename().string());
    if (found == annotated.end())
      refuse(file.name(), file.size(), "a line for every picture", path.filename().string());
    pictures.push_back({path, path.lexically_relative(root).generic_string(), found->second});
    ++present;
  }
  if (present != annotated.size()) {
    throw IoError("import " + folder.string(), fmt::format("the {} annotated pictures", annotated.size()),
                  fmt::format("{}", present));
  }
}

}  // namespace

ImageSet read_tiny_imagenet(const ImportRequest& request) {
  if (request.paths.size() != 1) throw ConfigError("import tiny-imagenet", "one directory", "another number of paths");
  if (request.part == Part::unstated) throw ConfigError("import tiny-imagenet", "--part train, test or all", "none");
  const fs::path& root = request.paths[0];
  const auto labels = read_classes(root);
  auto names = read_names(root, labels);
  std::vector<LabelledPicture> pictures;
  if (request.part != Part::test) list_train(root, labels, pictures);
  if (request.part != Part::train) list_val(root, labels, pictures);
  ImageSet set = decode_pictures(pictures, request.size == 0 ? published_size : request.size, request);
  set.class_names = std::move(names);
  const std::string part =
      request.part == Part::all ? "train and val" : (request.part == Part::train ? "train" : "val");
  set.source = fmt::format("tiny-imagenet: {}", part);
  return set;
}

}  // namespace bcr::io
