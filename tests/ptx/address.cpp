#include "tests/ptx/address.hpp"

namespace bcr::test::ptx {

void take_address(Decoding& decoding, const Operand& operand) {
  if (operand.kind != Operand::Kind::address) decoding.fail("expected an address");
  Step& step = decoding.step;
  const int space = decoding.take_one_of(
      {"global", "const", "shared", "shared::cta", "local", "param", "param::entry", "param::func"});
  switch (space) {
    case -1:
      step.space = Space::generic;
      break;
    case 0:
      step.space = Space::global;
      break;
    case 1:
      step.space = Space::constant;
      break;
    case 2:
    case 3:
      step.space = Space::shared;
      break;
    case 4:
      step.space = Space::local;
      break;
    default:
      step.is_parameter = true;
      step.space = decoding.is_lane_parameter(operand.name) ? Space::local : Space::param;
      break;
  }
  step.offset = operand.number;
  Operand base = operand;
  base.kind = operand.name.empty() ? Operand::Kind::number : Operand::Kind::name;
  base.number = 0;
  step.src[3] = decoding.slot(base);
}

void take_memory_order(Decoding& decoding) {
  constexpr std::string_view without_effect[] = {"weak", "volatile", "relaxed", "acquire", "release", "acq_rel",
                                                 "cta",  "gpu",      "sys",     "nc",      "ca",      "cg",
                                                 "cs",   "lu",       "cv",      "wb",      "wt"};
  for (const auto modifier : without_effect) decoding.take(modifier);
}

namespace {

[[noreturn]] void refuse(const Step& step, const std::uint64_t address, const std::size_t size,
                         const char* const what) {
  throw Error("PTX line " + std::to_string(step.text->line) + ": " + step.text->opcode + " of " + std::to_string(size) +
              " bytes at " + std::to_string(address) + " is outside " + what);
}

bool lies_in(const std::uint64_t address, const std::size_t size, const std::byte* const begin,
             const std::size_t length) {
  const auto first = reinterpret_cast<std::uint64_t>(begin);
  return address >= first && address + size <= first + length;
}

}  // namespace

std::byte* place_of(const Step& step, Warp& warp, const int lane, const std::size_t size) {
  const std::uint64_t address = warp.slot(step.src[3])[lane] + step.offset;
  if (address % size != 0) refuse(step, address, size, "its alignment");
  if (step.space == Space::shared) {
    const std::uint64_t offset = address & 0xffffffffu;
    if (offset + size > warp.shared_size) refuse(step, offset, size, "the shared memory of the block");
    return warp.shared + offset;
  }
  if (step.space == Space::local) {
    if (address + size > warp.local_size) refuse(step, address, size, "the local memory of the lane");
    return warp.local_of(lane) + address;
  }
  const bool known = step.space == Space::param ? lies_in(address, size, warp.parameters, warp.parameters_size)
                                                : warp.memory->holds(address, size) ||
                                                      (step.space == Space::generic &&
                                                       (lies_in(address, size, warp.shared, warp.shared_size) ||
                                                        lies_in(address, size, warp.local_of(lane), warp.local_size) ||
                                                        lies_in(address, size, warp.parameters, warp.parameters_size)));
  if (!known) refuse(step, address, size, "the memory of the device");
  return reinterpret_cast<std::byte*>(address);
}

}  // namespace bcr::test::ptx
