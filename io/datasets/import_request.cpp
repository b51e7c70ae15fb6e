#include "io/datasets/import_request.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

namespace bcr::io {

void require_paths(const ImportRequest& request, const std::string_view format, const std::string_view expected) {
  if (request.paths.empty()) throw ConfigError(fmt::format("import {}", format), expected, "no path");
}

std::vector<std::filesystem::path> published_files(const std::filesystem::path& directory, const Part part,
                                                   const std::vector<std::string>& train,
                                                   const std::vector<std::string>& test) {
  if (part == Part::unstated) {
    throw ConfigError(fmt::format("import of directory {}", directory.string()), "--part train, test or all", "none");
  }
  std::vector<std::filesystem::path> files;
  if (part != Part::test) files.insert(files.end(), train.begin(), train.end());
  if (part != Part::train) files.insert(files.end(), test.begin(), test.end());
  for (std::filesystem::path& file : files) {
    const std::string name = file.string();
    file = directory / name;
    // Published files come plain or gzipped.
    if (!std::filesystem::exists(file)) file = directory / (name + ".gz");
    if (!std::filesystem::exists(file)) {
      throw IoError(fmt::format("import of directory {}", directory.string()), fmt::format("file {}", name), "none");
    }
  }
  return files;
}

bool is_published_layout(const ImportRequest& request) {
  return request.paths.size() == 1 && std::filesystem::is_directory(request.paths[0]);
}

std::string source_text(const std::string_view format, const std::vector<std::filesystem::path>& paths) {
  std::string text = fmt::format("{}:", format);
  for (const auto& path : paths) text += fmt::format("{} {}", text.back() == ':' ? "" : ",", path.filename().string());
  return text;
}

}  // namespace bcr::io
