#include "src/run/run_directory.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::run {

namespace fs = std::filesystem;

fs::path RunDirectory::of_epoch(const int epoch) const {
  return path_ / fmt::format("checkpoint-{:04}.h5", epoch);
}

RunDirectory RunDirectory::trial(const int number) const {
  return RunDirectory(path_ / fmt::format("trial-{}", number));
}

bool RunDirectory::holds(const fs::path& file) const {
  std::error_code missing;
  return fs::equivalent(file.has_parent_path() ? file.parent_path() : fs::path("."), path_, missing);
}

std::vector<fs::path> RunDirectory::checkpoints() const {
  std::vector<fs::path> found;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(path_, missing)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("checkpoint-") && name.ends_with(".h5")) found.push_back(entry.path());
  }
  const auto time = [](const fs::path& path) {
    std::error_code gone;
    return fs::last_write_time(path, gone);
  };
  std::sort(found.begin(), found.end(), [&](const fs::path& a, const fs::path& b) {
    return std::pair(time(b), a) < std::pair(time(a), b);
  });
  return found;
}

void RunDirectory::create() const {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error || !fs::is_directory(path_))
    throw IoError("--out", fmt::format("to make the directory '{}'", path_.string()),
                  error ? error.message() : "a file of that name");
}

void RunDirectory::require_unused() const {
  if (!fs::exists(log()) && checkpoints().empty()) return;
  throw ConfigError("--out " + path_.string(), "a directory without a run, or --resume auto to continue this one",
                    "one that holds a run");
}

void RunDirectory::remove_leftovers() const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path_, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') && name.ends_with(".tmp")) fs::remove(entry.path(), ignored);
  }
}

}  // namespace bcr::run
