#include "src/optim/sgd.hpp"

#include "src/core/instances.hpp"

#include <utility>

namespace bcr::optim {

template <class Exec, class T>
Sgd<Exec, T>::Sgd(ParameterLayout layout, const kernels::MomentumRule rule)
    : Optimizer<Exec, T>(std::move(layout), {"velocity"}), rule_(rule) {}

template <class Exec, class T>
void Sgd<Exec, T>::update(const Exec& exec, const double rate, ConstVector<T, Exec> diff_params,
                          Vector<T, Exec> params) {
  kernels::PerGroup<kernels::SgdCoefficients<T>> coefficients{};
  for (std::size_t i = 0; i < this->layout().groups.size(); ++i) {
    const ParameterGroup& group = this->layout().groups[i];
    coefficients[i] = {static_cast<T>(rate * group.rate_multiplier), static_cast<T>(group.weight_decay),
                       static_cast<T>(group.momentum)};
  }
  kernels::sgd_step<Exec, T>(exec, this->chunks(), coefficients, rule_, diff_params, this->buffer(0), params);
}

#define BCR_INSTANCE(Exec, T) template class Sgd<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::optim
