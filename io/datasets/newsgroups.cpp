#include "io/datasets/text_readers.hpp"
#include "io/text/line_reader.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::io {

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> groups = {"alt.atheism",
                                         "comp.graphics",
                                         "comp.os.ms-windows.misc",
                                         "comp.sys.ibm.pc.hardware",
                                         "comp.sys.mac.hardware",
                                         "comp.windows.x",
                                         "misc.forsale",
                                         "rec.autos",
                                         "rec.motorcycles",
                                         "rec.sport.baseball",
                                         "rec.sport.hockey",
                                         "sci.crypt",
                                         "sci.electronics",
                                         "sci.med",
                                         "sci.space",
                                         "soc.religion.christian",
                                         "talk.politics.guns",
                                         "talk.politics.mideast",
                                         "talk.politics.misc",
                                         "talk.religion.misc"};

/// The subject with the lines that continue it (they begin with white space), and what stands behind the first empty
/// line. Other lines of the header tell the group away: they name it.
std::string subject_and_body(const std::string_view message) {
  constexpr std::string_view subject = "Subject:";
  std::string text;
  bool in_subject = false;
  std::size_t begin = 0;
  while (begin < message.size()) {
    const std::size_t end = std::min(message.find('\n', begin), message.size());
    std::string_view line = message.substr(begin, end - begin);
    begin = end + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) break;
    const bool continues = line[0] == ' ' || line[0] == '\t';
    if (!continues) in_subject = line.starts_with(subject);
    if (!in_subject) continue;
    text.append(continues ? line : line.substr(subject.size())).push_back('\n');
  }
  return text.append(message.substr(std::min(begin, message.size())));
}

std::vector<fs::path> folders_of(const fs::path& directory, const Part part) {
  if (fs::exists(directory / groups[0])) return {directory};
  std::vector<fs::path> folders = {directory / "20news-bydate-train", directory / "20news-bydate-test"};
  if (!fs::exists(folders[0]) && !fs::exists(folders[1])) {
    throw IoError("import of directory " + directory.string(),
                  "the folders 20news-bydate-train and 20news-bydate-test, or a folder for each group", "none of them");
  }
  if (part == Part::unstated) {
    throw ConfigError("import of directory " + directory.string(), "--part train, test or all", "none");
  }
  if (part == Part::train) folders.pop_back();
  if (part == Part::test) folders.erase(folders.begin());
  return folders;
}

void add_lines(TextSetBuilder& documents, const fs::path& path, const Progress& progress) {
  LineReader reader(path);
  std::string line;
  while (reader.next(line)) {
    const std::size_t end = std::min(line.find_first_of("\t "), line.size());
    const auto group = std::find(groups.begin(), groups.end(), line.substr(0, end));
    if (group == groups.end()) {
      reader.refuse_line("a line that begins with the name of a newsgroup",
                         fmt::format("'{}'", line.substr(0, std::min<std::size_t>(end, 40))));
    }
    documents.add(split_words(std::string_view(line).substr(end), WordRule::spaces),
                  static_cast<std::int32_t>(group - groups.begin()), {.file = reader.name(), .line = reader.number()});
    progress(documents.count(), 0);
  }
}

}  // namespace

TextSet read_newsgroups(const ImportRequest& request) {
  require_paths(request, "20newsgroups", "a directory by date, or files with one document a line");
  TextSetBuilder documents(request.empty);
  for (const fs::path& path : request.paths) {
    if (!fs::is_directory(path)) {
      add_lines(documents, path, request.progress);
      continue;
    }
    for (const fs::path& folder : folders_of(path, request.part)) {
      add_class_folders(
          documents, folder, groups,
          [](const fs::path& file) { return split_words(subject_and_body(read_document(file)), WordRule::letters); },
          request.progress);
    }
  }
  TextSet set = documents.take();
  set.class_names = groups;
  set.source = source_text("20newsgroups", request.paths);
  require_every_class(set, set.source);
  return set;
}

}  // namespace bcr::io
