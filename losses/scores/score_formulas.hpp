#ifndef BCR_LOSSES_SCORES_SCORE_FORMULAS_HPP
#define BCR_LOSSES_SCORES_SCORE_FORMULAS_HPP

#include "kernels/gamma/inclusion_curve.hpp"
#include "losses/row.hpp"

namespace bcr::losses {

/// The fields of Row that cost something, and whether the column of a background class counts: what looks like
/// background must not look known, so only a share of all columns may include it.
struct ScoreNeeds {
  bool softmax = false;
  bool mean_output = false;
  bool feature_norm = false;
  bool known_classes_only = false;
};

/// max_c softmax(z)_c over the known classes
struct MaxSoftmax {
  static constexpr ScoreNeeds needs{.softmax = true};
  KOKKOS_FUNCTION double operator()(const Row& row) const {
    return kernels::strict::exp(Kokkos::fma(row.scale, row.best - row.peak, -row.log_total));
  }
};

/// max_c softmax(z)_c ||f||
struct SoftmaxNorm {
  static constexpr ScoreNeeds needs{.softmax = true, .feature_norm = true};
  KOKKOS_FUNCTION double operator()(const Row& row) const { return MaxSoftmax{}(row)*row.feature_norm; }
};

/// -min_c D_c^2
struct MinDistance {
  static constexpr ScoreNeeds needs{};
  KOKKOS_FUNCTION double operator()(const Row& row) const { return -row.best; }
};

/// log P_I of the nearest class: monotone in -min D^2 until it rounds to -0 deep inside a class.
struct LogInclusion {
  static constexpr ScoreNeeds needs{};
  kernels::InclusionCurve curve;
  KOKKOS_FUNCTION double operator()(const Row& row) const { return curve(row.best).log_q; }
};

/// T log sum_c exp(z_c / T), with row.scale already divided by T
struct FreeEnergy {
  static constexpr ScoreNeeds needs{.softmax = true, .known_classes_only = true};
  double temperature;
  KOKKOS_FUNCTION double operator()(const Row& row) const { return temperature * row.log_sum_exp(); }
};

/// log sum_c exp z_c - mean_c z_c
struct UniformCrossEntropy {
  static constexpr ScoreNeeds needs{.softmax = true, .mean_output = true, .known_classes_only = true};
  KOKKOS_FUNCTION double operator()(const Row& row) const { return row.uniform_cross_entropy(); }
};

}  // namespace bcr::losses

#endif
