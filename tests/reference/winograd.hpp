#ifndef BCR_TESTS_REFERENCE_WINOGRAD_HPP
#define BCR_TESTS_REFERENCE_WINOGRAD_HPP

#include "tests/reference/convolution.hpp"

#include <array>
#include <cmath>

namespace bcr::reference {

template <class T>
using Square4 = std::array<std::array<T, 4>, 4>;

/// B^T d B, rows first.
template <class T>
Square4<T> winograd_patch(const Square4<T>& d) {
  Square4<T> t, v;
  for (int c = 0; c < 4; ++c) {
    t[0][c] = d[0][c] - d[2][c];
    t[1][c] = d[1][c] + d[2][c];
    t[2][c] = d[2][c] - d[1][c];
    t[3][c] = d[1][c] - d[3][c];
  }
  for (int r = 0; r < 4; ++r) v[r] = {t[r][0] - t[r][2], t[r][1] + t[r][2], t[r][2] - t[r][1], t[r][1] - t[r][3]};
  return v;
}

/// G g G^T, rows first.
template <class T>
Square4<T> winograd_kernel(const Tensor<T>& weights, const int ic, const int oc) {
  Square4<T> t{}, u;
  for (int c = 0; c < 3; ++c) {
    const T g0 = weights(0, c, ic, oc), g1 = weights(1, c, ic, oc), g2 = weights(2, c, ic, oc);
    t[0][c] = g0;
    t[1][c] = ((g0 + g2) + g1) / 2;
    t[2][c] = ((g0 + g2) - g1) / 2;
    t[3][c] = g2;
  }
  for (int r = 0; r < 4; ++r)
    u[r] = {t[r][0], ((t[r][0] + t[r][2]) + t[r][1]) / 2, ((t[r][0] + t[r][2]) - t[r][1]) / 2, t[r][2]};
  return u;
}

/// The operations that define the bits of winograd_forward; `dst` holds what is added last.
template <class T>
Tensor<T> winograd_chain(const Tensor<T>& src, const Tensor<T>& weights, Tensor<T> dst, const int pad) {
  for (int n = 0; n < dst.extent[0]; ++n)
    for (int h = 0; h < dst.extent[1]; h += 2)
      for (int w = 0; w < dst.extent[2]; w += 2)
        for (int oc = 0; oc < dst.extent[3]; ++oc) {
          Square4<T> m{};
          for (int ic = 0; ic < src.extent[3]; ++ic) {
            Square4<T> d{};
            for (int r = 0; r < 4; ++r)
              for (int c = 0; c < 4; ++c) {
                const int y = h + r - pad, x = w + c - pad;
                if (y >= 0 && y < src.extent[1] && x >= 0 && x < src.extent[2]) d[r][c] = src(n, y, x, ic);
              }
            const auto v = winograd_patch(d);
            const auto u = winograd_kernel(weights, ic, oc);
            for (int r = 0; r < 4; ++r)
              for (int c = 0; c < 4; ++c) m[r][c] = std::fma(v[r][c], u[r][c], m[r][c]);
          }
          for (int r = 0; r < 2; ++r) {
            std::array<T, 4> s;
            for (int c = 0; c < 4; ++c) s[c] = r == 0 ? (m[0][c] + m[1][c]) + m[2][c] : (m[1][c] - m[2][c]) - m[3][c];
            const std::array<T, 2> y{(s[0] + s[1]) + s[2], (s[1] - s[2]) - s[3]};
            for (int c = 0; c < 2; ++c)
              if (h + r < dst.extent[1] && w + c < dst.extent[2])
                dst(n, h + r, w + c, oc) = y[c] + dst(n, h + r, w + c, oc);
          }
        }
  return dst;
}

/// The kernel of the gradient: turned round, channels exchanged.
template <class T>
Tensor<T> turned(const Tensor<T>& weights) {
  Tensor<T> result({3, 3, weights.extent[3], weights.extent[2]});
  for (int kh = 0; kh < 3; ++kh)
    for (int kw = 0; kw < 3; ++kw)
      for (int ic = 0; ic < weights.extent[2]; ++ic)
        for (int oc = 0; oc < weights.extent[3]; ++oc) result(kh, kw, oc, ic) = weights(2 - kh, 2 - kw, ic, oc);
  return result;
}

}  // namespace bcr::reference

#endif
