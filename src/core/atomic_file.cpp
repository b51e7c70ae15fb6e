#include "src/core/atomic_file.hpp"

#include "src/core/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

namespace bcr {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string_view step, const fs::path& path, const int reason) {
  throw IoError("write_file", fmt::format("to {} '{}'", step, path.string()), std::strerror(reason));
}

/// A file descriptor that is closed once.
class Descriptor {
 public:
  Descriptor(const std::string_view step, const fs::path& path, const int flags)
      : path_(path), number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (number_ < 0) fail(step, path, errno);
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  void write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(number_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("write", path_, errno);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  void sync() {
    if (::fsync(number_) != 0) fail("sync", path_, errno);
  }

  void forget() { static_cast<void>(::posix_fadvise(number_, 0, 0, POSIX_FADV_DONTNEED)); }

  /// Network file systems report a full quota here.
  void close() {
    const int number = number_;
    number_ = -1;
    if (::close(number) != 0) fail("close", path_, errno);
  }

 private:
  fs::path path_;
  int number_;
};

fs::path directory_of(const fs::path& target) {
  const fs::path parent = target.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

fs::path resolved(const fs::path& target) {
  std::error_code ignored;
  if (!fs::is_symlink(target, ignored)) return target;
  const fs::path real = fs::weakly_canonical(target, ignored);
  return real.empty() ? target : real;
}

// Distinct for every writer of a machine: process, and a running number within it.
fs::path temporary_beside(const fs::path& target) {
  static std::atomic<unsigned> count{0};
  return directory_of(target) / fmt::format(".{}.{}.{}.tmp", target.filename().string(), ::getpid(), count++);
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& target) : target_(resolved(target)) {
  std::error_code ignored;
  const fs::file_status status = fs::status(target_, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw IoError("write_file", fmt::format("'{}' to be a regular file", target.string()),
                  fs::is_directory(status) ? "a directory" : "a special file");
  }
  temporary_ = temporary_beside(target_);
}

AtomicFile::~AtomicFile() {
  if (state_ == State::open) ::unlink(temporary_.c_str());
}

void AtomicFile::sync() const {
  Descriptor file("open", temporary_, O_RDONLY);
  file.sync();
  file.forget();
  file.close();
}

void AtomicFile::commit() {
  sync();
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("rename the finished file to", target_, errno);
  state_ = State::committed;
  // The file is complete under its name. Syncing its directory makes the name survive a crash of the machine; where that
  // is not possible (a directory that may not be read, a file system that says EINVAL) nothing is lost now.
  const int directory = ::open(directory_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  const int error = ::fsync(directory) == 0 ? 0 : errno;
  ::close(directory);
  if (error == EIO || error == ENOSPC) fail("sync the directory of", target_, error);
}

void write_file(const fs::path& target, const std::span<const std::byte> bytes) {
  AtomicFile file(target);
  {
    Descriptor descriptor("create", file.temporary(), O_WRONLY | O_CREAT | O_TRUNC);
    descriptor.write(bytes);
    descriptor.close();
  }
  file.commit();
}

void write_file(const fs::path& target, const std::string_view text) {
  write_file(target, std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace bcr
