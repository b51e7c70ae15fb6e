#include "losses/energy_loss.hpp"

#include "losses/row_loss.hpp"
#include "src/core/instances.hpp"

namespace bcr::losses {
namespace {

struct Energy {
  static constexpr RowNeeds needs{.background_softmax = true};
  double m_in;
  double m_out;

  KOKKOS_FUNCTION RowTerm known(const Row& row) const {
    const double excess = -row.log_sum_exp() - m_in;
    if (excess <= 0) return {};
    return {.value = excess * excess, .softmax = -2.0 * excess};
  }
  KOKKOS_FUNCTION RowTerm background(const Row& row) const {
    const double excess = m_out + row.log_sum_exp();
    if (excess <= 0) return {};
    return {.value = excess * excess, .softmax = 2.0 * excess};
  }
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_energy_loss(const LossOptions& options, const LossShape& shape) {
  const Energy term{options.energy.m_in, options.energy.m_out};
  return std::make_unique<RowLoss<Exec, T, Energy>>("energy", options, shape, term);
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<Loss<Exec, T>> make_energy_loss<Exec, T>(const LossOptions&, const LossShape&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::losses
