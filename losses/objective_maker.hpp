#ifndef BCR_LOSSES_OBJECTIVE_MAKER_HPP
#define BCR_LOSSES_OBJECTIVE_MAKER_HPP

#include "losses/registry.hpp"

#include <memory>

namespace bcr::losses {

namespace impl {

template <template <class, class> class Class>
struct MakeObjective {
  template <class Exec, class T>
  static std::unique_ptr<Objective<Exec, T>> make(const LossEntry&, const LossOptions& options,
                                                  const LossShape& shape) {
    return std::make_unique<Class<Exec, T>>(options, shape);
  }
};

}  // namespace impl

/// The factory of an objective that is a class of its own, as row_loss_of() is that of a formula of rows.
template <template <class, class> class Class>
PerInstance<ObjectiveMaker> objective_of() {
  return PerInstance<ObjectiveMaker>::of<impl::MakeObjective<Class>>();
}

/// The classification loss of an objective that has more terms: no background term, all else as the options say.
template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_classification(LossOptions options, const LossShape& shape) {
  options.name = "none";
  return make_loss<Exec, T>(options, shape);
}

}  // namespace bcr::losses

#endif
