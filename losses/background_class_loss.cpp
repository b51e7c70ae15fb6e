#include "losses/background_class_loss.hpp"

#include "losses/row_loss.hpp"
#include "src/core/instances.hpp"

namespace bcr::losses {
namespace {

struct BackgroundClass {
  static constexpr RowNeeds needs{.background_softmax = true, .extra_class = true};
  KOKKOS_FUNCTION RowTerm known(const Row&) const { return {}; }
  KOKKOS_FUNCTION RowTerm background(const Row& row) const {
    return {.value = row.cross_entropy(), .softmax = 1.0, .target = -1.0};
  }
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_background_class_loss(const LossOptions& options, const LossShape& shape) {
  return std::make_unique<RowLoss<Exec, T, BackgroundClass>>("background_class", options, shape, BackgroundClass{}, 1);
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<Loss<Exec, T>> make_background_class_loss<Exec, T>(const LossOptions&, const LossShape&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::losses
