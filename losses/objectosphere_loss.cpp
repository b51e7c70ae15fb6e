#include "losses/objectosphere_loss.hpp"

#include "losses/row_loss.hpp"
#include "losses/uniform_term.hpp"
#include "src/core/instances.hpp"

namespace bcr::losses {
namespace {

struct Objectosphere {
  static constexpr RowNeeds needs{.background_softmax = true, .mean_output = true, .feature_norm = true};
  double xi;
  double weight;

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

template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_objectosphere_loss(const LossOptions& options, const LossShape& shape) {
  const Objectosphere term{options.objectosphere.xi, options.objectosphere.ring_weight};
  return std::make_unique<RowLoss<Exec, T, Objectosphere>>("objectosphere", options, shape, term);
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<Loss<Exec, T>> make_objectosphere_loss<Exec, T>(const LossOptions&, const LossShape&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::losses
