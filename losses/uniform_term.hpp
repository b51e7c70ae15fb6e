#ifndef BCR_LOSSES_UNIFORM_TERM_HPP
#define BCR_LOSSES_UNIFORM_TERM_HPP

#include "losses/row.hpp"

namespace bcr::losses {

/// log sum_c exp z_c - mean_c z_c with its gradient p_c - 1/C, C the number of columns.
KOKKOS_INLINE_FUNCTION RowTerm uniform_term(const Row& row) {
  return {.value = row.uniform_cross_entropy(), .softmax = 1.0, .uniform = -1.0 / row.columns};
}

}  // namespace bcr::losses

#endif
