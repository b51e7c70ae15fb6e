#ifndef BCR_LOSSES_ROW_HPP
#define BCR_LOSSES_ROW_HPP

#include <Kokkos_Core.hpp>

namespace bcr::losses {

/// What a formula is told about one row of outputs o_c, with z_c = scale o_c: scale is -s for squared distances and 1
/// for logits. Fields that the formula did not ask for (RowNeeds) hold 0.
struct Row {
  double scale = 1;
  int columns = 0;         ///< all outputs
  int best_class = 0;      ///< the smallest D^2 or the largest z among the known classes, the lowest index of equals
  double best = 0;         ///< the output there
  double peak = 0;         ///< the output with the largest z among all columns
  double log_total = 0;    ///< log sum_c exp(z_c - z_peak)
  double mean_output = 0;  ///< over all columns
  int target = -1;         ///< y; of a background row what RowNeeds say, or -1
  double target_output = 0;
  double partner_output = 0;  ///< of the other row of the pair, at the same target
  bool has_partner = false;
  double feature_norm = 0;  ///< ||f||

  /// -log softmax(z)_target; the difference of outputs is taken first, so large ones do not cancel.
  KOKKOS_INLINE_FUNCTION double cross_entropy() const { return Kokkos::fma(scale, peak - target_output, log_total); }
  /// log sum_c exp z_c - mean_c z_c, the cross-entropy of softmax(z) to the uniform distribution.
  KOKKOS_INLINE_FUNCTION double uniform_cross_entropy() const {
    return Kokkos::fma(scale, peak - mean_output, log_total);
  }
  /// log sum_c exp z_c
  KOKKOS_INLINE_FUNCTION double log_sum_exp() const { return Kokkos::fma(scale, peak, log_total); }
};

/// The fields of Row that cost something. The softmax of known rows is always there.
struct RowNeeds {
  bool background_softmax = false;  ///< log_total of background rows
  bool mean_output = false;         ///< of background rows
  bool partner = false;             ///< background row i is paired with known row i, whose y is the target of both
  bool extra_class = false;         ///< the target of background rows is the column after the known classes
  bool feature_norm = false;
};

/// A background term of one row: its value and its gradient. The loop over classes belongs to the launcher, so a
/// gradient is given by the factors of what it is made of, with p = softmax(z):
///   d value / d z_c = softmax p_c + uniform,   d value / d o_target = target,   d value / d o_best_class = best,
///   d value / d f   = features f.
struct RowTerm {
  double value = 0;
  double softmax = 0;
  double uniform = 0;
  double target = 0;
  double best = 0;
  double features = 0;
};

/// log sum_c exp z_c - mean_c z_c with its gradient p_c - 1/C, C the number of columns.
KOKKOS_INLINE_FUNCTION RowTerm uniform_term(const Row& row) {
  return {.value = row.uniform_cross_entropy(), .softmax = 1.0, .uniform = -1.0 / row.columns};
}

}  // namespace bcr::losses

#endif
