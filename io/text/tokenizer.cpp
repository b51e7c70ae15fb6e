#include "io/text/tokenizer.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace bcr::io {

namespace {

struct CodePoint {
  std::uint32_t value;
  std::size_t length;  ///< in bytes; 0: not UTF-8
};

/// The code point that begins at `at`, by the table of well-formed sequences of the Unicode standard (3.9, D92).
CodePoint code_point(const std::string_view text, const std::size_t at) {
  const auto byte = [&](const std::size_t i) -> std::uint32_t {
    return at + i < text.size() ? static_cast<std::uint8_t>(text[at + i]) : 0;
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : (lead >= 0xe0 ? 3 : 2);
  if (lead < 0xc2 || lead > 0xf4) return {0, 0};
  std::uint32_t value = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {0, 0};
    value = value << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < smallest[length] || value > 0x10ffff || surrogate) return {0, 0};
  return {value, length};
}

bool is_white(const std::uint32_t c) {
  return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) || c == 0x85 || c == 0xa0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

/// The small letter of a capital whose small letter takes as many bytes.
std::uint32_t small_letter(const std::uint32_t c) {
  if (c >= 'A' && c <= 'Z') return c + 32;
  if (c >= 0xc0 && c <= 0xde && c != 0xd7) return c + 32;
  const bool even_capitals = (c >= 0x100 && c <= 0x137 && c != 0x130) || (c >= 0x14a && c <= 0x177);
  const bool odd_capitals = (c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e);
  if (even_capitals) return c | 1U;
  if (odd_capitals) return c + (c & 1U);
  if (c >= 0x391 && c <= 0x3a9 && c != 0x3a2) return c + 32;
  if (c >= 0x410 && c <= 0x42f) return c + 32;
  if (c >= 0x400 && c <= 0x40f) return c + 80;
  return c;
}

bool is_letter(const char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::vector<std::string> letter_words(const std::string_view text) {
  constexpr std::ptrdiff_t shortest = 3;
  std::vector<std::string> words;
  auto at = text.begin();
  while (at != text.end()) {
    const auto begin = std::find_if(at, text.end(), is_letter);
    at = std::find_if_not(begin, text.end(), is_letter);
    if (at - begin < shortest) continue;
    std::string& word = words.emplace_back(begin, at);
    for (char& c : word)
      c = static_cast<char>(c | 0x20);  // sets the one bit in which capitals and small letters differ
  }
  return words;
}

std::vector<std::string> space_words(const std::string_view text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  const auto take = [&](const std::size_t end) {
    if (end > begin) words.push_back(lower_case(text.substr(begin, end - begin)));
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto [value, length] = code_point(text, at);
    const std::size_t next = at + std::max<std::size_t>(length, 1);
    if (length > 0 && is_white(value)) {
      take(at);
      begin = next;
    }
    at = next;
  }
  take(text.size());
  return words;
}

}  // namespace

std::size_t first_bad_utf8(const std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto [value, length] = code_point(text, at);
    if (length == 0 || value == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::string lower_case(const std::string_view utf8) {
  std::string small(utf8);
  for (std::size_t at = 0; at < small.size();) {
    const auto [value, length] = code_point(small, at);
    const std::uint32_t letter = small_letter(value);
    if (length == 1) small[at] = static_cast<char>(letter);
    if (length == 2) {
      small[at] = static_cast<char>(0xc0U | letter >> 6);
      small[at + 1] = static_cast<char>(0x80U | (letter & 0x3fU));
    }
    at += std::max<std::size_t>(length, 1);
  }
  return small;
}

bool begins_with_letter(const std::string_view utf8) {
  const std::uint32_t c = code_point(utf8, 0).value;
  if (c < 0x80) return !utf8.empty() && is_letter(utf8[0]);
  const bool symbol =
      c < 0xc0 || c == 0xd7 || c == 0xf7 || (c >= 0x2000 && c <= 0x2bff) || (c >= 0x3000 && c <= 0x303f);
  return !symbol;
}

std::vector<std::string> split_words(const std::string_view text, const WordRule rule) {
  return rule == WordRule::letters ? letter_words(text) : space_words(text);
}

std::vector<std::vector<std::string>> split_sentences(const std::vector<std::string>& words) {
  const auto ends = [](const std::string& word) { return word == "." || word.ends_with('?') || word.ends_with('!'); };
  const auto closes = [](const std::string& word) {
    constexpr std::array<std::string_view, 8> closing{"\"", "'", "''", ")", "]", "}", "\u201d", "\u2019"};
    return std::find(closing.begin(), closing.end(), word) != closing.end();
  };
  std::vector<std::vector<std::string>> sentences;
  auto begin = words.begin();
  while (true) {
    const auto end = std::find_if(begin, words.end(), ends);
    if (end == words.end()) return sentences;
    const auto next = std::find_if_not(std::next(end), words.end(), closes);
    sentences.emplace_back(begin, next);
    begin = next;
  }
}

}  // namespace bcr::io
