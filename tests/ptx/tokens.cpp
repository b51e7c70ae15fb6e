#include "tests/ptx/tokens.hpp"

#include "tests/ptx/error.hpp"

#include <algorithm>
#include <cctype>

namespace bcr::test::ptx {
namespace {

bool is_word_character(const char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%' || c == '.';
}

/// The place after a comment, a debugger's note or white space that begins at `i`; `i` itself if none does.
std::size_t after_nothing(const std::string_view text, const std::size_t i) {
  const auto end_of_line = [&] { return std::min(text.find('\n', i), text.size()); };
  const std::string_view rest = text.substr(i);
  if (std::isspace(static_cast<unsigned char>(text[i])) != 0 || text[i] == '\0') return i + 1;
  if (rest.starts_with("//")) return end_of_line();
  if (rest.starts_with("/*")) {
    const std::size_t end = text.find("*/", i);
    if (end == std::string_view::npos) throw Error("PTX: a comment without an end");
    return end + 2;
  }
  if (rest.starts_with(".loc\t") || rest.starts_with(".loc ") || rest.starts_with(".file\t") ||
      rest.starts_with(".file "))
    return end_of_line();
  return i;
}

std::size_t after_token(const std::string_view text, const std::size_t i) {
  std::size_t end = i + 1;
  if (text[i] == '"') {
    while (end < text.size() && text[end] != '"') ++end;
    if (end == text.size()) throw Error("PTX: a quoted text without an end");
    return end + 1;
  }
  if (!is_word_character(text[i])) return end;
  while (end < text.size() && is_word_character(text[end])) ++end;
  return end;
}

}  // namespace

std::vector<Token> tokens_of(const std::string_view text) {
  std::vector<Token> tokens;
  int line = 1;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t skipped = after_nothing(text, i);
    const std::size_t end = skipped > i ? skipped : after_token(text, i);
    if (skipped == i) tokens.push_back({std::string(text.substr(i, end - i)), line});
    for (; i < end; ++i) line += text[i] == '\n' ? 1 : 0;
  }
  return tokens;
}

const std::string& TokenReader::peek() const {
  if (at_end()) throw Error("PTX: the text ends in the middle of something");
  return tokens_[place_].text;
}

Token TokenReader::take() {
  peek();
  return tokens_[place_++];
}

bool TokenReader::take_if(const std::string_view text) {
  if (!next_is(text)) return false;
  ++place_;
  return true;
}

void TokenReader::expect(const std::string_view text) {
  if (!take_if(text)) fail("expected '" + std::string(text) + "'");
}

void TokenReader::skip_statement() {
  while (!take_if(";")) take();
}

void TokenReader::fail(const std::string& what) const {
  throw Error("PTX line " + std::to_string(at_end() ? 0 : tokens_[place_].line) + ": " + what + ", received '" +
              (at_end() ? "the end" : tokens_[place_].text) + "'");
}

}  // namespace bcr::test::ptx
