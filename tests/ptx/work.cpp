#include "tests/ptx/program.hpp"

#include <algorithm>

namespace bcr::test::ptx {
namespace {

bool is_one_of(const std::string_view word, const std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

struct Opcode {
  explicit Opcode(const std::string_view text)
      : root(text.substr(0, text.find('.'))), type(text.substr(text.rfind('.') + 1)) {}
  std::string_view root;  ///< fma
  std::string_view type;  ///< f32
};

}  // namespace

Work work_of(const std::string_view text) {
  const Opcode opcode(text);
  if (opcode.root == "ld") return Work::load;
  if (is_one_of(opcode.root, {"st", "atom", "red"})) return Work::store;
  if (is_one_of(opcode.root, {"shfl", "vote"})) return Work::meeting;
  // A conversion from or to double is work of the unit for doubles.
  const bool has_double = opcode.type == "f64" || text.find(".f64.") != std::string_view::npos;
  const bool is_float = opcode.type == "f32" && !has_double;
  if (!is_float && !has_double) return Work::other;
  if (opcode.root == "fma") return is_float ? Work::fma32 : Work::fma64;
  if (is_one_of(opcode.root, {"div", "sqrt", "rcp"})) return is_float ? Work::root32 : Work::root64;
  if (is_one_of(opcode.root, {"add", "sub", "mul", "min", "max", "setp", "neg", "abs", "cvt"}))
    return is_float ? Work::float32 : Work::float64;
  return Work::other;
}

unsigned slots_of(const std::string_view text) {
  const Opcode opcode(text);
  const auto has = [&](const std::string_view part) { return text.find(part) != std::string_view::npos; };
  // ptxas renames registers, reads parameters as constant operands and knows no generic addresses.
  if (is_one_of(opcode.root, {"mov", "cvta"}) || has(".param")) return 0;
  const bool is_wide = is_one_of(opcode.type, {"s64", "u64", "b64"});
  if (is_one_of(opcode.root, {"div", "rem"}) && opcode.type != "f64") return is_wide ? 100 : opcode.type == "f32" ? 10 : 20;
  if (is_one_of(opcode.root, {"div", "sqrt", "rcp"})) return opcode.type == "f64" ? 20 : 10;
  if (is_one_of(opcode.root, {"add", "sub", "neg", "and", "or", "xor", "shl", "shr", "setp", "selp", "min", "max"}))
    return is_wide ? 2 : 1;
  if (is_one_of(opcode.root, {"mul", "mad"})) return is_wide && has(".lo") ? 4 : 1;
  return 1;
}

}  // namespace bcr::test::ptx
