#ifndef BCR_TESTS_PTX_TOKENS_HPP
#define BCR_TESTS_PTX_TOKENS_HPP

#include <string>
#include <string_view>
#include <vector>

namespace bcr::test::ptx {

/// A word (opcode with its modifiers, register, label, number, directive), a quoted text or one punctuation mark.
struct Token {
  std::string text;
  int line = 0;
};

/// PTX cut into tokens; comments and the line notes of a debugger (.loc, .file) are left out.
std::vector<Token> tokens_of(std::string_view text);

/// Reads tokens one after the other and says where it was when something else was expected.
class TokenReader {
 public:
  explicit TokenReader(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  bool at_end() const { return place_ == tokens_.size(); }
  const std::string& peek() const;
  bool next_is(std::string_view text) const { return !at_end() && peek() == text; }
  bool after_next_is(std::string_view text) const {
    return place_ + 1 < tokens_.size() && tokens_[place_ + 1].text == text;
  }
  Token take();
  bool take_if(std::string_view text);
  void expect(std::string_view text);
  /// To the end of a statement, the semicolon included.
  void skip_statement();
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::vector<Token> tokens_;
  std::size_t place_ = 0;
};

}  // namespace bcr::test::ptx

#endif
