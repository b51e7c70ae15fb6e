#include "tests/ptx/decoding.hpp"

#include <algorithm>

namespace bcr::test::ptx {

Decoding::Decoding(const Statement& statement, Names& names) : statement_(statement), names_(names) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= statement.opcode.size(); ++i) {
    if (i < statement.opcode.size() && statement.opcode[i] != '.') continue;
    parts_.push_back(statement.opcode.substr(begin, i - begin));
    begin = i + 1;
  }
  step.text = &statement;
}

bool Decoding::take(const std::string_view modifier) {
  const auto found = std::find(parts_.begin() + 1, parts_.end(), modifier);
  if (found == parts_.end()) return false;
  parts_.erase(found);
  return true;
}

int Decoding::take_one_of(const std::initializer_list<std::string_view> modifiers) {
  int index = 0;
  for (const auto modifier : modifiers) {
    if (take(modifier)) return index;
    ++index;
  }
  return -1;
}

ScalarType Decoding::take_type() {
  for (std::size_t i = parts_.size() - 1; i > 0; --i) {
    if (const auto type = scalar_type(parts_[i])) {
      parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(i));
      return *type;
    }
  }
  fail("an instruction without a known type");
}

void Decoding::require_understood() const {
  if (parts_.size() > 1) fail("unknown modifier ." + parts_[1]);
}

void Decoding::fail(const std::string& what) const {
  throw Error("PTX line " + std::to_string(statement_.line) + ": " + what + ": " + statement_.opcode);
}

void Decoding::require_operands(const std::size_t count) const {
  if (operands().size() != count) fail("expected " + std::to_string(count) + " operands");
}

void Decoding::take_operands(const std::size_t sources) {
  require_operands(sources + 1);
  step.dst[0] = slot(operands()[0]);
  for (std::size_t i = 0; i < sources; ++i) step.src[i] = slot(operands()[i + 1]);
}

namespace {

DecoderTable all_decoders() {
  DecoderTable table;
  add_arithmetic_instructions(table);
  add_bit_instructions(table);
  add_comparison_instructions(table);
  add_conversion_instructions(table);
  add_memory_instructions(table);
  add_atomic_instructions(table);
  add_warp_instructions(table);
  return table;
}

}  // namespace

Step decode(const Statement& statement, Names& names) {
  static const DecoderTable decoders = all_decoders();
  Decoding decoding(statement, names);
  const auto decoder = decoders.find(decoding.root());
  if (decoder == decoders.end()) decoding.fail("unknown instruction");
  decoder->second(decoding);
  decoding.require_understood();
  return std::move(decoding.step);
}

}  // namespace bcr::test::ptx
