#include "io/text/line_reader.hpp"

#include "io/bytes/inflate_stream.hpp"
#include "io/text/tokenizer.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::io {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 16;
constexpr std::size_t longest_text = std::size_t{1} << 26;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::string bad_byte(const std::string_view text, const std::size_t at) {
  return fmt::format("the byte 0x{:02x}", static_cast<std::uint8_t>(text[at]));
}

}  // namespace

LineReader::LineReader(const std::filesystem::path& path) : stream_(open_plain_or_gzip(path)), buffer_(buffer_bytes) {}

bool LineReader::fill() {
  begin_ = 0;
  end_ = stream_->read_up_to(buffer_);
  return end_ > 0;
}

bool LineReader::next(std::string& line) {
  line.clear();
  if (begin_ == end_ && !fill()) return false;
  ++number_;
  while (true) {
    const auto first = buffer_.begin() + static_cast<std::ptrdiff_t>(begin_);
    const auto last = buffer_.begin() + static_cast<std::ptrdiff_t>(end_);
    const auto feed = std::find(first, last, std::uint8_t{'\n'});
    line.append(first, feed);
    if (line.size() > longest_text) refuse_line(fmt::format("at most {} bytes", longest_text), "more");
    begin_ = static_cast<std::size_t>(feed - buffer_.begin());
    if (feed != last) {
      ++begin_;
      break;
    }
    if (!fill()) break;
  }
  if (line.ends_with('\r')) line.pop_back();
  if (number_ == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
  const std::size_t bad = first_bad_utf8(line);
  if (bad != std::string::npos) {
    refuse_line("UTF-8 text", fmt::format("{} in column {}", bad_byte(line, bad), bad + 1));
  }
  return true;
}

void LineReader::refuse_line(const std::string_view expected, const std::string_view received) const {
  throw IoError(fmt::format("{}, line {}", name(), number_), expected, received);
}

std::string read_document(const std::filesystem::path& path) {
  std::error_code missing;
  if (std::filesystem::is_regular_file(path, missing) && std::filesystem::file_size(path, missing) == 0) return {};
  const auto stream = open_plain_or_gzip(path);
  std::string text;
  std::vector<std::uint8_t> buffer(buffer_bytes);
  while (const std::size_t got = stream->read_up_to(buffer)) {
    text.append(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(got));
    if (text.size() > longest_text)
      stream->refuse_here(fmt::format("a text of at most {} bytes", longest_text), "more");
  }
  const std::size_t zero = text.find('\0');
  if (zero != std::string::npos) refuse(path.string(), zero, "text", "a zero byte");
  return text;
}

std::string read_utf8_document(const std::filesystem::path& path) {
  std::string text = read_document(path);
  const std::size_t bad = first_bad_utf8(text);
  if (bad != std::string::npos) refuse(path.string(), bad, "UTF-8 text", bad_byte(text, bad));
  return text;
}

}  // namespace bcr::io
