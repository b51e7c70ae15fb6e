#ifndef BCR_KERNELS_POOL_POOL_HPP
#define BCR_KERNELS_POOL_POOL_HPP

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

/// dst(n, h, w, c) = the largest src(n, h stride + kh - pad, w stride + kw - pad, c) inside the image, kh, kw < kernel.
/// Scanned by ascending kh, then kw; a pixel takes the lead if it is larger than the leader, or the first NaN, which
/// keeps it: a NaN in the window is the result, and among equals the first wins.
/// src [N, H, W, C], dst [N, OH, OW, C]; extents may be 0. Asynchronous on exec.
template <class Exec, class T>
void max_pool_forward(const Exec& exec, const PoolWindow& window, ConstTensor4<T, Exec> src, Tensor4<T, Exec> dst);

/// diff_src(pixel) = the sum of diff_dst over the windows that the pixel won, from +0, by ascending window row, then
/// column. The winners are found again in src, so no index tensor is kept. diff_src must not overlap an input.
template <class Exec, class T>
void max_pool_backward(const Exec& exec, const PoolWindow& window, ConstTensor4<T, Exec> src,
                       ConstTensor4<T, Exec> diff_dst, Tensor4<T, Exec> diff_src);

}  // namespace bcr::kernels

#endif
