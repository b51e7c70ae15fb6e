#ifndef BCR_KERNELS_CONV_WEIGHTS_HPP
#define BCR_KERNELS_CONV_WEIGHTS_HPP

#include "src/core/views.hpp"

namespace bcr::kernels {

/// The convolution whose result is scale(oc) (convolution(src, weights) + bias(oc)) + shift(oc):
///
///   folded_weights(kh, kw, ic, oc) = weights(kh, kw, ic, oc) scale(oc)
///   folded_bias(oc) = fma(scale(oc), bias(oc), shift(oc)), or shift(oc) without a bias (an empty View)
///
/// For libraries that take a bias but no scale: the products round differently from those of batch norm afterwards.
/// weights [KH, KW, IC, OC], all else [OC]. Asynchronous on exec. Traffic: 2 KH KW IC OC sizeof(T).
template <class Exec, class T>
void fold_scale(const Exec& exec, ConstTensor4<T, Exec> weights, ConstVector<T, Exec> bias, ConstVector<T, Exec> scale,
                ConstVector<T, Exec> shift, Tensor4<T, Exec> folded_weights, Vector<T, Exec> folded_bias);

/// hwio(kh, kw, ic, oc) = oihw(oc, ic, kh, kw): from PyTorch's layout [OC, IC, KH, KW] to that of our
/// convolutions and checkpoints, [KH, KW, IC, OC]. A copy of bits; asynchronous on exec.
template <class Exec, class T>
void weights_to_hwio(const Exec& exec, ConstTensor4<T, Exec> oihw, Tensor4<T, Exec> hwio);

/// oihw(oc, ic, kh, kw) = hwio(kh, kw, ic, oc): the way back.
template <class Exec, class T>
void weights_to_oihw(const Exec& exec, ConstTensor4<T, Exec> hwio, Tensor4<T, Exec> oihw);

}  // namespace bcr::kernels

#endif
