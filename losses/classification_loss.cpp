#include "losses/classification_loss.hpp"

#include "losses/row_loss.hpp"
#include "src/core/instances.hpp"

namespace bcr::losses {
namespace {

struct NoTerm {
  static constexpr RowNeeds needs{};
  KOKKOS_FUNCTION RowTerm known(const Row&) const { return {}; }
  KOKKOS_FUNCTION RowTerm background(const Row&) const { return {}; }
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_classification_loss(const LossOptions& options, const LossShape& shape) {
  return std::make_unique<RowLoss<Exec, T, NoTerm>>("none", options, shape, NoTerm{});
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<Loss<Exec, T>> make_classification_loss<Exec, T>(const LossOptions&, const LossShape&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::losses
