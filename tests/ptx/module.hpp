#ifndef BCR_TESTS_PTX_MODULE_HPP
#define BCR_TESTS_PTX_MODULE_HPP

#include "tests/ptx/scalar_type.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::test::ptx {

/// PTX as it is written: names are still names. link() makes it executable.
enum class Space { generic, global, constant, shared, local, param };

/// A variable of a module or function, or a parameter.
struct Variable {
  std::string name{};
  Space space = Space::global;
  std::size_t size = 0;  ///< of a whole array; 0 for the dynamic shared memory
  std::size_t alignment = 1;
  bool is_external = false;
  std::vector<std::byte> initial{};  ///< empty: zeros
};

struct Operand {
  enum class Kind { name, number, address, list };
  Kind kind = Kind::name;
  std::string name{};            ///< register, label, variable or function; in an address possibly empty
  bool negated = false;          ///< !%p
  std::uint64_t number = 0;      ///< bits of a number, offset of an address
  std::vector<Operand> items{};  ///< {a, b}, (a, b) or the pair a|b
};

struct Statement {
  std::string opcode{};  ///< with its modifiers: "add.rn.f64"; empty for a mere label
  std::string guard{};   ///< register of @%p, or empty
  bool guard_negated = false;
  std::vector<Operand> operands{};
  int line = 0;
};

struct Function {
  std::string name{};
  bool is_entry = false;
  std::vector<Variable> results{};
  std::vector<Variable> parameters{};
  std::vector<Variable> variables{};     ///< local, shared and parameters of calls, under names unique in the function
  std::vector<std::string> registers{};  ///< likewise
  std::vector<Statement> statements{};
  std::map<std::string, int> labels{};                               ///< the statement a label stands before
  std::map<std::string, std::vector<std::string>> branch_targets{};  ///< lists of labels for brx.idx
};

struct Module {
  std::vector<Variable> variables{};
  std::map<std::string, Function> functions{};  ///< those with a body
};

Module parse_module(std::string_view text);

}  // namespace bcr::test::ptx

#endif
