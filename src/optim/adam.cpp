#include "kernels/optim/update_steps.hpp"
#include "src/optim/registry.hpp"

namespace bcr::optim {
namespace {

/// x^n by repeated squaring. The products are fused with nothing, so that no compiler fuses them with what follows.
double power(const double x, const std::uint64_t n) {
  double result = 1;
  double square = x;
  for (std::uint64_t rest = n; rest > 0; rest /= 2) {
    if (rest % 2 == 1) result = Kokkos::fma(result, square, 0.0);
    square *= square;
  }
  return result;
}

/// Adam (Kingma and Ba 2015), the arithmetic of kernels::adam_step; beta1 is the momentum of a group and weight decay
/// is added to the gradient. Buffers: "first_moment", "second_moment".
template <class Exec, class T>
class Adam final : public Optimizer<Exec, T> {
 public:
  explicit Adam(ParameterLayout layout) : Optimizer<Exec, T>(std::move(layout), {"first_moment", "second_moment"}) {}

  std::string_view name() const override { return "adam"; }

 private:
  static constexpr double beta2 = 0.999;
  static constexpr double epsilon = 1e-8;

  void update(const Exec& exec, const double rate, ConstVector<T, Exec> diff_params, Vector<T, Exec> params) override {
    const std::uint64_t t = this->steps_done();
    const double correction2 = 1 - power(beta2, t);
    kernels::PerGroup<kernels::AdamCoefficients<T>> coefficients{};
    for (std::size_t i = 0; i < this->layout().groups.size(); ++i) {
      const ParameterGroup& group = this->layout().groups[i];
      const double correction1 = 1 - power(group.momentum, t);
      coefficients[i] = {static_cast<T>(rate * group.rate_multiplier / correction1),
                         static_cast<T>(group.weight_decay),
                         static_cast<T>(1 - group.momentum),
                         static_cast<T>(beta2),
                         static_cast<T>(1 - beta2),
                         static_cast<T>(Kokkos::sqrt(correction2)),
                         static_cast<T>(epsilon)};
    }
    kernels::adam_step<Exec, T>(exec, this->chunks(), coefficients, diff_params, this->buffer(0), this->buffer(1),
                                params);
  }
};

struct MakeAdam {
  template <class Exec, class T>
  static std::unique_ptr<Optimizer<Exec, T>> make(ParameterLayout layout) {
    return std::make_unique<Adam<Exec, T>>(std::move(layout));
  }
};

}  // namespace

OptimizerEntry adam() {
  return {.name = "adam",
          .explanation = "beta2 = 0.999, epsilon = 1e-8",
          .make = PerInstance<OptimizerMaker>::of<MakeAdam>()};
}

}  // namespace bcr::optim
