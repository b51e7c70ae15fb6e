#include "tests/ptx/lanewise.hpp"

#include <string_view>
#include <utility>

namespace bcr::test::ptx {
namespace {

/// Comparisons by name. Those of floating point are false where an operand is NaN, those that end in u true.
enum class Order { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

template <Order order, class T>
bool holds(const T a, const T b) {
  const bool unordered = a != a || b != b;
  switch (order) {
    case Order::eq:
      return a == b;
    case Order::ne:
      return !unordered && a != b;
    case Order::lt:
      return a < b;
    case Order::le:
      return a <= b;
    case Order::gt:
      return a > b;
    case Order::ge:
      return a >= b;
    case Order::equ:
      return unordered || a == b;
    case Order::neu:
      return unordered || a != b;
    case Order::ltu:
      return unordered || a < b;
    case Order::leu:
      return unordered || a <= b;
    case Order::gtu:
      return unordered || a > b;
    case Order::geu:
      return unordered || a >= b;
    case Order::num:
      return !unordered;
    case Order::nan:
      return unordered;
  }
  return false;
}

/// setp p|q, a, b, c: p = (a ? b) with c, q = !(a ? b) with c, where "with" is and, or, xor, or nothing.
enum class Join { none, conjunction, disjunction, exclusion };

template <Order order, class T>
void run_setp(const Step& step, Warp& warp, const Mask mask) {
  std::uint64_t* const p = warp.slot(step.dst[0]);
  std::uint64_t* const q = step.dst[1] < 0 ? nullptr : warp.slot(step.dst[1]);
  const std::uint64_t* const a = warp.slot(step.src[0]);
  const std::uint64_t* const b = warp.slot(step.src[1]);
  const auto join = static_cast<Join>(step.count);
  if (join == Join::none && q == nullptr) {
    for_each_lane(mask, [&](const int lane) {
      p[lane] = holds<order>(from_register<T>(a[lane]), from_register<T>(b[lane])) ? 1 : 0;
    });
    return;
  }
  const std::uint64_t* const c = warp.slot(step.src[2]);
  const auto joined = [&](const bool value, const bool other) {
    switch (join) {
      case Join::conjunction:
        return value && other;
      case Join::disjunction:
        return value || other;
      case Join::exclusion:
        return value != other;
      case Join::none:
        break;
    }
    return value;
  };
  for_each_lane(mask, [&](const int lane) {
    const bool value = holds<order>(from_register<T>(a[lane]), from_register<T>(b[lane]));
    const bool other = join != Join::none && (c[lane] != 0) != step.src_negated;
    p[lane] = joined(value, other) ? 1 : 0;
    if (q != nullptr) q[lane] = joined(!value, other) ? 1 : 0;
  });
}

template <class T, std::size_t... orders>
Step::Run choose_setp(const std::size_t order, std::index_sequence<orders...>) {
  Step::Run run = nullptr;
  ((orders == order ? void(run = run_setp<static_cast<Order>(orders), T>) : void()), ...);
  return run;
}

void decode_setp(Decoding& decoding) {
  const ScalarType type = decoding.take_type();
  int order = decoding.take_one_of(
      {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"});
  if (order < 0) {
    // lo, ls, hi, hs: the unsigned ones, whose type says that already.
    const int unsigned_order = decoding.take_one_of({"lo", "ls", "hi", "hs"});
    if (unsigned_order < 0) decoding.fail("unknown comparison");
    order = static_cast<int>(Order::lt) + unsigned_order;
  }
  const int join = decoding.take_one_of({"and", "or", "xor"}) + 1;
  decoding.require_operands(join > 0 ? 4 : 3);
  const auto& operands = decoding.operands();
  Step& step = decoding.step;
  const bool is_pair = operands[0].kind == Operand::Kind::list;
  step.dst[0] = decoding.slot(is_pair ? operands[0].items[0] : operands[0]);
  step.dst[1] = is_pair ? decoding.slot(operands[0].items[1]) : -1;
  for (std::size_t i = 1; i < operands.size(); ++i) step.src[i - 1] = decoding.slot(operands[i]);
  step.src_negated = operands.back().negated;
  step.count = join;
  with_type(type, [&]<class T>(T) {
    step.run = choose_setp<T>(static_cast<std::size_t>(order), std::make_index_sequence<14>{});
  });
}

void run_selp(const Step& step, Warp& warp, const Mask mask) {
  std::uint64_t* const dst = warp.slot(step.dst[0]);
  const std::uint64_t* const a = warp.slot(step.src[0]);
  const std::uint64_t* const b = warp.slot(step.src[1]);
  const std::uint64_t* const p = warp.slot(step.src[2]);
  for_each_lane(mask, [&](const int lane) { dst[lane] = (p[lane] != 0) != step.src_negated ? a[lane] : b[lane]; });
}

void decode_selp(Decoding& decoding) {
  decoding.take_type();
  decoding.take_operands(3);
  decoding.step.src_negated = decoding.operands()[3].negated;
  decoding.step.run = run_selp;
}

}  // namespace

void add_comparison_instructions(DecoderTable& table) {
  table["setp"] = decode_setp;
  table["selp"] = decode_selp;
}

}  // namespace bcr::test::ptx
