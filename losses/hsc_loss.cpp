#include "losses/hsc_loss.hpp"

#include "kernels/math/exp.hpp"
#include "kernels/math/expm1.hpp"
#include "kernels/math/log.hpp"
#include "kernels/math/log1p.hpp"
#include "losses/row_loss.hpp"
#include "src/core/instances.hpp"

namespace bcr::losses {
namespace {

struct Hypersphere {
  static constexpr RowNeeds needs{};
  double floor;

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

template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_hsc_loss(const LossOptions& options, const LossShape& shape) {
  const Hypersphere term{options.hsc.floor * shape.features};
  return std::make_unique<RowLoss<Exec, T, Hypersphere>>("hsc", options, shape, term);
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<Loss<Exec, T>> make_hsc_loss<Exec, T>(const LossOptions&, const LossShape&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::losses
