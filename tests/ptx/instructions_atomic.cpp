#include "tests/ptx/address.hpp"
#include "tests/ptx/lanewise.hpp"

#include <algorithm>
#include <cstring>

namespace bcr::test::ptx {
namespace {

/// One lane after the other, the lowest first. Only integers: the result of a floating-point atomic would depend on
/// that order, so there is none here.
template <class T, class Op>
void run_atomic(const Step& step, Warp& warp, const Mask mask) {
  for_each_lane(mask, [&](const int lane) {
    std::byte* const place = place_of(step, warp, lane, sizeof(T));
    T old;
    std::memcpy(&old, place, sizeof(T));
    const T fresh = Op{}(old, T(warp.slot(step.src[0])[lane]), T(warp.slot(step.src[1])[lane]));
    std::memcpy(place, &fresh, sizeof(T));
    if (step.dst[0] >= 0) warp.slot(step.dst[0])[lane] = std::uint64_t(old);
  });
}

template <class T>
Step::Run choose_atomic(Decoding& decoding) {
  const auto chosen = []<class Op>(Op) -> Step::Run { return run_atomic<T, Op>; };
  switch (decoding.take_one_of({"add", "inc", "dec", "exch", "cas", "min", "max", "and", "or", "xor"})) {
    case 0:
      return chosen(
          [](const T old, const T a, T) { return T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(a)); });
    case 1:
      return chosen([](const T old, const T a, T) { return old >= a ? T(0) : T(old + 1); });
    case 2:
      return chosen([](const T old, const T a, T) { return old == 0 || old > a ? a : T(old - 1); });
    case 3:
      return chosen([](T, const T a, T) { return a; });
    case 4:
      return chosen([](const T old, const T compare, const T a) { return old == compare ? a : old; });
    case 5:
      return chosen([](const T old, const T a, T) { return std::min(old, a); });
    case 6:
      return chosen([](const T old, const T a, T) { return std::max(old, a); });
    case 7:
      return chosen([](const T old, const T a, T) { return T(old & a); });
    case 8:
      return chosen([](const T old, const T a, T) { return T(old | a); });
    case 9:
      return chosen([](const T old, const T a, T) { return T(old ^ a); });
    default:
      decoding.fail("unknown atomic operation");
  }
}

void decode_atomic(Decoding& decoding, const bool has_result) {
  const ScalarType type = decoding.take_type();
  if (is_float(type)) decoding.fail("a floating-point atomic has no defined order");
  take_memory_order(decoding);
  const auto& operands = decoding.operands();
  const std::size_t first = has_result ? 1 : 0;
  if (operands.size() < first + 2 || operands.size() > first + 3) decoding.fail("unknown form");
  Step& step = decoding.step;
  step.dst[0] = has_result && operands[0].name != "_" ? decoding.slot(operands[0]) : -1;
  take_address(decoding, operands[first]);
  step.src[0] = decoding.slot(operands[first + 1]);
  step.src[1] = decoding.slot(operands.back());
  with_integer(decoding, type, [&]<class T>(T) {
    step.run = choose_atomic<T>(decoding);
    step.element_size = sizeof(T);
  });
}

}  // namespace

void add_atomic_instructions(DecoderTable& table) {
  table["atom"] = [](Decoding& decoding) { decode_atomic(decoding, true); };
  table["red"] = [](Decoding& decoding) { decode_atomic(decoding, false); };
}

}  // namespace bcr::test::ptx
