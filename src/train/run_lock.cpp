#include "src/train/run_lock.hpp"

#include "src/core/error.hpp"
#include "src/core/machine_info.hpp"
#include "src/core/manifest.hpp"
#include "src/core/open_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace bcr::train {
namespace {

namespace fs = std::filesystem;

int open_lock(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) throw IoError("--out", fmt::format("to write '{}'", path.string()), std::strerror(errno));
  return file;
}

std::string holder_in(const int file) {
  std::array<char, 256> text{};
  const ssize_t length = ::pread(file, text.data(), text.size(), 0);
  return length > 0 ? std::string(text.data(), static_cast<std::size_t>(length)) : std::string("another process");
}

bool knows_no_locks(const int reason) {
  return reason == ENOSYS || reason == ENOLCK || reason == EOPNOTSUPP;
}

}  // namespace

RunLock::RunLock(const RunDirectory& directory, const Log& log) : path_(directory.lock()) {
  while (descriptor_ < 0) {
    const int file = open_lock(path_);
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) {
      // A process that ends removes its file: then this is one without a name, which keeps nobody out.
      if (still_has_name(file, path_))
        descriptor_ = file;
      else
        ::close(file);
      continue;
    }
    const int reason = errno;
    const std::string holder = holder_in(file);
    ::close(file);
    if (knows_no_locks(reason)) {
      ::unlink(path_.c_str());
      log.warning("train", "{}: {}; nothing keeps a second process out", path_.string(), std::strerror(reason));
      return;
    }
    if (reason != EINTR)
      throw IoError("--out " + directory.path().string(), "a directory that no other process trains in",
                    reason == EWOULDBLOCK ? fmt::format("one that {} has", holder) : std::strerror(reason));
  }
  const std::string holder = fmt::format("process {} on {}, since {},", ::getpid(), machine_info().hostname, utc_now());
  // The lock holds whether or not a full disk takes these words.
  [[maybe_unused]] const bool told =
      ::ftruncate(descriptor_, 0) == 0 && ::pwrite(descriptor_, holder.data(), holder.size(), 0) > 0;
}

RunLock::~RunLock() {
  if (descriptor_ < 0) return;
  if (still_has_name(descriptor_, path_)) ::unlink(path_.c_str());  // not the lock of who has that name now
  ::close(descriptor_);
}

}  // namespace bcr::train
