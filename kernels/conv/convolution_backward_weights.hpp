#ifndef BCR_KERNELS_CONV_CONVOLUTION_BACKWARD_WEIGHTS_HPP
#define BCR_KERNELS_CONV_CONVOLUTION_BACKWARD_WEIGHTS_HPP

#include "kernels/conv/window.hpp"
#include "src/core/views.hpp"

#include <cstddef>

namespace bcr::kernels {

/// diff_weights(kh, kw, ic, oc) = sum_{n, h, w} src(n, h stride + kh - pad, w stride + kw - pad, ic) diff_dst(n, h, w,
/// oc): the images are cut into chunks of backward_weights_chunk(OH, OW) images; in a chunk
///
///   T sum = 0;
///   for n, for h, for w: if the tap lies inside the image: sum = fma(src(...), diff_dst(n, h, w, oc), sum);
///
/// and the chunks are joined pairwise, (0 + 1), (2 + 3), ..., then these pairwise, and so on; a last one without a
/// partner moves up as it is. The order is a property of the shapes alone, hence the same bits on every device.
/// src [N, H, W, IC], diff_dst [N, OH, OW, OC], diff_weights [KH, KW, IC, OC]; every extent may be 0 (N = 0 gives 0).
/// workspace: backward_weights_workspace_size(...) elements or more. Asynchronous on exec.
/// Error: (gamma(pixels of a chunk) + u log2(chunks)) sum |src diff_dst|. 2 N OH OW OC IC KH KW flop.
template <class Exec, class T>
void convolution_backward_weights(const Exec& exec, const ConvolutionWindow& window, ConstTensor4<T, Exec> src,
                                  ConstTensor4<T, Exec> diff_dst, Tensor4<T, Exec> diff_weights,
                                  Vector<T, Exec> workspace);

/// Images of a chunk: the fewest that have 1024 output pixels. The number is part of the definition of the result.
int backward_weights_chunk(int output_height, int output_width);

/// Elements of workspace: the sums of all chunks, for as many output channels at a time as fit 64 MB of float.
template <class Exec, class T>
std::size_t backward_weights_workspace_size(ConstTensor4<T, Exec> diff_dst, ConstTensor4<T, Exec> diff_weights);

}  // namespace bcr::kernels

#endif
