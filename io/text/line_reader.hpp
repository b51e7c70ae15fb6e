#ifndef BCR_IO_TEXT_LINE_READER_HPP
#define BCR_IO_TEXT_LINE_READER_HPP

#include "io/bytes/byte_stream.hpp"

#include <memory>
#include <string>
#include <vector>

namespace bcr::io {

/// The lines of a UTF-8 file, plain or gzipped, one at a time: files may be larger than memory. A byte order mark and
/// carriage returns before line feeds are passed over; the last line may lack its line feed. IoErrors that name file
/// and line for a bad encoding, a zero byte, or a line beyond 64 MiB.
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& path);

  /// False at the end of the file.
  bool next(std::string& line);

  const std::string& name() const noexcept { return stream_->name(); }
  /// Of the line that was read last, from 1.
  std::uint64_t number() const noexcept { return number_; }
  /// Throws an IoError that names the file and the line that was read last.
  [[noreturn]] void refuse_line(std::string_view expected, std::string_view received) const;

 private:
  bool fill();

  std::unique_ptr<ByteStream> stream_;
  std::vector<std::uint8_t> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t number_ = 0;
};

/// A whole text file as it is, plain or gzipped, of any encoding; refuses more than 64 MiB.
std::string read_document(const std::filesystem::path& path);

/// The same, in UTF-8: an IoError that names the offset of the first bad byte.
std::string read_utf8_document(const std::filesystem::path& path);

}  // namespace bcr::io

#endif
