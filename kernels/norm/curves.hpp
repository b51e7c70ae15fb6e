#ifndef BCR_KERNELS_NORM_CURVES_HPP
#define BCR_KERNELS_NORM_CURVES_HPP

#include "src/core/views.hpp"

#include <cstddef>

namespace bcr::kernels {

// Leaky ReLU: x, or slope x where x <= 0, with one slope [1] for all; NaN stays NaN. Flat tensors of equal lengths.
// All are asynchronous on exec and allocate nothing.

/// dst may be src.
template <class Exec, class T>
void leaky_relu_forward(const Exec& exec, ConstVector<T, Exec> src, ConstVector<T, Exec> slope, Vector<T, Exec> dst);

/// diff_src may be diff_dst.
template <class Exec, class T>
void leaky_relu_backward(const Exec& exec, ConstVector<T, Exec> src, ConstVector<T, Exec> slope,
                         ConstVector<T, Exec> diff_dst, Vector<T, Exec> diff_src);

/// diff_slope = sum of diff_dst src over src <= 0, in double in the order of kernels/reduce/fixed_sum.hpp, rounded to
/// T. partials: leaky_relu_partials(length) elements or more.
template <class Exec, class T>
void leaky_relu_slope_gradient(const Exec& exec, ConstVector<T, Exec> src, ConstVector<T, Exec> diff_dst,
                               Vector<double, Exec> partials, Vector<T, Exec> diff_slope);

std::size_t leaky_relu_partials(std::size_t length);

// dst = tanh(src), within an ulp and the same bits everywhere; and its gradient from its result, diff_dst (1 - dst^2).
// dst may be src, diff_src may be diff_dst.
template <class Exec, class T>
void tanh_forward(const Exec& exec, ConstVector<T, Exec> src, Vector<T, Exec> dst);
template <class Exec, class T>
void tanh_backward(const Exec& exec, ConstVector<T, Exec> dst, ConstVector<T, Exec> diff_dst, Vector<T, Exec> diff_src);

}  // namespace bcr::kernels

#endif
