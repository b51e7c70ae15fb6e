#ifndef BCR_KERNELS_REDUCE_ROW_EXTREME_HPP
#define BCR_KERNELS_REDUCE_ROW_EXTREME_HPP

#include "src/core/views.hpp"

namespace bcr::kernels {

/// index(i) = the column of the smallest (largest) entry of row i of src, the lowest column of equals (-0 equals +0);
/// value(i) = src(i, index(i)). src [N, C] with C > 0 unless N = 0; index, value [N].
/// A NaN is more extreme than any number and the first one wins, as in NumPy and PyTorch: it cannot be overlooked.
/// The result does not depend on any order. Asynchronous on exec, no allocation. Traffic: one pass over src.
template <class Exec, class T>
void row_argmin(const Exec& exec, ConstMatrix<T, Exec> src, Labels<Exec> index, Vector<T, Exec> value);

template <class Exec, class T>
void row_argmax(const Exec& exec, ConstMatrix<T, Exec> src, Labels<Exec> index, Vector<T, Exec> value);

}  // namespace bcr::kernels

#endif
