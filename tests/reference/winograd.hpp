#ifndef BCR_TESTS_REFERENCE_WINOGRAD_HPP
#define BCR_TESTS_REFERENCE_WINOGRAD_HPP

#include "tests/reference/convolution.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

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

/// The 4 x 4 patch of channel c whose first pixel is (y, x), 0 outside the image.
template <class T>
Square4<T> patch_at(const Tensor<T>& src, const int n, const int y, const int x, const int channel) {
  Square4<T> d{};
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c)
      if (y + r >= 0 && y + r < src.extent[1] && x + c >= 0 && x + c < src.extent[2])
        d[r][c] = src(n, y + r, x + c, channel);
  return d;
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
            const auto v = winograd_patch(patch_at(src, n, h - pad, w - pad, ic));
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

/// A y A^T of the 2 x 2 tile at (h, w), 0 outside, with + y1 in place of - y1 in the last row and column.
template <class T>
Square4<T> winograd_gradient(const Tensor<T>& diff_dst, const int n, const int h, const int w, const int channel) {
  const auto y = patch_at(diff_dst, n, h, w, channel);
  const auto rows = [](const T a, const T b) { return std::array<T, 4>{a, a + b, a - b, b}; };
  const auto left = rows(y[0][0], y[1][0]), right = rows(y[0][1], y[1][1]);
  Square4<T> z;
  for (int r = 0; r < 4; ++r) z[r] = rows(left[r], right[r]);
  return z;
}

/// G^T m G of such sums.
template <class T>
std::array<std::array<T, 3>, 3> winograd_weights(const Square4<T>& m) {
  const auto three = [](const std::array<T, 4>& v) {
    return std::array<T, 3>{std::fma(T(0.5), v[1] + v[2], v[0]), (v[1] - v[2]) / 2,
                            std::fma(T(0.5), v[1] + v[2], -v[3])};
  };
  std::array<std::array<T, 3>, 4> columns;
  for (int c = 0; c < 4; ++c) columns[c] = three({m[0][c], m[1][c], m[2][c], m[3][c]});
  std::array<std::array<T, 3>, 3> g;
  for (int r = 0; r < 3; ++r) g[r] = three({columns[0][r], columns[1][r], columns[2][r], columns[3][r]});
  return g;
}

/// The operations that define the bits of winograd_backward_weights.
template <class T>
Tensor<T> winograd_weights_chain(const Tensor<T>& src, const Tensor<T>& diff_dst, const std::array<int, 4>& weights,
                                 const int pad, const int images_per_chunk) {
  Tensor<T> diff_weights(weights);
  for (int ic = 0; ic < weights[2]; ++ic)
    for (int oc = 0; oc < weights[3]; ++oc) {
      std::vector<Square4<T>> sums((src.extent[0] + images_per_chunk - 1) / images_per_chunk);
      for (int n = 0; n < src.extent[0]; ++n)
        for (int h = 0; h < diff_dst.extent[1]; h += 2)
          for (int w = 0; w < diff_dst.extent[2]; w += 2) {
            const auto v = winograd_patch(patch_at(src, n, h - pad, w - pad, ic));
            const auto z = winograd_gradient(diff_dst, n, h, w, oc);
            auto& m = sums[n / images_per_chunk];
            for (int i = 0; i < 16; ++i) m[i / 4][i % 4] = std::fma(v[i / 4][i % 4], z[i / 4][i % 4], m[i / 4][i % 4]);
          }
      for (std::size_t step = 1; step < sums.size(); step *= 2)
        for (std::size_t i = 0; i + step < sums.size(); i += 2 * step)
          for (int j = 0; j < 16; ++j) sums[i][j / 4][j % 4] = sums[i][j / 4][j % 4] + sums[i + step][j / 4][j % 4];
      const auto g = winograd_weights(sums.empty() ? Square4<T>{} : sums[0]);
      for (int tap = 0; tap < 9; ++tap) diff_weights(tap / 3, tap % 3, ic, oc) = g[tap / 3][tap % 3];
    }
  return diff_weights;
}

}  // namespace bcr::reference

#endif
