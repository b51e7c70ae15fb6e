#ifndef BCR_TESTS_REFERENCE_WINOGRAD_BF16_HPP
#define BCR_TESTS_REFERENCE_WINOGRAD_BF16_HPP

#include "tests/reference/winograd.hpp"

#include <cmath>

namespace bcr::reference {

/// The nearest number of 8 significant bits, ties to even; of normal numbers.
inline double rounded_to_bf16(const double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(mantissa, 8)), exponent - 8);
}

/// A result in double, and the sum of the magnitudes of its terms.
struct Estimate {
  Tensor<double> value;
  Tensor<double> magnitude;
};

/// Adds v u to the sums of value and magnitude, both factors rounded.
struct RoundedProducts {
  Square4<double> value{};
  Square4<double> magnitude{};

  void add(const Square4<double>& v, const Square4<double>& u) {
    for (int i = 0; i < 16; ++i) {
      const double product = rounded_to_bf16(v[i / 4][i % 4]) * rounded_to_bf16(u[i / 4][i % 4]);
      value[i / 4][i % 4] += product;
      magnitude[i / 4][i % 4] += std::abs(product);
    }
  }
};

/// C m C^T for a matrix C of `rows` rows, and |C| m |C|^T.
template <int rows>
using Coefficients = std::array<std::array<double, 4>, rows>;

template <int rows>
double transformed(const Coefficients<rows>& c, const Square4<double>& m, const int row, const int column) {
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) sum += c[row][i] * c[column][j] * m[i][j];
  return sum;
}
template <int rows>
Coefficients<rows> magnitudes(Coefficients<rows> c) {
  for (auto& row : c)
    for (double& x : row) x = std::abs(x);
  return c;
}

/// winograd_bf16_forward from its formula; `dst` gives the extents and what is added last.
inline Estimate winograd_bf16(const Tensor<double>& src, const Tensor<double>& weights, const Tensor<double>& dst,
                              const int pad) {
  constexpr Coefficients<2> a{{{1, 1, 1, 0}, {0, 1, -1, -1}}};
  Estimate result{dst, Tensor<double>(dst.extent)};
  for (int n = 0; n < dst.extent[0]; ++n)
    for (int h = 0; h < dst.extent[1]; ++h)
      for (int w = 0; w < dst.extent[2]; ++w)
        for (int oc = 0; oc < dst.extent[3]; ++oc) {
          RoundedProducts m;
          for (int ic = 0; ic < src.extent[3]; ++ic)
            m.add(winograd_patch(patch_at(src, n, h / 2 * 2 - pad, w / 2 * 2 - pad, ic)),
                  winograd_kernel(weights, ic, oc));
          result.value(n, h, w, oc) += transformed<2>(a, m.value, h % 2, w % 2);
          result.magnitude(n, h, w, oc) =
              std::abs(dst(n, h, w, oc)) + transformed<2>(magnitudes<2>(a), m.magnitude, h % 2, w % 2);
        }
  return result;
}

/// winograd_bf16_backward_weights from its formula.
inline Estimate winograd_bf16_weights(const Tensor<double>& src, const Tensor<double>& diff_dst,
                                      const std::array<int, 4>& weights, const int pad) {
  // of G^T; winograd_gradient has taken up a sign
  constexpr Coefficients<3> g{{{1, 0.5, 0.5, 0}, {0, 0.5, -0.5, 0}, {0, 0.5, 0.5, -1}}};
  Estimate result{Tensor<double>(weights), Tensor<double>(weights)};
  for (int ic = 0; ic < weights[2]; ++ic)
    for (int oc = 0; oc < weights[3]; ++oc) {
      RoundedProducts m;
      for (int n = 0; n < src.extent[0]; ++n)
        for (int h = 0; h < diff_dst.extent[1]; h += 2)
          for (int w = 0; w < diff_dst.extent[2]; w += 2)
            m.add(winograd_patch(patch_at(src, n, h - pad, w - pad, ic)), winograd_gradient(diff_dst, n, h, w, oc));
      for (int tap = 0; tap < 9; ++tap) {
        result.value(tap / 3, tap % 3, ic, oc) = transformed<3>(g, m.value, tap / 3, tap % 3);
        result.magnitude(tap / 3, tap % 3, ic, oc) = transformed<3>(magnitudes<3>(g), m.magnitude, tap / 3, tap % 3);
      }
    }
  return result;
}

}  // namespace bcr::reference

#endif
