#include "kernels/optim/update_steps.hpp"
#include "src/optim/registry.hpp"

namespace bcr::optim {
namespace {

using kernels::MomentumRule;

/// Stochastic gradient descent with momentum and weight decay, the arithmetic of kernels::sgd_step. Buffer: "velocity".
template <class Exec, class T>
class Sgd final : public Optimizer<Exec, T> {
 public:
  Sgd(ParameterLayout layout, const MomentumRule rule)
      : Optimizer<Exec, T>(std::move(layout), {"velocity"}), rule_(rule) {}

  std::string_view name() const override { return rule_ == MomentumRule::nesterov ? "sgd" : "sgd-classical"; }

 private:
  void update(const Exec& exec, const double rate, ConstVector<T, Exec> diff_params, Vector<T, Exec> params) override {
    kernels::PerGroup<kernels::SgdCoefficients<T>> coefficients{};
    for (std::size_t i = 0; i < this->layout().groups.size(); ++i) {
      const ParameterGroup& group = this->layout().groups[i];
      coefficients[i] = {static_cast<T>(rate * group.rate_multiplier), static_cast<T>(group.weight_decay),
                         static_cast<T>(group.momentum)};
    }
    kernels::sgd_step<Exec, T>(exec, this->chunks(), coefficients, rule_, diff_params, this->buffer(0), params);
  }

  MomentumRule rule_;
};

template <MomentumRule rule>
struct MakeSgd {
  template <class Exec, class T>
  static std::unique_ptr<Optimizer<Exec, T>> make(ParameterLayout layout) {
    return std::make_unique<Sgd<Exec, T>>(std::move(layout), rule);
  }
};

}  // namespace

OptimizerEntry sgd() {
  return {.name = "sgd",
          .explanation = "momentum by Nesterov",
          .make = PerInstance<OptimizerMaker>::of<MakeSgd<MomentumRule::nesterov>>()};
}

OptimizerEntry sgd_classical() {
  return {.name = "sgd-classical",
          .explanation = "momentum as Polyak wrote it",
          .make = PerInstance<OptimizerMaker>::of<MakeSgd<MomentumRule::classical>>()};
}

}  // namespace bcr::optim
