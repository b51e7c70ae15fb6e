#include "losses/row_loss.hpp"

namespace bcr::losses {
namespace {

/// Anchor mu_y, known sample, background sample, for squared distances: the i-th known row is paired with the i-th
/// background row, and rows without a partner count nothing. Over the pairs, with y the class of the known row,
///   mean of max(0, d(f_known, mu_y) - d(f_background, mu_y) + margin),   d the distance or its square.
/// The slope of d = sqrt(D^2) is 1 / (2 max(d, 1e-12)); at the corner itself it is 0. Reported as background_known.
struct Triplet {
  static constexpr RowNeeds needs{.partner = true};
  double margin;
  TripletDistance kind;

  static Triplet of(const LossOptions& options, const LossShape&) {
    return {options.triplet.margin, options.triplet.distance};
  }

  struct Distance {
    double value;
    double slope;  ///< by D^2
  };
  KOKKOS_FUNCTION Distance distance(const double squared) const {
    if (kind == TripletDistance::squared) return {squared, 1.0};
    const double d = Kokkos::sqrt(squared);
    return {d, 0.5 / (d > 1e-12 ? d : 1e-12)};
  }

  KOKKOS_FUNCTION RowTerm known(const Row& row) const {
    if (!row.has_partner) return {};
    const Distance positive = distance(row.target_output);
    const double excess = (positive.value - distance(row.partner_output).value) + margin;
    if (excess <= 0) return {};
    return {.value = excess, .target = positive.slope};
  }
  KOKKOS_FUNCTION RowTerm background(const Row& row) const {
    if (!row.has_partner) return {};
    const Distance negative = distance(row.target_output);
    const double excess = (distance(row.partner_output).value - negative.value) + margin;
    if (excess <= 0) return {};
    return {.target = -negative.slope};
  }
};

}  // namespace

LossEntry triplet_loss() {
  return {.name = "triplet",
          .title = "Triplet",
          .fits = LossEntry::Fits::distances,
          .pairs_rows = true,
          .lambda = 5,
          .formula = "max(0, d(known, mu_y) - d(background, mu_y) + m)",
          .make = row_loss_of<Triplet>()};
}

}  // namespace bcr::losses
