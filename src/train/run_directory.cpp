#include "src/train/run_directory.hpp"

#include "src/core/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace bcr::train {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& path, const int reason) {
  throw IoError("train.jsonl", fmt::format("to append to '{}'", path.string()), std::strerror(reason));
}

}  // namespace

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

LineFile::LineFile(const fs::path& path)
    : path_(path), descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail(path_, errno);
  cut_half_line();
}

void LineFile::cut_half_line() {
  const off_t size = ::lseek(descriptor_, 0, SEEK_END);
  off_t whole = size;
  for (; whole > 0; --whole) {
    char last = 0;
    if (::pread(descriptor_, &last, 1, whole - 1) != 1) fail(path_, errno);
    if (last == '\n') break;
  }
  if (whole == size) return;
  if (::ftruncate(descriptor_, whole) != 0) fail(path_, errno);
  bytes_cut_ = static_cast<std::size_t>(size - whole);
}

LineFile::~LineFile() {
  ::close(descriptor_);
}

void LineFile::append(const std::string_view line) {
  const std::string text = std::string(line) + "\n";
  const ssize_t written = ::write(descriptor_, text.data(), text.size());
  if (written != static_cast<ssize_t>(text.size())) fail(path_, written < 0 ? errno : ENOSPC);
}

}  // namespace bcr::train
