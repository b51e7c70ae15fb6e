#ifndef BCR_SRC_OPTIM_SGD_HPP
#define BCR_SRC_OPTIM_SGD_HPP

#include "kernels/optim/update_steps.hpp"
#include "src/optim/optimizer.hpp"

namespace bcr::optim {

/// Stochastic gradient descent with momentum and weight decay, the arithmetic of kernels::sgd_step. Buffer: "velocity".
template <class Exec, class T>
class Sgd final : public Optimizer<Exec, T> {
 public:
  explicit Sgd(ParameterLayout layout, kernels::MomentumRule rule = kernels::MomentumRule::nesterov);

  std::string_view name() const override {
    return rule_ == kernels::MomentumRule::nesterov ? "sgd" : "sgd-classical";
  }

 private:
  void update(const Exec& exec, double rate, ConstVector<T, Exec> diff_params, Vector<T, Exec> params) override;

  kernels::MomentumRule rule_;
};

}  // namespace bcr::optim

#endif
