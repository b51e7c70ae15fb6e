#include "io/datasets/text_readers.hpp"

#include "io/datasets/image_readers.hpp"
#include "io/text/line_reader.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::io {

namespace {

namespace fs = std::filesystem;

/// "0_10.txt" before "2_3.txt" before "10_1.txt", and names without a number last, in the order of their bytes.
bool by_number(const fs::path& a, const fs::path& b) {
  const auto number = [](const std::string& name) {
    std::string digits = name.substr(0, std::min(name.find_first_not_of("0123456789"), name.size()));
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
  };
  const std::string left = a.filename().string();
  const std::string right = b.filename().string();
  const auto starts = [](const std::string& name) { return !name.empty() && name[0] >= '0' && name[0] <= '9'; };
  if (starts(left) != starts(right)) return starts(left);
  const std::string m = number(left);
  const std::string n = number(right);
  if (m.size() != n.size()) return m.size() < n.size();
  return m != n ? m < n : left < right;
}

std::vector<fs::path> files_of_class(const fs::path& root, const std::string& name) {
  const fs::path folder = root / name;
  std::error_code failure;
  std::vector<fs::path> files;
  const fs::directory_iterator entries(folder, failure);
  if (failure) throw IoError("import folder " + root.string(), "a folder for class " + name, failure.message());
  for (const fs::directory_entry& entry : entries) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  if (files.empty()) throw IoError("import folder " + root.string(), "documents of class " + name, "none");
  std::sort(files.begin(), files.end(), by_number);
  return files;
}

}  // namespace

void add_class_folders(TextSetBuilder& documents, const fs::path& root, const std::vector<std::string>& classes,
                       const ReadWords& read, const Progress& progress) {
  for (std::size_t label = 0; label < classes.size(); ++label) {
    for (const fs::path& file : files_of_class(root, classes[label])) {
      const std::string id = classes[label] + '/' + file.filename().string();
      documents.add(read(file), static_cast<std::int32_t>(label), {.file = file.string(), .id = id});
      progress(documents.count(), 0);
    }
  }
}

TextSet read_text_folder(const ImportRequest& request) {
  require_paths(request, "text-folder", "directories with one folder per class");
  std::vector<std::string> classes = request.class_names;
  for (const fs::path& root : request.paths) {
    if (!request.class_names.empty()) break;
    for (const fs::path& folder : sorted_directories(root)) {
      const std::string name = folder.filename().string();
      if (std::find(classes.begin(), classes.end(), name) == classes.end()) classes.push_back(name);
    }
  }
  if (classes.empty()) {
    throw IoError("import folder " + request.paths[0].string(), "one folder for each class", "no folder");
  }
  std::sort(classes.begin(), request.class_names.empty() ? classes.end() : classes.begin());
  TextSetBuilder documents(request.empty);
  for (const fs::path& root : request.paths) {
    add_class_folders(
        documents, root, classes,
        [&](const fs::path& file) { return split_words(read_utf8_document(file), request.words); }, request.progress);
  }
  TextSet set = documents.take();
  set.class_names = std::move(classes);
  set.source = source_text("text-folder", request.paths);
  return set;
}

}  // namespace bcr::io
