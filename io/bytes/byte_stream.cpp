#include "io/bytes/byte_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace bcr::io {

namespace {
constexpr std::size_t piece_bytes = std::size_t{1} << 22;
}

void ByteStream::read_exact(const std::span<std::uint8_t> dst, const std::string_view what) {
  std::size_t done = 0;
  while (done < dst.size()) {
    const std::size_t got = read_some(dst.subspan(done));
    offset_ += got;
    done += got;
    if (got == 0) {
      refuse_here(fmt::format("{} more bytes of {}", dst.size() - done, what), "the end of the data");
    }
  }
}

std::size_t ByteStream::read_up_to(const std::span<std::uint8_t> dst) {
  const std::size_t got = read_some(dst);
  offset_ += got;
  return got;
}

void ByteStream::skip(std::uint64_t bytes, const std::string_view what) {
  std::array<std::uint8_t, 4096> scratch{};
  while (bytes > 0) {
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, scratch.size()));
    read_exact(std::span(scratch).first(step), what);
    bytes -= step;
  }
}

void ByteStream::append_to(std::vector<std::uint8_t>& dst, std::uint64_t bytes, const std::string_view what) {
  require_available(bytes, what);
  while (bytes > 0) {
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, piece_bytes));
    const std::size_t before = dst.size();
    dst.resize(before + step);
    read_exact(std::span(dst).subspan(before), what);
    bytes -= step;
  }
}

void ByteStream::require_available(const std::uint64_t bytes, const std::string_view what) const {
  if (bytes <= at_most()) return;
  refuse_here(fmt::format("{} bytes of {}", bytes, what), fmt::format("at most {} bytes to the end", at_most()));
}

void ByteStream::expect_end() {
  std::uint8_t extra = 0;
  if (read_some({&extra, 1}) != 0) refuse_here("the end of the data", "trailing bytes");
}

FileStream::FileStream(SharedFile file, const std::uint64_t begin, const std::uint64_t end)
    : ByteStream(file->name(), begin), file_(std::move(file)), position_(begin), end_(end) {
  if (begin > end || end > file_->size()) {
    refuse(file_->name(), begin, fmt::format("{} bytes", end - begin), fmt::format("end of file at {}", file_->size()));
  }
}

std::size_t FileStream::read_some(const std::span<std::uint8_t> dst) {
  const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(dst.size(), at_most()));
  file_->read_at(position_, dst.first(step), "data");
  position_ += step;
  return step;
}

std::vector<std::uint8_t> read_whole(const InputFile& file, const std::uint64_t limit) {
  if (file.size() > limit) refuse(file.name(), 0, fmt::format("at most {} bytes", limit), std::to_string(file.size()));
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(file.size()));
  file.read_at(0, bytes, "the whole file");
  return bytes;
}

}  // namespace bcr::io
