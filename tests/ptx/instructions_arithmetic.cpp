#include "tests/ptx/lanewise.hpp"

#include <cmath>

namespace bcr::test::ptx {
namespace {

/// Wraps around like the device: signed overflow is no error there.
template <class T>
using Wrapping = std::common_type_t<std::make_unsigned_t<T>, unsigned>;

/// Floating point is to nearest, gradual underflow kept. .ftz, .approx, .full, .sat and other roundings are left in the
/// opcode and refused as unknown modifiers.
void take_nearest(Decoding& decoding) {
  decoding.take("rn");
}

void decode_add(Decoding& decoding) {
  const ScalarType type = decoding.take_type();
  if (is_float(type)) {
    take_nearest(decoding);
    return with_float(decoding, type,
                      [&]<class T>(T) { decode_binary<T, T>(decoding, [](const T a, const T b) { return a + b; }); });
  }
  with_integer(decoding, type, [&]<class T>(T) {
    decode_binary<T, T>(decoding, [](const T a, const T b) { return T(Wrapping<T>(a) + Wrapping<T>(b)); });
  });
}

void decode_sub(Decoding& decoding) {
  const ScalarType type = decoding.take_type();
  if (is_float(type)) {
    take_nearest(decoding);
    return with_float(decoding, type,
                      [&]<class T>(T) { decode_binary<T, T>(decoding, [](const T a, const T b) { return a - b; }); });
  }
  with_integer(decoding, type, [&]<class T>(T) {
    decode_binary<T, T>(decoding, [](const T a, const T b) { return T(Wrapping<T>(a) - Wrapping<T>(b)); });
  });
}

template <class T>
using Wide = std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
                                std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

// NOLINTBEGIN(modernize-use-using): only a declaration takes __extension__
__extension__ typedef __int128 Signed128;
__extension__ typedef unsigned __int128 Unsigned128;
// NOLINTEND(modernize-use-using)

template <class T>
T high_half(const T a, const T b) {
  using Twice = std::conditional_t<std::is_signed_v<T>, Signed128, Unsigned128>;
  return T((Twice(a) * Twice(b)) >> (8 * sizeof(T)));
}

void decode_mul(Decoding& decoding) {
  const ScalarType type = decoding.take_type();
  if (is_float(type)) {
    take_nearest(decoding);
    return with_float(decoding, type,
                      [&]<class T>(T) { decode_binary<T, T>(decoding, [](const T a, const T b) { return a * b; }); });
  }
  const int part = decoding.take_one_of({"lo", "hi", "wide"});
  if (part < 0) decoding.fail("expected .lo, .hi or .wide");
  with_integer(decoding, type, [&]<class T>(T) {
    if (part == 0)
      decode_binary<T, T>(decoding, [](const T a, const T b) { return T(Wrapping<T>(a) * Wrapping<T>(b)); });
    else if (part == 1)
      decode_binary<T, T>(decoding, [](const T a, const T b) { return high_half(a, b); });
    else
      decode_binary<T, T>(decoding, [](const T a, const T b) { return Wide<T>(Wide<T>(a) * Wide<T>(b)); });
  });
}

void decode_mad(Decoding& decoding) {
  const ScalarType type = decoding.take_type();
  const int part = decoding.take_one_of({"lo", "hi", "wide"});
  if (part < 0 || part == 1) decoding.fail("only .lo and .wide are known");
  with_integer(decoding, type, [&]<class T>(T) {
    using W = Wide<T>;
    if (part == 0)
      decode_ternary<T, T, T>(decoding, [](const T a, const T b, const T c) {
        return T(Wrapping<T>(a) * Wrapping<T>(b) + Wrapping<T>(c));
      });
    else
      decode_ternary<T, T, W>(
          decoding, [](const T a, const T b, const W c) { return W(Wrapping<W>(W(W(a) * W(b))) + Wrapping<W>(c)); });
  });
}

/// Integer division by zero gives all ones on the device (PTX leaves it open); here it is an error to come this way.
template <class T>
T quotient(const T a, const T b) {
  if (b == 0) throw Error("integer division by zero");
  if (std::is_signed_v<T> && b == T(-1)) return T(Wrapping<T>(0) - Wrapping<T>(a));
  return T(a / b);
}

void decode_div(Decoding& decoding) {
  const ScalarType type = decoding.take_type();
  if (is_float(type)) {
    if (!decoding.take("rn")) decoding.fail("only .rn divides like IEEE 754");
    return with_float(decoding, type,
                      [&]<class T>(T) { decode_binary<T, T>(decoding, [](const T a, const T b) { return a / b; }); });
  }
  with_integer(decoding, type,
               [&]<class T>(T) { decode_binary<T, T>(decoding, [](const T a, const T b) { return quotient(a, b); }); });
}

void decode_rem(Decoding& decoding) {
  with_integer(decoding, decoding.take_type(), [&]<class T>(T) {
    decode_binary<T, T>(decoding, [](const T a, const T b) {
      return T(Wrapping<T>(a) - Wrapping<T>(quotient(a, b)) * Wrapping<T>(b));
    });
  });
}

void decode_fma(Decoding& decoding) {
  if (!decoding.take("rn")) decoding.fail("only .rn is known");
  // std::fma rounds once: the C standard says so, and test_executor.cpp has cases that a product with its own rounding
  // gets wrong.
  with_float(decoding, decoding.take_type(), [&]<class T>(T) {
    decode_ternary<T, T, T>(decoding, [](const T a, const T b, const T c) { return std::fma(a, b, c); });
  });
}

void decode_sqrt(Decoding& decoding) {
  if (!decoding.take("rn")) decoding.fail("only .rn is known");
  with_float(decoding, decoding.take_type(),
             [&]<class T>(T) { decode_unary<T>(decoding, [](const T a) { return std::sqrt(a); }); });
}

void decode_rcp(Decoding& decoding) {
  if (!decoding.take("rn")) decoding.fail("only .rn is known");
  with_float(decoding, decoding.take_type(),
             [&]<class T>(T) { decode_unary<T>(decoding, [](const T a) { return T(1) / a; }); });
}

void decode_neg(Decoding& decoding) {
  with_type(decoding.take_type(), [&]<class T>(T) {
    if constexpr (std::is_floating_point_v<T>)
      decode_unary<T>(decoding, [](const T a) { return -a; });
    else
      decode_unary<T>(decoding, [](const T a) { return T(Wrapping<T>(0) - Wrapping<T>(a)); });
  });
}

void decode_abs(Decoding& decoding) {
  with_type(decoding.take_type(), [&]<class T>(T) {
    if constexpr (std::is_floating_point_v<T>)
      decode_unary<T>(decoding, [](const T a) { return std::fabs(a); });
    else
      decode_unary<T>(decoding, [](const T a) { return a < T(0) ? T(Wrapping<T>(0) - Wrapping<T>(a)) : a; });
  });
}

/// Of a number and a NaN the number; -0 is less than +0.
template <class T>
T smaller(const T a, const T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a) return b;
    if (b != b) return a;
    if (a == b) return std::signbit(a) ? a : b;
  }
  return b < a ? b : a;
}

template <class T>
T larger(const T a, const T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a) return b;
    if (b != b) return a;
    if (a == b) return std::signbit(a) ? b : a;
  }
  return a < b ? b : a;
}

void decode_min(Decoding& decoding) {
  with_type(decoding.take_type(),
            [&]<class T>(T) { decode_binary<T, T>(decoding, [](const T a, const T b) { return smaller(a, b); }); });
}

void decode_max(Decoding& decoding) {
  with_type(decoding.take_type(),
            [&]<class T>(T) { decode_binary<T, T>(decoding, [](const T a, const T b) { return larger(a, b); }); });
}

}  // namespace

void add_arithmetic_instructions(DecoderTable& table) {
  table["add"] = decode_add;
  table["sub"] = decode_sub;
  table["mul"] = decode_mul;
  table["mad"] = decode_mad;
  table["div"] = decode_div;
  table["rem"] = decode_rem;
  table["fma"] = decode_fma;
  table["sqrt"] = decode_sqrt;
  table["rcp"] = decode_rcp;
  table["neg"] = decode_neg;
  table["abs"] = decode_abs;
  table["min"] = decode_min;
  table["max"] = decode_max;
}

}  // namespace bcr::test::ptx
