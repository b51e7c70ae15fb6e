#include "losses/row_loss.hpp"

namespace bcr::losses {
namespace {

/// Outlier exposure (Hendrycks et al. 2019), for logits: background rows have log sum_c exp z_c - mean_c z_c, the
/// cross-entropy of the uniform distribution and softmax(z), with gradient p_c - 1/C. With lambda = 1 this is the
/// entropic open-set loss (Dhamija et al. 2018), which bears its own name in the registry.
struct Uniformity {
  static constexpr RowNeeds needs{.background_softmax = true, .mean_output = true};
  static Uniformity of(const LossOptions&, const LossShape&) { return {}; }
  KOKKOS_FUNCTION RowTerm known(const Row&) const { return {}; }
  KOKKOS_FUNCTION RowTerm background(const Row& row) const { return uniform_term(row); }
};

}  // namespace

LossEntry uniformity_loss() {
  return {.name = "uniformity",
          .title = "Uniformity",
          .fits = LossEntry::Fits::logits,
          .lambda = 0.5,
          .formula = "background: cross-entropy of softmax(z) to uniform",
          .make = row_loss_of<Uniformity>()};
}

LossEntry entropic_loss() {
  return {.name = "entropic",
          .title = "Entropic open-set",
          .fits = LossEntry::Fits::logits,
          .formula = "uniformity with weight 1",
          .make = row_loss_of<Uniformity>()};
}

}  // namespace bcr::losses
