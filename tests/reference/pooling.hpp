#ifndef BCR_TESTS_REFERENCE_POOLING_HPP
#define BCR_TESTS_REFERENCE_POOLING_HPP

#include "tests/reference/convolution.hpp"

#include <array>
#include <cmath>
#include <vector>

// Pooling by windows that scatter, while the kernels gather.
namespace bcr::reference {

struct Pooling {
  int kernel, stride, pad;

  int outputs(const int extent) const { return (extent + 2 * pad - kernel) / stride + 1; }
  std::array<int, 4> dst(const std::array<int, 4>& src) const {
    return {src[0], outputs(src[1]), outputs(src[2]), src[3]};
  }
};

/// pixel(y, x) for the pixels of window (h, w) inside an image, row by row.
template <class F>
void for_each_pixel(const Pooling& p, const std::array<int, 4>& src, const int h, const int w, const F& pixel) {
  for (int kh = 0; kh < p.kernel; ++kh)
    for (int kw = 0; kw < p.kernel; ++kw) {
      const int y = h * p.stride + kh - p.pad;
      const int x = w * p.stride + kw - p.pad;
      if (y >= 0 && y < src[1] && x >= 0 && x < src[2]) pixel(y, x);
    }
}

/// The first of the largest pixels of a window; a NaN is larger than any number.
template <class T>
std::array<int, 2> winner(const Pooling& p, const Tensor<T>& src, const int n, const int h, const int w, const int c) {
  std::array<int, 2> best{-1, -1};
  for_each_pixel(p, src.extent, h, w, [&](const int y, const int x) {
    const bool first = best[0] < 0;
    const bool leads = first || src(n, y, x, c) > src(n, best[0], best[1], c) ||
                       (std::isnan(src(n, y, x, c)) && !std::isnan(src(n, best[0], best[1], c)));
    if (leads) best = {y, x};
  });
  return best;
}

/// Every element of dst: element(n, h, w, c).
template <class F>
void for_each_window(const std::array<int, 4>& dst, const F& element) {
  for (int n = 0; n < dst[0]; ++n)
    for (int h = 0; h < dst[1]; ++h)
      for (int w = 0; w < dst[2]; ++w)
        for (int c = 0; c < dst[3]; ++c) element(n, h, w, c);
}

template <class T>
Tensor<T> max_pool_forward(const Pooling& p, const Tensor<T>& src) {
  Tensor<T> dst(p.dst(src.extent));
  for_each_window(dst.extent, [&](int n, int h, int w, int c) {
    const auto best = winner(p, src, n, h, w, c);
    dst(n, h, w, c) = src(n, best[0], best[1], c);
  });
  return dst;
}

template <class T>
Tensor<T> max_pool_backward(const Pooling& p, const Tensor<T>& src, const Tensor<T>& diff_dst) {
  Tensor<T> diff_src(src.extent);
  for_each_window(diff_dst.extent, [&](int n, int h, int w, int c) {
    const auto best = winner(p, src, n, h, w, c);
    diff_src(n, best[0], best[1], c) += diff_dst(n, h, w, c);
  });
  return diff_src;
}

template <class T>
Tensor<T> average_pool_forward(const Pooling& p, const Tensor<T>& src) {
  Tensor<T> dst(p.dst(src.extent));
  for_each_window(dst.extent, [&](int n, int h, int w, int c) {
    double sum = 0;
    for_each_pixel(p, src.extent, h, w, [&](const int y, const int x) { sum += double(src(n, y, x, c)); });
    dst(n, h, w, c) = static_cast<T>(sum / (p.kernel * p.kernel));
  });
  return dst;
}

template <class T>
Tensor<T> average_pool_backward(const Pooling& p, const Tensor<T>& diff_dst, const std::array<int, 4>& src) {
  Tensor<double> sums(src);
  for_each_window(diff_dst.extent, [&](int n, int h, int w, int c) {
    for_each_pixel(p, src, h, w, [&](const int y, const int x) { sums(n, y, x, c) += double(diff_dst(n, h, w, c)); });
  });
  Tensor<T> diff_src(src);
  for (std::size_t i = 0; i < sums.value.size(); ++i)
    diff_src.value[i] = static_cast<T>(sums.value[i] / (p.kernel * p.kernel));
  return diff_src;
}

}  // namespace bcr::reference

#endif
