#ifndef BCR_KERNELS_CONV_CONVOLUTION_BACKWARD_DATA_HPP
#define BCR_KERNELS_CONV_CONVOLUTION_BACKWARD_DATA_HPP

#include "kernels/conv/window.hpp"
#include "src/core/views.hpp"

#include <cstddef>

namespace bcr::kernels {

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

}  // namespace bcr::kernels

#endif
