#ifndef BCR_KERNELS_CONV_CONVOLUTION_HPP
#define BCR_KERNELS_CONV_CONVOLUTION_HPP

#include "kernels/conv/epilogue.hpp"
#include "kernels/conv/window.hpp"
#include "src/core/views.hpp"

#include <cstddef>

namespace bcr::kernels {

/// dst(n, h, w, oc) = sum_{kh, kw, ic} src(n, h stride + kh - pad, w stride + kw - pad, ic) weights(kh, kw, ic, oc):
///
///   T sum = start == zero ? 0 : start == bias ? bias(oc) : dst(n, h, w, oc);
///   for kh, for kw, for ic: if the tap lies inside the image: sum = fma(src(...), weights(kh, kw, ic, oc), sum);
///   dst(n, h, w, oc) = sum;
///
/// in this order, hence the same bits on every device. The epilogue follows. Taps outside the image are skipped, not
/// multiplied by zero. src [N, H, W, IC], weights [KH, KW, IC, OC], dst [N, OH, OW, OC]; every extent may be 0. bias
/// [OC], read only if start is bias. workspace: forward_workspace_size(weights) elements or more. Asynchronous on exec;
/// dst must not overlap an input. Error: gamma(KH KW IC) sum |src weights|. 2 N OH OW OC IC KH KW flop (fewer at the
/// borders).
template <class Exec, class T>
void convolution_forward(const Exec& exec, const ConvolutionWindow& window, ConstTensor4<T, Exec> src,
                         ConstTensor4<T, Exec> weights, ConstVector<T, Exec> bias, Tensor4<T, Exec> dst,
                         ChainStart start, Vector<T, Exec> workspace, const Epilogue<Exec, T>& epilogue = {});

/// Elements of workspace that convolution_forward needs.
template <class Exec, class T>
std::size_t forward_workspace_size(ConstTensor4<T, Exec> weights);

/// diff_src(n, h, w, ic) = sum over the outputs that src(n, h, w, ic) took part in:
///
///   T sum = start == zero ? 0 : diff_src(n, h, w, ic);
///   for kh, for kw: if oh = (h + pad - kh) / stride and ow = (w + pad - kw) / stride are whole and inside the image:
///     for oc: sum = fma(diff_dst(n, oh, ow, oc), weights(kh, kw, ic, oc), sum);
///   diff_src(n, h, w, ic) = sum;
///
/// in this order, hence the same bits on every device.
/// diff_dst [N, OH, OW, OC], weights [KH, KW, IC, OC], diff_src [N, H, W, IC]; every extent may be 0. start: zero or
/// dst (a second consumer of src adds its gradient). workspace: backward_data_workspace_size(weights) elements or more.
/// Asynchronous on exec; diff_src must not overlap an input. Error: gamma(KH KW OC) sum |diff_dst weights|.
template <class Exec, class T>
void convolution_backward_data(const Exec& exec, const ConvolutionWindow& window, ConstTensor4<T, Exec> diff_dst,
                               ConstTensor4<T, Exec> weights, Tensor4<T, Exec> diff_src, ChainStart start,
                               Vector<T, Exec> workspace);

/// Elements of workspace that convolution_backward_data needs.
template <class Exec, class T>
std::size_t backward_data_workspace_size(ConstTensor4<T, Exec> weights);

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
