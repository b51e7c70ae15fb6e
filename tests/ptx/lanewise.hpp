#ifndef BCR_TESTS_PTX_LANEWISE_HPP
#define BCR_TESTS_PTX_LANEWISE_HPP

#include "tests/ptx/decoding.hpp"

#include <type_traits>

namespace bcr::test::ptx {

/// dst = Op(src...) in every lane of the mask, the sources read as A, B, C. Op is a lambda without captures; the type
/// it returns is the type that is written.
template <class Op, class A>
void run_unary(const Step& step, Warp& warp, const Mask mask) {
  std::uint64_t* const dst = warp.slot(step.dst[0]);
  const std::uint64_t* const a = warp.slot(step.src[0]);
  for_each_lane(mask, [&](const int lane) { dst[lane] = to_register(Op{}(from_register<A>(a[lane]))); });
}

template <class Op, class A, class B>
void run_binary(const Step& step, Warp& warp, const Mask mask) {
  std::uint64_t* const dst = warp.slot(step.dst[0]);
  const std::uint64_t* const a = warp.slot(step.src[0]);
  const std::uint64_t* const b = warp.slot(step.src[1]);
  for_each_lane(mask, [&](const int lane) {
    dst[lane] = to_register(Op{}(from_register<A>(a[lane]), from_register<B>(b[lane])));
  });
}

template <class Op, class A, class B, class C>
void run_ternary(const Step& step, Warp& warp, const Mask mask) {
  std::uint64_t* const dst = warp.slot(step.dst[0]);
  const std::uint64_t* const a = warp.slot(step.src[0]);
  const std::uint64_t* const b = warp.slot(step.src[1]);
  const std::uint64_t* const c = warp.slot(step.src[2]);
  for_each_lane(mask, [&](const int lane) {
    dst[lane] = to_register(Op{}(from_register<A>(a[lane]), from_register<B>(b[lane]), from_register<C>(c[lane])));
  });
}

template <class A, class Op>
void decode_unary(Decoding& decoding, Op) {
  decoding.take_operands(1);
  decoding.step.run = run_unary<Op, A>;
}

template <class A, class B, class Op>
void decode_binary(Decoding& decoding, Op) {
  decoding.take_operands(2);
  decoding.step.run = run_binary<Op, A, B>;
}

template <class A, class B, class C, class Op>
void decode_ternary(Decoding& decoding, Op) {
  decoding.take_operands(3);
  decoding.step.run = run_ternary<Op, A, B, C>;
}

inline bool is_float(const ScalarType type) {
  return type == ScalarType::f32 || type == ScalarType::f64;
}

/// use(value of the C++ type) for types of one kind only; others are refused.
template <class Use>
void with_float(const Decoding& decoding, const ScalarType type, const Use& use) {
  if (!is_float(type)) decoding.fail("no floating-point type");
  type == ScalarType::f32 ? use(float{}) : use(double{});
}

template <class Use>
void with_integer(const Decoding& decoding, const ScalarType type, const Use& use) {
  with_type(type, [&](const auto value) {
    if constexpr (std::is_integral_v<std::remove_const_t<decltype(value)>>)
      use(value);
    else
      decoding.fail("no integer type");
  });
}

}  // namespace bcr::test::ptx

#endif
