#ifndef BCR_KERNELS_CONV_WINOGRAD_TRANSFORM_HPP
#define BCR_KERNELS_CONV_WINOGRAD_TRANSFORM_HPP

#include "kernels/conv/lanes.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace bcr::kernels::impl {

// `Place` is where Value::load reads, `Stored` what Value::store writes: T* and T, or for products of bf16 (bf16_pairs.hpp)
// also two places at a time and Bf16.

/// to[4 r + c] = (B^T d B)[r][c], stored at to + (4 r + c) * step. Rows are read twice so that all stays in registers.
template <class Value, class Place, class Stored>
KOKKOS_FORCEINLINE_FUNCTION void transform_patch(const Place (&d)[16], const std::ptrdiff_t at, Stored* const to,
                                                 const std::ptrdiff_t step) {
  const auto columns = [&](const int r, const Value& t0, const Value& t1, const Value& t2, const Value& t3) {
    (t0 - t2).store(to + (4 * r + 0) * step);
    (t1 + t2).store(to + (4 * r + 1) * step);
    (t2 - t1).store(to + (4 * r + 2) * step);
    (t1 - t3).store(to + (4 * r + 3) * step);
  };
  const auto load = [&](const int r, const int c) { return Value::load(d[4 * r + c] + at); };
  columns(0, load(0, 0) - load(2, 0), load(0, 1) - load(2, 1), load(0, 2) - load(2, 2), load(0, 3) - load(2, 3));
  columns(1, load(1, 0) + load(2, 0), load(1, 1) + load(2, 1), load(1, 2) + load(2, 2), load(1, 3) + load(2, 3));
  columns(2, load(2, 0) - load(1, 0), load(2, 1) - load(1, 1), load(2, 2) - load(1, 2), load(2, 3) - load(1, 3));
  columns(3, load(1, 0) - load(3, 0), load(1, 1) - load(3, 1), load(1, 2) - load(3, 2), load(1, 3) - load(3, 3));
}

/// y = A^T M A from M[4 r + c] at from + (4 r + c) * step.
template <class Value, class T>
KOKKOS_FORCEINLINE_FUNCTION void transform_products(const T* const from, const std::ptrdiff_t step, Value (&y)[2][2]) {
  const auto load = [&](const int r, const int c) { return Value::load(from + (4 * r + c) * step); };
  const auto upper = [&](const int c) { return (load(0, c) + load(1, c)) + load(2, c); };
  const auto lower = [&](const int c) { return (load(1, c) - load(2, c)) - load(3, c); };
  const auto finish = [](const Value& s0, const Value& s1, const Value& s2, const Value& s3, Value(&row)[2]) {
    row[0] = (s0 + s1) + s2;
    row[1] = (s1 - s2) - s3;
  };
  finish(upper(0), upper(1), upper(2), upper(3), y[0]);
  finish(lower(0), lower(1), lower(2), lower(3), y[1]);
}

/// u[4 r + c] = (G g G^T)[r][c] for the kernel g[3 r + c], stored at to + (4 r + c) * step.
template <class Value, class Stored>
KOKKOS_FORCEINLINE_FUNCTION void transform_kernel(const Value (&g)[9], Stored* const to, const std::size_t step) {
  const auto row = [&](const int r, const Value& t0, const Value& t1, const Value& t2) {
    const Value outer = t0 + t2;
    t0.store(to + (4 * r + 0) * step);
    (outer + t1).halved().store(to + (4 * r + 1) * step);
    (outer - t1).halved().store(to + (4 * r + 2) * step);
    t2.store(to + (4 * r + 3) * step);
  };
  const auto sum = [&](const int c) { return ((g[c] + g[6 + c]) + g[3 + c]).halved(); };
  const auto difference = [&](const int c) { return ((g[c] + g[6 + c]) - g[3 + c]).halved(); };
  row(0, g[0], g[1], g[2]);
  row(1, sum(0), sum(1), sum(2));
  row(2, difference(0), difference(1), difference(2));
  row(3, g[6], g[7], g[8]);
}

/// Element r of A y for y(0) and y(1), but for the sign of the last one: + y1 in place of - y1. transform_sums makes up
/// for it, so that no zero changes its sign here.
template <class F>
KOKKOS_FORCEINLINE_FUNCTION auto gradient_element(const int r, const F& y) {
  return r == 0 ? y(0) : r == 1 ? y(0) + y(1) : r == 2 ? y(0) - y(1) : y(1);
}

/// Element r of B^T d for d(0), ..., d(3).
template <class F>
KOKKOS_FORCEINLINE_FUNCTION auto patch_element(const int r, const F& d) {
  return r == 0 ? d(0) - d(2) : r == 1 ? d(1) + d(2) : r == 2 ? d(2) - d(1) : d(1) - d(3);
}

/// to[4 r + c] = (A y A^T)[r][c] with gradient_element's signs, stored at to + (4 r + c) * step.
template <class Value, class Place, class Stored>
KOKKOS_FORCEINLINE_FUNCTION void transform_gradient(const Place (&y)[4], const std::ptrdiff_t at, Stored* const to,
                                                    const std::ptrdiff_t step) {
  const auto columns = [&](const int r, const Value& t0, const Value& t1) {
    t0.store(to + (4 * r + 0) * step);
    (t0 + t1).store(to + (4 * r + 1) * step);
    (t0 - t1).store(to + (4 * r + 2) * step);
    t1.store(to + (4 * r + 3) * step);
  };
  const Value y00 = Value::load(y[0] + at);
  const Value y01 = Value::load(y[1] + at);
  const Value y10 = Value::load(y[2] + at);
  const Value y11 = Value::load(y[3] + at);
  columns(0, y00, y01);
  columns(1, y00 + y10, y01 + y11);
  columns(2, y00 - y10, y01 - y11);
  columns(3, y10, y11);
}

/// g = G^T m G for the sums m[4 r + c] of patches times gradients.
template <class T>
KOKKOS_INLINE_FUNCTION void transform_sums(const T (&m)[16], T (&g)[9]) {
  const auto rows = [](const T m0, const T m1, const T m2, const T m3, T& g0, T& g1, T& g2) {
    const T both = m1 + m2;
    g0 = Kokkos::fma(T(0.5), both, m0);
    g1 = T(0.5) * (m1 - m2);
    g2 = Kokkos::fma(T(0.5), both, -m3);
  };
  T t[3][4];
  for (int c = 0; c < 4; ++c) rows(m[c], m[4 + c], m[8 + c], m[12 + c], t[0][c], t[1][c], t[2][c]);
  for (int r = 0; r < 3; ++r) rows(t[r][0], t[r][1], t[r][2], t[r][3], g[3 * r], g[3 * r + 1], g[3 * r + 2]);
}

}  // namespace bcr::kernels::impl

#endif
