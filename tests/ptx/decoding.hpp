#ifndef BCR_TESTS_PTX_DECODING_HPP
#define BCR_TESTS_PTX_DECODING_HPP

#include "tests/ptx/program.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::test::ptx {

/// Gives names their slots and addresses while a program is linked (linker.cpp).
class Names {
 public:
  virtual ~Names() = default;
  /// The slot of a register, a special register, a number, or the address of a variable.
  virtual int slot(const Operand& operand) = 0;
  /// Whether a name is a parameter that each lane has for itself: one of a call, not one of the kernel.
  virtual bool is_lane_parameter(const std::string& name) const = 0;
};

/// One statement on its way to a Step. Modifiers must all be taken by the decoder: one that is left over is unknown.
class Decoding {
 public:
  Decoding(const Statement& statement, Names& names);

  const std::string& root() const { return parts_.front(); }
  /// Whether the opcode has this modifier; it then counts as understood.
  bool take(std::string_view modifier);
  /// Takes the first of these that is there; the index, or -1.
  int take_one_of(std::initializer_list<std::string_view> modifiers);
  /// The last modifier that is a type, taken.
  ScalarType take_type();
  void require_understood() const;
  [[noreturn]] void fail(const std::string& what) const;

  const std::vector<Operand>& operands() const { return statement_.operands; }
  void require_operands(std::size_t count) const;
  int slot(const Operand& operand) { return names_.slot(operand); }
  bool is_lane_parameter(const std::string& name) const { return names_.is_lane_parameter(name); }
  /// dst, src, src ...: every operand but the first is a source.
  void take_operands(std::size_t sources);

  Step step;

 private:
  const Statement& statement_;
  Names& names_;
  std::vector<std::string> parts_;  ///< of the opcode, those not taken yet
};

/// By the first part of the opcode. Each file instructions_*.cpp adds its own.
using Decoder = void (*)(Decoding&);
using DecoderTable = std::map<std::string, Decoder, std::less<>>;
void add_arithmetic_instructions(DecoderTable& table);
void add_bit_instructions(DecoderTable& table);
void add_comparison_instructions(DecoderTable& table);
void add_conversion_instructions(DecoderTable& table);
void add_memory_instructions(DecoderTable& table);
void add_atomic_instructions(DecoderTable& table);
void add_warp_instructions(DecoderTable& table);

/// Instructions that only compute; those of the flow (bra, call, ret, bar ...) are the linker's.
Step decode(const Statement& statement, Names& names);

}  // namespace bcr::test::ptx

#endif
