#ifndef BCR_KERNELS_DISTANCE_NEAREST_HPP
#define BCR_KERNELS_DISTANCE_NEAREST_HPP

#include "src/core/views.hpp"

namespace bcr::kernels {

/// index(i) = argmin_c distances(i, c), the lowest c of equals; value(i) = distances(i, index(i)).
/// distances [N, C] with C > 0 unless N = 0; index, value [N]. A NaN counts as nearest, so that it cannot be
/// overlooked: the rules are those of row_argmin (kernels/reduce/row_extreme.hpp), which does the work.
template <class Exec, class T>
void nearest(const Exec& exec, ConstMatrix<T, Exec> distances, Labels<Exec> index, Vector<T, Exec> value);

}  // namespace bcr::kernels

#endif
