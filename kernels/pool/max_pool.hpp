#ifndef BCR_KERNELS_POOL_MAX_POOL_HPP
#define BCR_KERNELS_POOL_MAX_POOL_HPP

#include "kernels/pool/pool_window.hpp"
#include "src/core/views.hpp"

namespace bcr::kernels {

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
