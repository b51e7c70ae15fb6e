#ifndef BCR_KERNELS_POOL_AVERAGE_POOL_HPP
#define BCR_KERNELS_POOL_AVERAGE_POOL_HPP

#include "kernels/pool/pool_window.hpp"
#include "src/core/views.hpp"

namespace bcr::kernels {

/// dst(n, h, w, c) = T(sum of the window's pixels / kernel^2): in double from +0 by ascending window row, then column.
/// Pixels outside the image count as zeros, so the divisor is always kernel^2.
/// src [N, H, W, C], dst [N, OH, OW, C]; extents may be 0. Asynchronous on exec.
template <class Exec, class T>
void average_pool_forward(const Exec& exec, const PoolWindow& window, ConstTensor4<T, Exec> src, Tensor4<T, Exec> dst);

/// diff_src(pixel) = T(sum of diff_dst over the windows that hold the pixel / kernel^2), in double from +0 by ascending
/// window row, then column. diff_src must not overlap diff_dst.
template <class Exec, class T>
void average_pool_backward(const Exec& exec, const PoolWindow& window, ConstTensor4<T, Exec> diff_dst,
                           Tensor4<T, Exec> diff_src);

/// dst(n, c) = T(sum_{h, w} src(n, h, w, c) / (H W)): in double from +0 by ascending pixel h W + w.
/// src [N, H, W, C], dst [N, C]; H W > 0 unless dst is empty. Asynchronous on exec. Traffic: N H W C sizeof(T).
template <class Exec, class T>
void global_average_pool_forward(const Exec& exec, ConstTensor4<T, Exec> src, Matrix<T, Exec> dst);

/// diff_src(n, h, w, c) = T(diff_dst(n, c) / (H W)), the quotient taken in double.
template <class Exec, class T>
void global_average_pool_backward(const Exec& exec, ConstMatrix<T, Exec> diff_dst, Tensor4<T, Exec> diff_src);

}  // namespace bcr::kernels

#endif
