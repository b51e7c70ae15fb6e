#include "tests/ptx/lanewise.hpp"

#include <cmath>
#include <limits>

namespace bcr::test::ptx {
namespace {

/// Roundings to an integral value. std::nearbyint rounds halves to even in the default mode, which nothing here
/// changes.
enum class Rounding { nearest, zero, down, up, none };

template <Rounding rounding, class F>
F rounded(const F value) {
  switch (rounding) {
    case Rounding::nearest:
      return std::nearbyint(value);
    case Rounding::zero:
      return std::trunc(value);
    case Rounding::down:
      return std::floor(value);
    case Rounding::up:
      return std::ceil(value);
    case Rounding::none:
      break;
  }
  return value;
}

/// Out of range becomes the nearest end of the range, NaN zero (a 64-bit target: the sign bit alone, as the device
/// does).
template <class To, class F>
To saturated(const F value) {
  if (value != value) return sizeof(To) == 8 ? To(std::uint64_t{1} << 63) : To(0);
  // Powers of two: exact in every format.
  const F beyond = std::ldexp(F(1), std::numeric_limits<To>::digits);
  const F lowest = std::is_signed_v<To> ? -beyond : F(0);
  if (value >= beyond) return std::numeric_limits<To>::max();
  if (value < lowest) return std::numeric_limits<To>::min();
  return To(value);
}

template <class To, class From, Rounding rounding>
void decode_rounded(Decoding& decoding) {
  decode_unary<From>(decoding, [](const From a) {
    if constexpr (std::is_floating_point_v<To>)
      return To(rounded<rounding>(a));
    else
      return saturated<To>(rounded<rounding>(a));
  });
}

template <class To, class From>
void decode_from_float(Decoding& decoding) {
  switch (decoding.take_one_of({"rni", "rzi", "rmi", "rpi"})) {
    case 0:
      return decode_rounded<To, From, Rounding::nearest>(decoding);
    case 1:
      return decode_rounded<To, From, Rounding::zero>(decoding);
    case 2:
      return decode_rounded<To, From, Rounding::down>(decoding);
    case 3:
      return decode_rounded<To, From, Rounding::up>(decoding);
    default:
      break;
  }
  if constexpr (std::is_floating_point_v<To>) {
    if (sizeof(To) < sizeof(From) && !decoding.take("rn")) decoding.fail("only .rn is known");
    decode_unary<From>(decoding, [](const From a) { return To(a); });
  } else {
    decoding.fail("expected a rounding to an integer");
  }
}

void decode_cvt(Decoding& decoding) {
  const ScalarType from = decoding.take_type();
  const ScalarType to = decoding.take_type();
  with_type(to, [&]<class To>(To) {
    with_type(from, [&]<class From>(From) {
      if constexpr (std::is_floating_point_v<From>) {
        decode_from_float<To, From>(decoding);
      } else {
        if (std::is_floating_point_v<To> && !decoding.take("rn")) decoding.fail("only .rn is known");
        decode_unary<From>(decoding, [](const From a) { return To(a); });
      }
    });
  });
}

void run_copy(const Step& step, Warp& warp, const Mask mask) {
  std::uint64_t* const dst = warp.slot(step.dst[0]);
  const std::uint64_t* const src = warp.slot(step.src[0]);
  for_each_lane(mask, [&](const int lane) { dst[lane] = src[lane]; });
}

/// mov.b64 {low, high}, d: `count` parts of `offset` bits.
void run_unpack(const Step& step, Warp& warp, const Mask mask) {
  const std::uint64_t part = (std::uint64_t{1} << step.offset) - 1;
  for_each_lane(mask, [&](const int lane) {
    const std::uint64_t whole = warp.slot(step.src[0])[lane];
    for (int i = 0; i < step.count; ++i)
      warp.slot(step.dst[std::size_t(i)])[lane] = whole >> (std::uint64_t(i) * step.offset) & part;
  });
}

void run_pack(const Step& step, Warp& warp, const Mask mask) {
  const std::uint64_t part = (std::uint64_t{1} << step.offset) - 1;
  for_each_lane(mask, [&](const int lane) {
    std::uint64_t whole = 0;
    for (int i = 0; i < step.count; ++i)
      whole |= (warp.slot(step.src[std::size_t(i)])[lane] & part) << (std::uint64_t(i) * step.offset);
    warp.slot(step.dst[0])[lane] = whole;
  });
}

void decode_mov(Decoding& decoding) {
  const std::size_t bits = 8 * size_of(decoding.take_type());
  decoding.require_operands(2);
  const Operand& dst = decoding.operands()[0];
  const Operand& src = decoding.operands()[1];
  Step& step = decoding.step;
  const auto parts = [&](const Operand& list, std::array<int, 4>& slots) {
    if (list.items.size() > slots.size()) decoding.fail("too many parts");
    for (std::size_t i = 0; i < list.items.size(); ++i) slots[i] = decoding.slot(list.items[i]);
    step.count = static_cast<int>(list.items.size());
    step.offset = bits / list.items.size();
  };
  if (dst.kind == Operand::Kind::list) {
    parts(dst, step.dst);
    step.src[0] = decoding.slot(src);
    step.run = run_unpack;
  } else if (src.kind == Operand::Kind::list) {
    parts(src, step.src);
    step.dst[0] = decoding.slot(dst);
    step.run = run_pack;
  } else {
    decoding.take_operands(1);
    step.run = run_copy;
  }
}

}  // namespace

void add_conversion_instructions(DecoderTable& table) {
  table["cvt"] = decode_cvt;
  table["mov"] = decode_mov;
}

}  // namespace bcr::test::ptx
