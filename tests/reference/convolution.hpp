#ifndef BCR_TESTS_REFERENCE_CONVOLUTION_HPP
#define BCR_TESTS_REFERENCE_CONVOLUTION_HPP

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace bcr::reference {

/// A plain row-major tensor of rank 4.
template <class T>
struct Tensor {
  std::array<int, 4> extent{};
  std::vector<T> value;

  Tensor() = default;
  explicit Tensor(const std::array<int, 4>& extents) : extent(extents) {
    std::size_t size = 1;
    for (const int e : extents) size *= static_cast<std::size_t>(e);
    value.assign(size, T(0));
  }
  std::size_t index(const int a, const int b, const int c, const int d) const {
    return ((static_cast<std::size_t>(a) * extent[1] + b) * extent[2] + c) * extent[3] + d;
  }
  T& operator()(const int a, const int b, const int c, const int d) { return value[index(a, b, c, d)]; }
  const T& operator()(const int a, const int b, const int c, const int d) const { return value[index(a, b, c, d)]; }
};

/// Every product src(n, y, x, ic) * weights(kh, kw, ic, oc) that a convolution adds to dst(n, h, w, oc), in the order
/// n, h, w, kh, kw, ic, oc. The three directions of a convolution are three ways to sum over these terms.
template <class F>
void for_each_term(const std::array<int, 4>& src, const std::array<int, 4>& weights, const std::array<int, 4>& dst,
                   const int stride, const int pad, const F& term) {
  for (int n = 0; n < dst[0]; ++n)
    for (int h = 0; h < dst[1]; ++h)
      for (int w = 0; w < dst[2]; ++w)
        for (int kh = 0; kh < weights[0]; ++kh)
          for (int kw = 0; kw < weights[1]; ++kw) {
            const int y = h * stride + kh - pad;
            const int x = w * stride + kw - pad;
            if (y < 0 || y >= src[1] || x < 0 || x >= src[2]) continue;
            for (int ic = 0; ic < src[3]; ++ic)
              for (int oc = 0; oc < dst[3]; ++oc) term(n, h, w, kh, kw, ic, oc, y, x);
          }
}

/// In double, from the formula; `dst` gives the extents and the start of the sums.
template <class T>
Tensor<double> convolution_forward(const Tensor<T>& src, const Tensor<T>& weights, Tensor<double> dst, const int stride,
                                   const int pad) {
  for_each_term(src.extent, weights.extent, dst.extent, stride, pad,
                [&](int n, int h, int w, int kh, int kw, int ic, int oc, int y, int x) {
                  dst(n, h, w, oc) += double(src(n, y, x, ic)) * double(weights(kh, kw, ic, oc));
                });
  return dst;
}

template <class T>
Tensor<double> convolution_backward_data(const Tensor<T>& diff_dst, const Tensor<T>& weights, Tensor<double> diff_src,
                                         const int stride, const int pad) {
  for_each_term(diff_src.extent, weights.extent, diff_dst.extent, stride, pad,
                [&](int n, int h, int w, int kh, int kw, int ic, int oc, int y, int x) {
                  diff_src(n, y, x, ic) += double(diff_dst(n, h, w, oc)) * double(weights(kh, kw, ic, oc));
                });
  return diff_src;
}

template <class T>
Tensor<double> convolution_backward_weights(const Tensor<T>& src, const Tensor<T>& diff_dst,
                                            Tensor<double> diff_weights, const int stride, const int pad) {
  for_each_term(src.extent, diff_weights.extent, diff_dst.extent, stride, pad,
                [&](int n, int h, int w, int kh, int kw, int ic, int oc, int y, int x) {
                  diff_weights(kh, kw, ic, oc) += double(src(n, y, x, ic)) * double(diff_dst(n, h, w, oc));
                });
  return diff_weights;
}

/// The chain of fma that defines the bits of convolution_forward; `dst` holds the start of the chains.
template <class T>
Tensor<T> forward_chain(const Tensor<T>& src, const Tensor<T>& weights, Tensor<T> dst, const int stride,
                        const int pad) {
  for_each_term(src.extent, weights.extent, dst.extent, stride, pad,
                [&](int n, int h, int w, int kh, int kw, int ic, int oc, int y, int x) {
                  dst(n, h, w, oc) = std::fma(src(n, y, x, ic), weights(kh, kw, ic, oc), dst(n, h, w, oc));
                });
  return dst;
}

/// The chain of convolution_backward_data: taps in ascending order, then output channels.
template <class T>
Tensor<T> backward_data_chain(const Tensor<T>& diff_dst, const Tensor<T>& weights, Tensor<T> diff_src, const int stride,
                              const int pad) {
  for (int n = 0; n < diff_src.extent[0]; ++n)
    for (int h = 0; h < diff_src.extent[1]; ++h)
      for (int w = 0; w < diff_src.extent[2]; ++w)
        for (int ic = 0; ic < diff_src.extent[3]; ++ic)
          for (int kh = 0; kh < weights.extent[0]; ++kh)
            for (int kw = 0; kw < weights.extent[1]; ++kw) {
              const int y = h + pad - kh;
              const int x = w + pad - kw;
              if (y < 0 || x < 0 || y % stride != 0 || x % stride != 0) continue;
              if (y / stride >= diff_dst.extent[1] || x / stride >= diff_dst.extent[2]) continue;
              for (int oc = 0; oc < diff_dst.extent[3]; ++oc)
                diff_src(n, h, w, ic) =
                    std::fma(diff_dst(n, y / stride, x / stride, oc), weights(kh, kw, ic, oc), diff_src(n, h, w, ic));
            }
  return diff_src;
}

/// Chains over chunks of images, added level by level in pairs.
template <class T>
Tensor<T> backward_weights_chain(const Tensor<T>& src, const Tensor<T>& diff_dst, const std::array<int, 4>& weights,
                                 const int stride, const int pad, const int images_per_chunk) {
  std::vector<Tensor<T>> sums;
  for (int n = 0; n < src.extent[0]; n += images_per_chunk) sums.emplace_back(weights);
  for_each_term(src.extent, weights, diff_dst.extent, stride, pad,
                [&](int n, int h, int w, int kh, int kw, int ic, int oc, int y, int x) {
                  T& sum = sums[n / images_per_chunk](kh, kw, ic, oc);
                  sum = std::fma(src(n, y, x, ic), diff_dst(n, h, w, oc), sum);
                });
  if (sums.empty()) return Tensor<T>(weights);
  for (std::size_t step = 1; step < sums.size(); step *= 2)
    for (std::size_t i = 0; i + step < sums.size(); i += 2 * step)
      for (std::size_t j = 0; j < sums[i].value.size(); ++j)
        sums[i].value[j] = sums[i].value[j] + sums[i + step].value[j];
  return sums[0];
}

}  // namespace bcr::reference

#endif
