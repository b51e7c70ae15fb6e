#include "tests/ptx/address.hpp"
#include "tests/ptx/lanewise.hpp"

#include <cstring>

namespace bcr::test::ptx {
namespace {

template <class T>
void run_load(const Step& step, Warp& warp, const Mask mask) {
  for_each_lane(mask, [&](const int lane) {
    const std::byte* const place = place_of(step, warp, lane, sizeof(T) * std::size_t(step.count));
    for (int i = 0; i < step.count; ++i) {
      T value;
      std::memcpy(&value, place + std::size_t(i) * sizeof(T), sizeof(T));
      if (step.dst[std::size_t(i)] >= 0) warp.slot(step.dst[std::size_t(i)])[lane] = std::uint64_t(value);
    }
  });
}

template <class T>
void run_store(const Step& step, Warp& warp, const Mask mask) {
  for_each_lane(mask, [&](const int lane) {
    std::byte* const place = place_of(step, warp, lane, sizeof(T) * std::size_t(step.count));
    for (int i = 0; i < step.count; ++i) {
      // The values of a vector store lie in dst: src[3] is the address.
      const T value = T(warp.slot(step.dst[std::size_t(i)])[lane]);
      std::memcpy(place + std::size_t(i) * sizeof(T), &value, sizeof(T));
    }
  });
}

/// The values of a load or store: one, or a vector of two or four.
void take_values(Decoding& decoding, const Operand& operand) {
  Step& step = decoding.step;
  const int vector = decoding.take_one_of({"v2", "v4"});
  const std::size_t count = vector < 0 ? 1 : vector == 0 ? 2 : 4;
  if ((operand.kind == Operand::Kind::list) != (vector >= 0)) decoding.fail("vector and operand do not agree");
  if (vector >= 0 && operand.items.size() != count) decoding.fail("vector and operand do not agree");
  for (std::size_t i = 0; i < count; ++i) step.dst[i] = decoding.slot(vector < 0 ? operand : operand.items[i]);
  step.count = static_cast<int>(count);
}

/// Floating-point values travel as bits: a NaN must not be changed on its way.
ScalarType bits_of(const ScalarType type) {
  if (type == ScalarType::f32) return ScalarType::b32;
  if (type == ScalarType::f64) return ScalarType::b64;
  return type;
}

void decode_ld(Decoding& decoding) {
  const ScalarType type = bits_of(decoding.take_type());
  decoding.require_operands(2);
  take_memory_order(decoding);
  take_values(decoding, decoding.operands()[0]);
  take_address(decoding, decoding.operands()[1]);
  with_integer(decoding, type, [&]<class T>(T) {
    decoding.step.run = run_load<T>;
    decoding.step.element_size = sizeof(T);
  });
}

void decode_st(Decoding& decoding) {
  const ScalarType type = bits_of(decoding.take_type());
  decoding.require_operands(2);
  take_memory_order(decoding);
  take_values(decoding, decoding.operands()[1]);
  take_address(decoding, decoding.operands()[0]);
  if (decoding.step.space == Space::param || decoding.step.space == Space::constant) decoding.fail("not writable");
  with_integer(decoding, type, [&]<class T>(T) {
    decoding.step.run = run_store<std::make_unsigned_t<T>>;
    decoding.step.element_size = sizeof(T);
  });
}

/// The generic address of a place in shared or local memory is that of the process; elsewhere they are the same anyway.
template <bool to_generic>
void run_cvta(const Step& step, Warp& warp, const Mask mask) {
  for_each_lane(mask, [&](const int lane) {
    std::uint64_t base = 0;
    if (step.space == Space::shared) base = reinterpret_cast<std::uint64_t>(warp.shared);
    if (step.space == Space::local) base = reinterpret_cast<std::uint64_t>(warp.local_of(lane));
    const std::uint64_t address = warp.slot(step.src[0])[lane];
    warp.slot(step.dst[0])[lane] = to_generic ? address + base : address - base;
  });
}

void decode_cvta(Decoding& decoding) {
  constexpr Space spaces[] = {Space::global, Space::constant, Space::shared, Space::local, Space::param};
  const int space = decoding.take_one_of({"global", "const", "shared", "local", "param"});
  if (space < 0 || size_of(decoding.take_type()) != 8) decoding.fail("unknown form");
  const bool from_generic = decoding.take("to");
  decoding.take_operands(1);
  decoding.step.space = spaces[space];
  decoding.step.run = from_generic ? run_cvta<false> : run_cvta<true>;
}

/// Fences: see take_memory_order.
void decode_fence(Decoding& decoding) {
  decoding.require_operands(0);
  for (const auto modifier : {"sc", "acq_rel", "cta", "gpu", "sys", "gl"}) decoding.take(modifier);
  decoding.step.run = [](const Step&, Warp&, Mask) {};
}

}  // namespace

void add_memory_instructions(DecoderTable& table) {
  table["ld"] = decode_ld;
  table["st"] = decode_st;
  table["cvta"] = decode_cvta;
  table["fence"] = decode_fence;
  table["membar"] = decode_fence;
}

}  // namespace bcr::test::ptx
