#include "losses/row_loss.hpp"

namespace bcr::losses {
namespace {

/// Objectosphere (Dhamija et al. 2018), for logits: the uniformity term of background rows, and a ring on the norm of
/// the features, weight w:
///   known rows:      w max(xi - ||f||, 0)^2,   gradient -2 w max(xi - ||f||, 0) f / ||f||, 0 at f = 0
///   background rows: w ||f||^2,                gradient 2 w f
struct Objectosphere {
  static constexpr RowNeeds needs{.background_softmax = true, .mean_output = true, .feature_norm = true};
  double xi;
  double weight;

  static Objectosphere of(const LossOptions& options, const LossShape&) {
    return {options.objectosphere.xi, options.objectosphere.ring_weight};
  }

  KOKKOS_FUNCTION RowTerm known(const Row& row) const {
    const double gap = xi - row.feature_norm;
    if (gap <= 0) return {};
    return {.value = weight * (gap * gap),
            .features = row.feature_norm > 0 ? -2.0 * weight * gap / row.feature_norm : 0.0};
  }
  KOKKOS_FUNCTION RowTerm background(const Row& row) const {
    RowTerm term = uniform_term(row);
    term.value = Kokkos::fma(weight, row.feature_norm * row.feature_norm, term.value);
    term.features = 2.0 * weight;
    return term;
  }
};

}  // namespace

LossEntry objectosphere_loss() {
  return {.name = "objectosphere",
          .title = "Objectosphere",
          .fits = LossEntry::Fits::logits,
          .formula = "entropic + w (max(xi - |f|, 0)^2; background |f|^2)",
          .make = row_loss_of<Objectosphere>()};
}

}  // namespace bcr::losses
