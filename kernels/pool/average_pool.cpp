#include "kernels/pool/pool.hpp"

#include "kernels/pool/pixel_block.hpp"
#include "src/core/instances.hpp"

#include <cstddef>

namespace bcr::kernels {
namespace {

/// to[c] = T(sum over rows, then columns, of from(n, row, column, first + c) / divisor).
template <class Exec, class T>
KOKKOS_FUNCTION void average(const ConstTensor4<T, Exec>& from, const int n, const impl::Positions rows,
                             const impl::Positions columns, const int first, const int count, const double divisor,
                             T* const to) {
  double sum[impl::pool_lanes<Exec>] = {};
  for (int h = rows.first; h < rows.last; ++h) {
    for (int w = columns.first; w < columns.last; ++w) {
      const T* const pixel = &from(n, h, w, first);
#pragma omp simd
      for (int c = 0; c < count; ++c) sum[c] = sum[c] + double(pixel[c]);
    }
  }
#pragma omp simd
  for (int c = 0; c < count; ++c) to[c] = static_cast<T>(sum[c] / divisor);
}

template <class Exec, class T>
struct AverageForward {
  PoolWindow window;
  ConstTensor4<T, Exec> src;
  Tensor4<T, Exec> dst;

  KOKKOS_FUNCTION void operator()(const int n, const int oh, const int ow, const int first, const int count) const {
    const auto rows = impl::pixels_of(window, oh, src.extent_int(1));
    const auto columns = impl::pixels_of(window, ow, src.extent_int(2));
    average<Exec, T>(src, n, rows, columns, first, count, double(window.kernel) * window.kernel,
                     &dst(n, oh, ow, first));
  }
};

template <class Exec, class T>
struct AverageBackward {
  PoolWindow window;
  ConstTensor4<T, Exec> diff_dst;
  Tensor4<T, Exec> diff_src;

  KOKKOS_FUNCTION void operator()(const int n, const int h, const int w, const int first, const int count) const {
    const auto rows = impl::windows_of(window, h, diff_dst.extent_int(1));
    const auto columns = impl::windows_of(window, w, diff_dst.extent_int(2));
    average<Exec, T>(diff_dst, n, rows, columns, first, count, double(window.kernel) * window.kernel,
                     &diff_src(n, h, w, first));
  }
};

template <class Exec, class T>
struct GlobalForward {
  ConstTensor4<T, Exec> src;
  Matrix<T, Exec> dst;

  KOKKOS_FUNCTION void operator()(const int n, int, int, const int first, const int count) const {
    const double divisor = double(src.extent(1)) * double(src.extent(2));
    average<Exec, T>(src, n, {0, src.extent_int(1)}, {0, src.extent_int(2)}, first, count, divisor, &dst(n, first));
  }
};

template <class Exec, class T>
struct GlobalBackward {
  ConstMatrix<T, Exec> diff_dst;
  Tensor4<T, Exec> diff_src;
  double divisor;

  KOKKOS_FUNCTION void operator()(const int n, const int h, const int w, const int first, const int count) const {
    const T* const from = &diff_dst(n, first);
    T* const to = &diff_src(n, h, w, first);
#pragma omp simd
    for (int c = 0; c < count; ++c) to[c] = static_cast<T>(double(from[c]) / divisor);
  }
};

}  // namespace

template <class Exec, class T>
void average_pool_forward(const Exec& exec, const PoolWindow& window, ConstTensor4<T, Exec> src, Tensor4<T, Exec> dst) {
  impl::require_pooling("average_pool_forward", window, src, dst);
  impl::for_each_pixel("bcr::kernels::average_pool_forward", exec, AverageForward<Exec, T>{window, src, dst},
                       dst.extent_int(0), dst.extent_int(1), dst.extent_int(2), dst.extent_int(3));
}

template <class Exec, class T>
void average_pool_backward(const Exec& exec, const PoolWindow& window, ConstTensor4<T, Exec> diff_dst,
                           Tensor4<T, Exec> diff_src) {
  impl::require_pooling("average_pool_backward", window, diff_src, diff_dst);
  impl::for_each_pixel("bcr::kernels::average_pool_backward", exec,
                       AverageBackward<Exec, T>{window, diff_dst, diff_src}, diff_src.extent_int(0),
                       diff_src.extent_int(1), diff_src.extent_int(2), diff_src.extent_int(3));
}

template <class Exec, class T>
void global_average_pool_forward(const Exec& exec, ConstTensor4<T, Exec> src, Matrix<T, Exec> dst) {
  require_shape("global_average_pool_forward", "dst", dst, {src.extent(0), src.extent(3)});
  if (dst.size() == 0) return;
  require<ShapeError>(src.extent(1) * src.extent(2) > 0, "global_average_pool_forward", "an image with pixels", "none");
  impl::for_each_pixel("bcr::kernels::global_average_pool_forward", exec, GlobalForward<Exec, T>{src, dst},
                       dst.extent_int(0), 1, 1, dst.extent_int(1));
}

template <class Exec, class T>
void global_average_pool_backward(const Exec& exec, ConstMatrix<T, Exec> diff_dst, Tensor4<T, Exec> diff_src) {
  require_shape("global_average_pool_backward", "diff_dst", diff_dst, {diff_src.extent(0), diff_src.extent(3)});
  const double divisor = double(diff_src.extent(1)) * double(diff_src.extent(2));
  impl::for_each_pixel("bcr::kernels::global_average_pool_backward", exec,
                       GlobalBackward<Exec, T>{diff_dst, diff_src, divisor}, diff_src.extent_int(0),
                       diff_src.extent_int(1), diff_src.extent_int(2), diff_src.extent_int(3));
}

#define BCR_INSTANCE(Exec, T)                                                                              \
  template void average_pool_forward<Exec, T>(const Exec&, const PoolWindow&, ConstTensor4<T, Exec>,       \
                                              Tensor4<T, Exec>);                                           \
  template void average_pool_backward<Exec, T>(const Exec&, const PoolWindow&, ConstTensor4<T, Exec>,      \
                                               Tensor4<T, Exec>);                                          \
  template void global_average_pool_forward<Exec, T>(const Exec&, ConstTensor4<T, Exec>, Matrix<T, Exec>); \
  template void global_average_pool_backward<Exec, T>(const Exec&, ConstMatrix<T, Exec>, Tensor4<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
