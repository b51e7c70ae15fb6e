#ifndef BCR_IO_BYTES_BYTE_STREAM_HPP
#define BCR_IO_BYTES_BYTE_STREAM_HPP

#include "io/bytes/input_file.hpp"

#include <bit>
#include <concepts>
#include <cstddef>
#include <vector>

namespace bcr::io {

/// Bytes that are read once from front to back, plain or inflated, from a file or a part of one. Every failure names
/// the file, the offset and what was being read. `at_most` bounds what can still come, so that a header that claims
/// an absurd size is refused before anything is allocated for it.
class ByteStream {
 public:
  explicit ByteStream(std::string name, const std::uint64_t first_offset = 0)
      : name_(std::move(name)), offset_(first_offset) {}
  virtual ~ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  const std::string& name() const noexcept { return name_; }
  std::uint64_t offset() const noexcept { return offset_; }
  virtual std::uint64_t at_most() const noexcept = 0;

  void read_exact(std::span<std::uint8_t> dst, std::string_view what);
  void skip(std::uint64_t bytes, std::string_view what);
  /// At least one byte, or 0 at the end: for formats that do not say how long they are.
  std::size_t read_up_to(std::span<std::uint8_t> dst);

  /// Appends exactly `bytes` bytes to dst, which grows with what has truly arrived.
  void append_to(std::vector<std::uint8_t>& dst, std::uint64_t bytes, std::string_view what);

  /// Refuses unless `bytes` more bytes can come.
  void require_available(std::uint64_t bytes, std::string_view what) const;

  /// Refuses whatever follows the last expected byte.
  void expect_end();

  template <std::unsigned_integral T, std::endian Order = std::endian::little>
  T read_number(const std::string_view what) {
    std::uint8_t raw[sizeof(T)];
    read_exact(raw, what);
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      const std::size_t shift = 8 * (Order == std::endian::little ? i : sizeof(T) - 1 - i);
      value = static_cast<T>(value | (static_cast<T>(raw[i]) << shift));
    }
    return value;
  }

  [[noreturn]] void refuse_here(std::string_view expected, std::string_view received) const {
    refuse(name_, offset_, expected, received);
  }

 protected:
  /// Reads at least one byte, or returns 0 at the end.
  virtual std::size_t read_some(std::span<std::uint8_t> dst) = 0;

 private:
  std::string name_;
  std::uint64_t offset_;
};

/// The bytes [begin, end) of a file; the whole file by default. Offsets in messages are those of the file.
class FileStream final : public ByteStream {
 public:
  explicit FileStream(const SharedFile& file) : FileStream(file, 0, file->size()) {}
  FileStream(SharedFile file, std::uint64_t begin, std::uint64_t end);

  std::uint64_t at_most() const noexcept override { return end_ - position_; }

 protected:
  std::size_t read_some(std::span<std::uint8_t> dst) override;

 private:
  SharedFile file_;
  std::uint64_t position_;
  std::uint64_t end_;
};

/// A whole file as a vector; refuses files of more than `limit` bytes.
std::vector<std::uint8_t> read_whole(const InputFile& file, std::uint64_t limit);

}  // namespace bcr::io

#endif
