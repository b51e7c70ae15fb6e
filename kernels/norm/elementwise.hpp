#ifndef BCR_KERNELS_NORM_ELEMENTWISE_HPP
#define BCR_KERNELS_NORM_ELEMENTWISE_HPP

#include "kernels/norm/activation.hpp"
#include "kernels/norm/dropout_mask.hpp"
#include "src/core/views.hpp"

namespace bcr::kernels {

// Maps over flat tensors, for layers that no fusion covers. All are asynchronous on exec; lengths must agree.

/// dst(i) = src(i), or +0 if src(i) <= 0; NaN stays NaN. dst may be src.
template <class Exec, class T>
void relu_forward(const Exec& exec, ConstVector<T, Exec> src, Vector<T, Exec> dst);

/// diff_src(i) = diff_dst(i), or +0 if dst(i) <= 0. dst is the output of the forward pass (its input does as well);
/// diff_src may be diff_dst.
template <class Exec, class T>
void relu_backward(const Exec& exec, ConstVector<T, Exec> dst, ConstVector<T, Exec> diff_dst, Vector<T, Exec> diff_src);

/// dst(i) = keep(i) ? src(i) T(1 / (1 - rate)) : 0, see dropout_mask.hpp. dst may be src. The backward pass is the same
/// map with gradients in place of values.
template <class Exec, class T>
void dropout_map(const Exec& exec, ConstVector<T, Exec> src, const Dropout& dropout, Vector<T, Exec> dst);

/// dst(i) = src(i): a kernel like any other, where a deep_copy would be an operation of its own to tools and devices.
template <class Exec, class T>
void copy(const Exec& exec, ConstVector<T, Exec> src, Vector<T, Exec> dst);

/// dst(i) = dst(i) + src(i).
template <class Exec, class T>
void add(const Exec& exec, ConstVector<T, Exec> src, Vector<T, Exec> dst);

/// dst(i) = activation(a(i) + b(i)). dst may be a or b; lengths must agree. Asynchronous on exec.
/// Traffic: 3 sizeof(T) per element.
template <class Exec, class T>
void add_activated(const Exec& exec, ConstVector<T, Exec> a, ConstVector<T, Exec> b, Activation activation,
                   Vector<T, Exec> dst);

}  // namespace bcr::kernels

#endif
