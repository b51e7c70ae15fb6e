#ifndef BCR_KERNELS_CONV_CONVOLUTION_FORWARD_HPP
#define BCR_KERNELS_CONV_CONVOLUTION_FORWARD_HPP

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
/// in this order, hence the same bits on every device. The epilogue follows. Taps outside the image are skipped, not multiplied by zero.
/// src [N, H, W, IC], weights [KH, KW, IC, OC], dst [N, OH, OW, OC]; every extent may be 0. bias [OC], read only if
/// start is bias. workspace: forward_workspace_size(weights) elements or more. Asynchronous on exec; dst must not
/// overlap an input. Error: gamma(KH KW IC) sum |src weights|. 2 N OH OW OC IC KH KW flop (fewer at the borders).
template <class Exec, class T>
void convolution_forward(const Exec& exec, const ConvolutionWindow& window, ConstTensor4<T, Exec> src,
                         ConstTensor4<T, Exec> weights, ConstVector<T, Exec> bias, Tensor4<T, Exec> dst,
                         ChainStart start, Vector<T, Exec> workspace, const Epilogue<Exec, T>& epilogue = {});

/// Elements of workspace that convolution_forward needs.
template <class Exec, class T>
std::size_t forward_workspace_size(ConstTensor4<T, Exec> weights);

}  // namespace bcr::kernels

#endif
