#ifndef BCR_TESTS_REFERENCE_OPTIMISER_STEPS_HPP
#define BCR_TESTS_REFERENCE_OPTIMISER_STEPS_HPP

#include <cmath>

namespace bcr::reference {

/// One parameter under gradient descent with momentum, the operations in the order that defines the bits.
template <class T>
struct SgdParameter {
  T value = 0;
  T velocity = 0;

  void step(const T gradient, const T rate, const T weight_decay, const T momentum, const bool nesterov) {
    const T d = std::fma(weight_decay, value, gradient);
    velocity = std::fma(momentum, velocity, d);
    value = std::fma(-rate, nesterov ? std::fma(momentum, velocity, d) : velocity, value);
  }
};

/// One parameter under Adam as the paper writes it (Kingma and Ba 2015, algorithm 1), in double.
struct AdamParameter {
  double value = 0;
  double m = 0;
  double v = 0;

  void step(const double gradient, const double rate, const double beta1, const double beta2, const double epsilon,
            const int t) {
    m = beta1 * m + (1 - beta1) * gradient;
    v = beta2 * v + (1 - beta2) * gradient * gradient;
    const double m_hat = m / (1 - std::pow(beta1, t));
    const double v_hat = v / (1 - std::pow(beta2, t));
    value -= rate * m_hat / (std::sqrt(v_hat) + epsilon);
  }
};

}  // namespace bcr::reference

#endif
