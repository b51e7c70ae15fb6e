#ifndef BCR_IO_BYTES_INFLATE_STREAM_HPP
#define BCR_IO_BYTES_INFLATE_STREAM_HPP

#include "io/bytes/byte_stream.hpp"

namespace bcr::io {

/// How a deflated stream is wrapped: a .gz file, a zlib stream (inside .mat files), or bare (inside zip archives).
enum class DeflateWrapper { gzip, zlib, raw };

/// The inflated content of a stream. Its offsets count inflated bytes. The checksum that the wrapper carries is
/// verified, and `expect_end` also refuses bytes of the source behind the deflated stream.
class InflateStream final : public ByteStream {
 public:
  InflateStream(std::unique_ptr<ByteStream> source, DeflateWrapper wrapper);
  ~InflateStream() override;

  /// Deflate packs at most 1032 bytes into one, which bounds what a source of known size can inflate to.
  std::uint64_t at_most() const noexcept override;

 protected:
  std::size_t read_some(std::span<std::uint8_t> dst) override;

 private:
  struct State;
  std::unique_ptr<ByteStream> source_;
  std::unique_ptr<State> state_;
};

/// The content of a file, inflated if it begins as a gzip file does.
std::unique_ptr<ByteStream> open_plain_or_gzip(const std::filesystem::path& path);

}  // namespace bcr::io

#endif
