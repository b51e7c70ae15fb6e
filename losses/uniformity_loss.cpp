#include "losses/uniformity_loss.hpp"

#include "losses/row_loss.hpp"
#include "losses/uniform_term.hpp"
#include "src/core/instances.hpp"

namespace bcr::losses {
namespace {

struct Uniformity {
  static constexpr RowNeeds needs{.background_softmax = true, .mean_output = true};
  KOKKOS_FUNCTION RowTerm known(const Row&) const { return {}; }
  KOKKOS_FUNCTION RowTerm background(const Row& row) const { return uniform_term(row); }
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_uniformity_loss(const LossOptions& options, const LossShape& shape) {
  const char* const name = options.name == "entropic" ? "entropic" : "uniformity";
  return std::make_unique<RowLoss<Exec, T, Uniformity>>(name, options, shape, Uniformity{});
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<Loss<Exec, T>> make_uniformity_loss<Exec, T>(const LossOptions&, const LossShape&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::losses
