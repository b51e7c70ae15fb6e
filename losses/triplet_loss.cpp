#include "losses/triplet_loss.hpp"

#include "losses/row_loss.hpp"
#include "src/core/instances.hpp"

namespace bcr::losses {
namespace {

struct Triplet {
  static constexpr RowNeeds needs{.partner = true};
  double margin;
  TripletDistance kind;

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

template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_triplet_loss(const LossOptions& options, const LossShape& shape) {
  const Triplet term{options.triplet.margin, options.triplet.distance};
  return std::make_unique<RowLoss<Exec, T, Triplet>>("triplet", options, shape, term);
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<Loss<Exec, T>> make_triplet_loss<Exec, T>(const LossOptions&, const LossShape&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::losses
