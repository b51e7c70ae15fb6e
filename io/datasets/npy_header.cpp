#include "io/datasets/npy_file.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace bcr::io {

namespace {

constexpr std::array<std::uint8_t, 6> magic = {0x93, 'N', 'U', 'M', 'P', 'Y'};
constexpr std::size_t longest_header = 65536;
constexpr std::size_t most_dimensions = 8;

/// Parses the little Python that numpy writes, and no more.
class DictionaryParser {
 public:
  DictionaryParser(const std::string_view text, const ByteStream& stream) : text_(text), stream_(stream) {}

  NpyHeader parse() {
    NpyHeader header;
    int seen = 0;
    expect('{');
    while (!accept('}')) {
      const std::string key = parse_string();
      expect(':');
      if (key == "descr") {
        header.type = parse_string();
        seen |= 1;
      } else if (key == "fortran_order") {
        header.fortran_order = parse_flag();
        seen |= 2;
      } else if (key == "shape") {
        header.extents = parse_tuple();
        seen |= 4;
      } else {
        fail("the key descr, fortran_order or shape");
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (at_ != text_.size() || seen != 7) fail("descr, fortran_order, shape and nothing else");
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string_view expected) const {
    stream_.refuse_here(fmt::format("{} in the header of a numpy array", expected),
                        fmt::format("\"{}\"", printable(text_.substr(at_, 40))));
  }

  static std::string printable(const std::string_view text) {
    std::string clean(text);
    for (char& letter : clean) letter = letter >= ' ' && letter <= '~' ? letter : '?';
    return clean;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  bool accept(const char letter) {
    skip_blanks();
    const bool found = at_ < text_.size() && text_[at_] == letter;
    at_ += found ? 1 : 0;
    return found;
  }

  void expect(const char letter) {
    if (!accept(letter)) fail(std::string_view(&letter, 1));
  }

  bool accept_word(const std::string_view word) {
    skip_blanks();
    const bool found = text_.substr(at_, word.size()) == word;
    at_ += found ? word.size() : 0;
    return found;
  }

  std::string parse_string() {
    expect('\'');
    const std::size_t end = text_.find('\'', at_);
    if (end == std::string_view::npos || end - at_ > 64) fail("a short string");
    std::string value(text_.substr(at_, end - at_));
    at_ = end + 1;
    return value;
  }

  bool parse_flag() {
    if (accept_word("True")) return true;
    if (!accept_word("False")) fail("True or False");
    return false;
  }

  std::vector<std::size_t> parse_tuple() {
    std::vector<std::size_t> extents;
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      std::uint64_t extent = 0;
      const char* begin = text_.data() + at_;
      const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), extent);
      if (status != std::errc() || extents.size() == most_dimensions) fail("up to eight extents");
      at_ += static_cast<std::size_t>(end - begin);
      extents.push_back(static_cast<std::size_t>(extent));
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return extents;
  }

  std::string_view text_;
  const ByteStream& stream_;
  std::size_t at_ = 0;
};

}  // namespace

NpyHeader read_npy_header(ByteStream& stream) {
  std::array<std::uint8_t, 8> head{};
  stream.read_exact(head, "numpy header");
  for (std::size_t i = 0; i < magic.size(); ++i) {
    if (head[i] != magic[i]) refuse(stream.name(), stream.offset() - 8, "the magic of a numpy array", "other bytes");
  }
  const std::uint8_t version = head[6];
  if (version < 1 || version > 3 || head[7] != 0) {
    stream.refuse_here("version 1.0, 2.0 or 3.0 of a numpy array", fmt::format("{}.{}", version, head[7]));
  }
  const std::size_t length = version == 1 ? stream.read_number<std::uint16_t>("header length")
                                          : stream.read_number<std::uint32_t>("header length");
  if (length > longest_header) stream.refuse_here("a header of at most 64 KiB", std::to_string(length));
  std::vector<std::uint8_t> text;
  stream.append_to(text, length, "numpy header");
  return DictionaryParser({reinterpret_cast<const char*>(text.data()), text.size()}, stream).parse();
}

}  // namespace bcr::io
