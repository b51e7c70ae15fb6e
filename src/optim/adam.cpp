#include "src/optim/adam.hpp"

#include "src/core/instances.hpp"

#include <string>
#include <utility>

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

}  // namespace

template <class Exec, class T>
Adam<Exec, T>::Adam(ParameterLayout layout, const AdamSettings& settings)
    : Optimizer<Exec, T>(std::move(layout), {"first_moment", "second_moment"}), settings_(settings) {
  const bool fits = settings.beta2 >= 0 && settings.beta2 < 1 && settings.epsilon > 0;
  if (!fits) {
    throw ConfigError("Adam", "beta2 in [0, 1) and epsilon > 0",
                      std::to_string(settings.beta2) + ", " + std::to_string(settings.epsilon));
  }
}

template <class Exec, class T>
void Adam<Exec, T>::update(const Exec& exec, const double rate, ConstVector<T, Exec> diff_params,
                           Vector<T, Exec> params) {
  const std::uint64_t t = this->steps_done();
  const double correction2 = 1 - power(settings_.beta2, t);
  kernels::PerGroup<kernels::AdamCoefficients<T>> coefficients{};
  for (std::size_t i = 0; i < this->layout().groups.size(); ++i) {
    const ParameterGroup& group = this->layout().groups[i];
    const double correction1 = 1 - power(group.momentum, t);
    coefficients[i] = {static_cast<T>(rate * group.rate_multiplier / correction1),
                       static_cast<T>(group.weight_decay),
                       static_cast<T>(1 - group.momentum),
                       static_cast<T>(settings_.beta2),
                       static_cast<T>(1 - settings_.beta2),
                       static_cast<T>(Kokkos::sqrt(correction2)),
                       static_cast<T>(settings_.epsilon)};
  }
  kernels::adam_step<Exec, T>(exec, this->chunks(), coefficients, diff_params, this->buffer(0), this->buffer(1),
                              params);
}

#define BCR_INSTANCE(Exec, T) template class Adam<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::optim
