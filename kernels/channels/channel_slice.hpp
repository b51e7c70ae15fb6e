#ifndef BCR_KERNELS_CHANNELS_CHANNEL_SLICE_HPP
#define BCR_KERNELS_CHANNELS_CHANNEL_SLICE_HPP

#include "kernels/conv/window.hpp"
#include "src/core/views.hpp"

namespace bcr::kernels {

// Images side by side in the channels of a wider image: [N, H, W, C] is channels first, ..., first + C - 1 of
// [N, H, W, D]. A ShapeError unless they are there. Asynchronous on exec. Traffic: 2 N H W C sizeof(T).

/// wide(n, h, w, first + c) = slice(n, h, w, c).
template <class Exec, class T>
void write_channels(const Exec& exec, ConstTensor4<T, Exec> slice, int first, Tensor4<T, Exec> wide);

/// slice(n, h, w, c) = wide(n, h, w, first + c), or slice(n, h, w, c) + that if start is dst.
template <class Exec, class T>
void read_channels(const Exec& exec, ConstTensor4<T, Exec> wide, int first, ChainStart start, Tensor4<T, Exec> slice);

}  // namespace bcr::kernels

#endif
