#include "io/pipeline/scratch_pixels.hpp"

#include "src/core/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace bcr::io {

namespace {

/// A file that has no name any more.
class NamelessFile {
 public:
  explicit NamelessFile(const std::filesystem::path& directory) : place_(directory.string()) {
    std::string pattern = (directory / "bcr-pixels-XXXXXX").string();
    descriptor_ = ::mkstemp(pattern.data());
    if (descriptor_ < 0) fail("a scratch file");
    ::unlink(pattern.c_str());
  }
  ~NamelessFile() { ::close(descriptor_); }
  NamelessFile(const NamelessFile&) = delete;
  NamelessFile& operator=(const NamelessFile&) = delete;

  /// Takes the disk space now: a mapped file that cannot grow would end the program much later.
  void reserve(const std::size_t bytes) {
    errno = ::posix_fallocate(descriptor_, 0, static_cast<off_t>(bytes));
    if (errno != 0) fail(fmt::format("room for {} bytes", bytes));
  }

  void write(std::span<const std::uint8_t> bytes, std::size_t offset) {
    while (!bytes.empty()) {
      const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail("to write a scratch file");
      bytes = bytes.subspan(static_cast<std::size_t>(written));
      offset += static_cast<std::size_t>(written);
    }
  }

  const std::uint8_t* map(const std::size_t bytes) const {
    void* const address = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, descriptor_, 0);
    if (address == MAP_FAILED) fail("to map a scratch file");
    ::madvise(address, bytes, MADV_RANDOM);
    return static_cast<const std::uint8_t*>(address);
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw IoError(
        fmt::format("scratch file in {}", place_),
        expected + "; data.scratch names another directory, and images within data.device_budget_mib need none",
        std::strerror(errno));
  }

  std::string place_;
  int descriptor_ = -1;
};

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

ScratchPixels::ScratchPixels(const std::size_t count, const std::size_t image_bytes,
                             const std::filesystem::path& directory, const std::function<void(const Write&)>& fill)
    : image_bytes_(image_bytes), bytes_(count * image_bytes) {
  if (bytes_ == 0) return;
  NamelessFile scratch(directory.empty() ? std::filesystem::temp_directory_path() : directory);
  scratch.reserve(bytes_);
  fill([&](const std::size_t first, const std::span<const std::uint8_t> pixels) {
    require<ShapeError>(first * image_bytes_ + pixels.size() <= bytes_, "ScratchPixels", "images of the set", "more");
    scratch.write(pixels, first * image_bytes_);
  });
  pixels_ = scratch.map(bytes_);
}

ScratchPixels::~ScratchPixels() {
  if (pixels_ != nullptr) ::munmap(const_cast<std::uint8_t*>(pixels_), bytes_);
}

void ScratchPixels::announce(const std::size_t row) const noexcept {
  const std::uintptr_t page = page_bytes();
  const auto begin = reinterpret_cast<std::uintptr_t>(image(row)) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(image(row) + image_bytes_);
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_WILLNEED);
}

void ScratchPixels::await(const std::size_t row) const noexcept {
  const volatile std::uint8_t* const pixels = image(row);
  for (std::size_t i = 0; i < image_bytes_; i += page_bytes()) static_cast<void>(pixels[i]);
  static_cast<void>(pixels[image_bytes_ - 1]);
}

}  // namespace bcr::io
