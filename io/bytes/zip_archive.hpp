#ifndef BCR_IO_BYTES_ZIP_ARCHIVE_HPP
#define BCR_IO_BYTES_ZIP_ARCHIVE_HPP

#include "io/bytes/byte_stream.hpp"

namespace bcr::io {

/// One file in a zip archive, as its central directory describes it.
struct ZipEntry {
  std::string name;
  std::uint64_t offset = 0;  ///< of the local header
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  std::uint32_t crc = 0;
  std::uint16_t method = 0;  ///< 0 stored, 8 deflated; others are refused
};

/// A zip archive (also zip64) as numpy's savez writes it: no encryption, no spanning, nothing before, between or
/// behind.
class ZipArchive {
 public:
  explicit ZipArchive(SharedFile file);

  const std::vector<ZipEntry>& entries() const noexcept { return entries_; }

  /// The content of an entry; its size and CRC-32 are checked when the stream comes to its end.
  std::unique_ptr<ByteStream> open(const ZipEntry& entry) const;

 private:
  SharedFile file_;
  std::vector<ZipEntry> entries_;
  std::uint64_t directory_offset_ = 0;
};

/// Passes a stream on and refuses at its end if the CRC-32 or the size of what was read is not the expected one.
class CheckedStream final : public ByteStream {
 public:
  CheckedStream(std::unique_ptr<ByteStream> source, std::uint64_t size, std::uint32_t crc);

  std::uint64_t at_most() const noexcept override;

 protected:
  std::size_t read_some(std::span<std::uint8_t> dst) override;

 private:
  std::unique_ptr<ByteStream> source_;
  std::uint64_t left_;
  std::uint32_t expected_crc_;
  std::uint32_t crc_ = 0;
};

}  // namespace bcr::io

#endif
