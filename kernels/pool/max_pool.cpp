#include "kernels/pool/pool.hpp"

#include "kernels/pool/pixel_block.hpp"
#include "src/core/instances.hpp"

namespace bcr::kernels {
namespace {

/// Whether x takes the lead: it is larger, or the first NaN.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION bool beats(const T x, const T leader) {
  return !(x <= leader) & (leader == leader);
}

template <class Exec, class T>
struct MaxForward {
  PoolWindow window;
  ConstTensor4<T, Exec> src;
  Tensor4<T, Exec> dst;

  KOKKOS_FUNCTION void operator()(const int n, const int oh, const int ow, const int first, const int count) const {
    const auto rows = impl::pixels_of(window, oh, src.extent_int(1));
    const auto columns = impl::pixels_of(window, ow, src.extent_int(2));
    T best[impl::pool_lanes<Exec>];
    const T* const start = &src(n, rows.first, columns.first, first);
    for (int c = 0; c < count; ++c) best[c] = start[c];
    for (int h = rows.first; h < rows.last; ++h) {
      for (int w = columns.first; w < columns.last; ++w) {
        const T* const pixel = &src(n, h, w, first);
#pragma omp simd
        for (int c = 0; c < count; ++c) best[c] = beats(pixel[c], best[c]) ? pixel[c] : best[c];
      }
    }
    T* const to = &dst(n, oh, ow, first);
    for (int c = 0; c < count; ++c) to[c] = best[c];
  }
};

template <class Exec, class T>
struct MaxBackward {
  PoolWindow window;
  ConstTensor4<T, Exec> src;
  ConstTensor4<T, Exec> diff_dst;
  Tensor4<T, Exec> diff_src;

  KOKKOS_FUNCTION void operator()(const int n, const int h, const int w, const int first, const int count) const {
    const auto rows = impl::windows_of(window, h, diff_dst.extent_int(1));
    const auto columns = impl::windows_of(window, w, diff_dst.extent_int(2));
    T sum[impl::pool_lanes<Exec>] = {};
    for (int oh = rows.first; oh < rows.last; ++oh)
      for (int ow = columns.first; ow < columns.last; ++ow) add_window(n, h, w, oh, ow, first, count, sum);
    T* const to = &diff_src(n, h, w, first);
    for (int c = 0; c < count; ++c) to[c] = sum[c];
  }

 private:
  /// Pixel (h, w) won the window (oh, ow) iff it beats all pixels before it and none after it beats it.
  KOKKOS_FUNCTION void add_window(const int n, const int h, const int w, const int oh, const int ow, const int first,
                                  const int count, T* const sum) const {
    const auto rows = impl::pixels_of(window, oh, src.extent_int(1));
    const auto columns = impl::pixels_of(window, ow, src.extent_int(2));
    const T* const own = &src(n, h, w, first);
    const T* const diff = &diff_dst(n, oh, ow, first);
    T gain[impl::pool_lanes<Exec>];
    for (int c = 0; c < count; ++c) gain[c] = diff[c];
    for (int row = rows.first; row < rows.last; ++row) {
      for (int column = columns.first; column < columns.last; ++column) {
        if (row == h && column == w) continue;
        const T* const other = &src(n, row, column, first);
        if (row < h || (row == h && column < w)) {
#pragma omp simd
          for (int c = 0; c < count; ++c) gain[c] = beats(own[c], other[c]) ? gain[c] : T(0);
        } else {
#pragma omp simd
          for (int c = 0; c < count; ++c) gain[c] = beats(other[c], own[c]) ? T(0) : gain[c];
        }
      }
    }
#pragma omp simd
    for (int c = 0; c < count; ++c) sum[c] = sum[c] + gain[c];
  }
};

}  // namespace

template <class Exec, class T>
void max_pool_forward(const Exec& exec, const PoolWindow& window, ConstTensor4<T, Exec> src, Tensor4<T, Exec> dst) {
  impl::require_pooling("max_pool_forward", window, src, dst);
  impl::for_each_pixel("bcr::kernels::max_pool_forward", exec, MaxForward<Exec, T>{window, src, dst}, dst.extent_int(0),
                       dst.extent_int(1), dst.extent_int(2), dst.extent_int(3));
}

template <class Exec, class T>
void max_pool_backward(const Exec& exec, const PoolWindow& window, ConstTensor4<T, Exec> src,
                       ConstTensor4<T, Exec> diff_dst, Tensor4<T, Exec> diff_src) {
  impl::require_pooling("max_pool_backward", window, src, diff_dst);
  require_shape("max_pool_backward", "diff_src", diff_src, shape(src));
  impl::for_each_pixel("bcr::kernels::max_pool_backward", exec, MaxBackward<Exec, T>{window, src, diff_dst, diff_src},
                       src.extent_int(0), src.extent_int(1), src.extent_int(2), src.extent_int(3));
}

#define BCR_INSTANCE(Exec, T)                                                                                       \
  template void max_pool_forward<Exec, T>(const Exec&, const PoolWindow&, ConstTensor4<T, Exec>, Tensor4<T, Exec>); \
  template void max_pool_backward<Exec, T>(const Exec&, const PoolWindow&, ConstTensor4<T, Exec>,                   \
                                           ConstTensor4<T, Exec>, Tensor4<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
