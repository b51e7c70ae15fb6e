#ifndef BCR_TESTS_PTX_OPERANDS_HPP
#define BCR_TESTS_PTX_OPERANDS_HPP

#include "tests/ptx/module.hpp"
#include "tests/ptx/tokens.hpp"

#include <map>
#include <string>
#include <vector>

namespace bcr::test::ptx {

/// What the names of a function mean where the reader stands: a block may hide a name of the block around it.
class Scopes {
 public:
  void open() { scopes_.emplace_back(); }
  void close() { scopes_.pop_back(); }
  bool empty() const { return scopes_.empty(); }
  /// A name that is unique in the function.
  std::string declare(const std::string& name);
  /// The unique name, or the name itself if no block declares it (a label, a variable of the module).
  const std::string& meaning(const std::string& name) const;

 private:
  std::vector<std::map<std::string, std::string>> scopes_;
  int count_ = 0;
};

/// The operands of one instruction, the semicolon included.
std::vector<Operand> parse_operands(TokenReader& reader, const Scopes& scopes);

}  // namespace bcr::test::ptx

#endif
