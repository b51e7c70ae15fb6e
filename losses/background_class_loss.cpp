#include "losses/row_loss.hpp"

namespace bcr::losses {
namespace {

/// One more class for all background samples: C + 1 logits, background rows have -log softmax(z)_{C+1}, gradient
/// p_c - 1[c = C + 1].
struct BackgroundClass {
  static constexpr RowNeeds needs{.background_softmax = true, .extra_class = true};
  static BackgroundClass of(const LossOptions&, const LossShape&) { return {}; }
  KOKKOS_FUNCTION RowTerm known(const Row&) const { return {}; }
  KOKKOS_FUNCTION RowTerm background(const Row& row) const {
    return {.value = row.cross_entropy(), .softmax = 1.0, .target = -1.0};
  }
};

}  // namespace

LossEntry background_class_loss() {
  return {.name = "background_class",
          .title = "Background class",
          .fits = LossEntry::Fits::logits,
          .extra_columns = 1,
          .formula = "background: -log softmax(z)_{C+1}",
          .make = row_loss_of<BackgroundClass>()};
}

}  // namespace bcr::losses
