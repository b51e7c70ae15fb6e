#ifndef BCR_KERNELS_CONV_WEIGHT_LAYOUT_HPP
#define BCR_KERNELS_CONV_WEIGHT_LAYOUT_HPP

#include "src/core/views.hpp"

namespace bcr::kernels {

/// hwio(kh, kw, ic, oc) = oihw(oc, ic, kh, kw): from PyTorch's layout [OC, IC, KH, KW] to that of our
/// convolutions and checkpoints, [KH, KW, IC, OC]. A copy of bits; asynchronous on exec.
template <class Exec, class T>
void weights_to_hwio(const Exec& exec, ConstTensor4<T, Exec> oihw, Tensor4<T, Exec> hwio);

/// oihw(oc, ic, kh, kw) = hwio(kh, kw, ic, oc): the way back.
template <class Exec, class T>
void weights_to_oihw(const Exec& exec, ConstTensor4<T, Exec> hwio, Tensor4<T, Exec> oihw);

}  // namespace bcr::kernels

#endif
