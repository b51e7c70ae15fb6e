#include "kernels/math/exp.hpp"
#include "kernels/math/expm1.hpp"
#include "kernels/math/log.hpp"
#include "kernels/math/log1p.hpp"
#include "losses/row_loss.hpp"

namespace bcr::losses {
namespace {

/// Hypersphere classifier (Ruff et al. 2020) with an anchor per class, for squared distances: with
/// h(u) = sqrt(u + 1) - 1 and P_H = exp(-h),
///   known rows:      h(D_y^2),                     slope 1 / (2 sqrt(D_y^2 + 1))
///   background rows: -log(1 - P_H(min_c D_c^2)),   slope -1 / (2 sqrt(D^2 + 1) expm1(h))
/// Below D^2 = floor n a background row has the value and the slope of that distance.
struct Hypersphere {
  static constexpr RowNeeds needs{};
  double floor;

  static Hypersphere of(const LossOptions& options, const LossShape& shape) {
    return {options.hsc.floor * shape.features};
  }

  /// sqrt(u + 1) - 1 without cancellation, given the root.
  KOKKOS_FUNCTION static double pseudo_huber(const double u, const double root) { return u / (root + 1.0); }

  /// log(1 - e^x) for x < 0 to full relative precision: near 0 the difference is small, far below the logarithm is.
  KOKKOS_FUNCTION static double log_one_minus_exp(const double x) {
    constexpr double log_half = -0x1.62e42fefa39efp-1;
    return x > log_half ? kernels::strict::log(-kernels::strict::expm1(x))
                        : kernels::strict::log1p(-kernels::strict::exp(x));
  }

  KOKKOS_FUNCTION RowTerm known(const Row& row) const {
    const double root = Kokkos::sqrt(row.target_output + 1.0);
    return {.value = pseudo_huber(row.target_output, root), .target = 0.5 / root};
  }
  KOKKOS_FUNCTION RowTerm background(const Row& row) const {
    const double u = row.best < floor ? floor : row.best;
    const double root = Kokkos::sqrt(u + 1.0);
    const double h = pseudo_huber(u, root);
    return {.value = -log_one_minus_exp(-h), .best = -0.5 / (root * kernels::strict::expm1(h))};
  }
};

}  // namespace

LossEntry hsc_loss() {
  return {.name = "hsc",
          .title = "Hypersphere classifier",
          .fits = LossEntry::Fits::distances,
          .formula = "sqrt(D_y^2 + 1) - 1; background -log(1 - exp(1 - sqrt(D^2 + 1)))",
          .make = row_loss_of<Hypersphere>()};
}

}  // namespace bcr::losses
