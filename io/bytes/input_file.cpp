#include "io/bytes/input_file.hpp"

#include "src/core/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace bcr::io {

void refuse(const std::string& file, const std::uint64_t offset, const std::string_view expected,
            const std::string_view received) {
  throw IoError(fmt::format("read {} at byte {}", file, offset), expected, received);
}

InputFile::InputFile(const std::filesystem::path& path) : name_(path.string()) {
  // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
  descriptor_ = ::open(name_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) refuse(name_, 0, "a readable file", std::strerror(errno));
  struct stat status {};
  const bool known = ::fstat(descriptor_, &status) == 0;
  const bool regular = known && S_ISREG(status.st_mode);
  if (regular && status.st_size > 0) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    return;
  }
  const bool directory = known && S_ISDIR(status.st_mode);
  ::close(descriptor_);
  refuse(name_, 0, "a regular file with content",
         regular ? "an empty file" : (directory ? "a directory" : "a special file"));
}

InputFile::~InputFile() {
  ::close(descriptor_);
}

void InputFile::read_at(const std::uint64_t offset, const std::span<std::uint8_t> dst,
                        const std::string_view what) const {
  if (offset > size_ || dst.size() > size_ - offset) {
    refuse(name_, offset, fmt::format("{} ({} bytes)", what, dst.size()), fmt::format("end of file at byte {}", size_));
  }
  std::size_t done = 0;
  while (done < dst.size()) {
    const auto position = static_cast<off_t>(offset + done);
    const ssize_t got = ::pread(descriptor_, dst.data() + done, dst.size() - done, position);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(name_, offset + done, what, std::strerror(errno));
    if (got == 0) refuse(name_, offset + done, what, "a file that shrank while it was read");
    done += static_cast<std::size_t>(got);
  }
}

SharedFile open_input(const std::filesystem::path& path) {
  return std::make_shared<const InputFile>(path);
}

}  // namespace bcr::io
