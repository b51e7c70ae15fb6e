#ifndef BCR_KERNELS_CONV_FOLD_SCALE_HPP
#define BCR_KERNELS_CONV_FOLD_SCALE_HPP

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

}  // namespace bcr::kernels

#endif
