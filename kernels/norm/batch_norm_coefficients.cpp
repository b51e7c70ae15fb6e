#include "kernels/norm/batch_norm_coefficients.hpp"

#include "kernels/norm/batch_norm_backward.hpp"
#include "src/core/instances.hpp"

#include <string>
#include <string_view>

namespace bcr::kernels {
namespace {

/// Coefficients of channel c from its mean and variance, in double.
template <class Exec, class T>
KOKKOS_FUNCTION void set_coefficients(const BatchNormCoefficients<Exec, T>& coefficients, const int c,
                                      const double mean, const double variance, const double gamma, const double beta,
                                      const double epsilon) {
  const double inverse_std = 1 / Kokkos::sqrt(variance + epsilon);
  const T scale = static_cast<T>(gamma * inverse_std);
  coefficients.mean(c) = static_cast<T>(mean);
  coefficients.inverse_std(c) = static_cast<T>(inverse_std);
  coefficients.scale(c) = scale;
  coefficients.shift(c) = static_cast<T>(Kokkos::fma(-mean, double(scale), beta));
}

/// Mean and variance of a channel from its sums.
struct Moments {
  double mean;
  double variance;
};
KOKKOS_INLINE_FUNCTION Moments moments(const double sum, const double sum_of_squares, const double count) {
  const double mean = sum / count;
  const double raw = Kokkos::fma(-mean, mean, sum_of_squares / count);
  return {mean, raw < 0 ? 0.0 : raw};
}

/// The running statistics take in the moments of a batch.
template <class Exec, class T>
KOKKOS_FUNCTION void renew(const RunningStatistics<Exec, T>& running, const int c, const Moments& found,
                           const double momentum, const double unbiased) {
  const double kept_mean = (1 - momentum) * double(running.mean(c));
  const double kept_variance = (1 - momentum) * double(running.variance(c));
  const double sample_variance = unbiased * found.variance;
  running.mean(c) = static_cast<T>(Kokkos::fma(momentum, found.mean, kept_mean));
  running.variance(c) = static_cast<T>(Kokkos::fma(momentum, sample_variance, kept_variance));
}

double unbiased_factor(const double count) {
  return count > 1 ? count / (count - 1) : 1;
}

// One functor per kernel; each is called with a channel.

template <class Exec, class T>
struct RenewStatistics {
  ConstMatrix<double, Exec> sums;
  double count, momentum, unbiased;
  RunningStatistics<Exec, T> running;

  KOKKOS_FUNCTION void operator()(const int c) const {
    renew(running, c, moments(sums(0, c), sums(1, c), count), momentum, unbiased);
  }
};

template <class Exec, class T>
struct TrainingCoefficients {
  ConstMatrix<double, Exec> sums;
  double count, momentum, unbiased, epsilon;
  BatchNormParameters<Exec, T> parameters;
  RunningStatistics<Exec, T> running;  ///< or empty
  BatchNormCoefficients<Exec, T> coefficients;

  KOKKOS_FUNCTION void operator()(const int c) const {
    const Moments found = moments(sums(0, c), sums(1, c), count);
    set_coefficients(coefficients, c, found.mean, found.variance, double(parameters.gamma(c)),
                     double(parameters.beta(c)), epsilon);
    if (running.mean.data() != nullptr) renew(running, c, found, momentum, unbiased);
  }
};

template <class Exec, class T>
struct InferenceCoefficients {
  RunningStatistics<Exec, T> running;
  BatchNormParameters<Exec, T> parameters;
  double epsilon;
  BatchNormCoefficients<Exec, T> coefficients;

  KOKKOS_FUNCTION void operator()(const int c) const {
    set_coefficients(coefficients, c, double(running.mean(c)), double(running.variance(c)), double(parameters.gamma(c)),
                     double(parameters.beta(c)), epsilon);
  }
};

template <class Exec, class T>
struct ParameterGradients {
  ConstMatrix<double, Exec> sums;
  Vector<T, Exec> diff_gamma;
  Vector<T, Exec> diff_beta;

  KOKKOS_FUNCTION void operator()(const int c) const {
    diff_beta(c) = static_cast<T>(sums(0, c));
    diff_gamma(c) = static_cast<T>(sums(1, c));
  }
};

template <class Exec, class T>
struct BackwardTerms {
  ConstMatrix<double, Exec> sums;
  double count, factor;
  BatchNormCoefficients<Exec, T> coefficients;
  Matrix<T, Exec> terms;

  KOKKOS_FUNCTION void operator()(const int c) const {
    const double scale = coefficients.scale(c);
    terms(0, c) = static_cast<T>(scale * factor);
    terms(1, c) = static_cast<T>(-scale * double(coefficients.inverse_std(c)) * sums(1, c) / count);
    terms(2, c) = static_cast<T>(-scale * sums(0, c) / count);
  }
};

template <class Exec, class T>
void require_channels(const std::string_view operation, const std::size_t channels,
                      const BatchNormParameters<Exec, T>& parameters, const RunningStatistics<Exec, T>& running,
                      const BatchNormCoefficients<Exec, T>& coefficients) {
  require_shape(operation, "gamma", parameters.gamma, {channels});
  require_shape(operation, "beta", parameters.beta, {channels});
  if (running.mean.data() != nullptr || running.variance.data() != nullptr) {
    require_shape(operation, "running.mean", running.mean, {channels});
    require_shape(operation, "running.variance", running.variance, {channels});
  }
  require_shape(operation, "mean", coefficients.mean, {channels});
  require_shape(operation, "inverse_std", coefficients.inverse_std, {channels});
  require_shape(operation, "scale", coefficients.scale, {channels});
  require_shape(operation, "shift", coefficients.shift, {channels});
}

void require_count(const std::string_view operation, const double count) {
  if (count > 0) return;
  throw ShapeError(operation, "a count above 0", std::to_string(count));
}

}  // namespace

template <class Exec, class T>
void batch_norm_coefficients(const Exec& exec, ConstMatrix<double, Exec> sums, const double count,
                             const BatchNormParameters<Exec, T>& parameters, const double epsilon,
                             const double momentum, const RunningStatistics<Exec, T>& running,
                             const BatchNormCoefficients<Exec, T>& coefficients) {
  require_count("batch_norm_coefficients", count);
  require_shape("batch_norm_coefficients", "sums", sums, {2, coefficients.mean.extent(0)});
  require_channels("batch_norm_coefficients", sums.extent(1), parameters, running, coefficients);
  Kokkos::parallel_for("bcr::kernels::batch_norm_coefficients", Kokkos::RangePolicy<Exec>(exec, 0, sums.extent_int(1)),
                       TrainingCoefficients<Exec, T>{sums, count, momentum, unbiased_factor(count), epsilon, parameters,
                                                     running, coefficients});
}

template <class Exec, class T>
void batch_norm_running_statistics(const Exec& exec, ConstMatrix<double, Exec> sums, const double count,
                                   const double momentum, const RunningStatistics<Exec, T>& running) {
  require_count("batch_norm_running_statistics", count);
  require_shape("batch_norm_running_statistics", "sums", sums, {2, running.mean.extent(0)});
  require_shape("batch_norm_running_statistics", "running.variance", running.variance, {sums.extent(1)});
  Kokkos::parallel_for("bcr::kernels::batch_norm_running_statistics",
                       Kokkos::RangePolicy<Exec>(exec, 0, sums.extent_int(1)),
                       RenewStatistics<Exec, T>{sums, count, momentum, unbiased_factor(count), running});
}

template <class Exec, class T>
void batch_norm_inference_coefficients(const Exec& exec, const RunningStatistics<Exec, T>& running,
                                       const BatchNormParameters<Exec, T>& parameters, const double epsilon,
                                       const BatchNormCoefficients<Exec, T>& coefficients) {
  require_channels("batch_norm_inference_coefficients", running.mean.extent(0), parameters, running, coefficients);
  Kokkos::parallel_for("bcr::kernels::batch_norm_inference_coefficients",
                       Kokkos::RangePolicy<Exec>(exec, 0, running.mean.extent_int(0)),
                       InferenceCoefficients<Exec, T>{running, parameters, epsilon, coefficients});
}

template <class Exec, class T>
void batch_norm_parameter_gradients(const Exec& exec, ConstMatrix<double, Exec> sums, Vector<T, Exec> diff_gamma,
                                    Vector<T, Exec> diff_beta) {
  require_shape("batch_norm_parameter_gradients", "sums", sums, {2, diff_gamma.extent(0)});
  require_shape("batch_norm_parameter_gradients", "diff_beta", diff_beta, {sums.extent(1)});
  Kokkos::parallel_for("bcr::kernels::batch_norm_parameter_gradients",
                       Kokkos::RangePolicy<Exec>(exec, 0, sums.extent_int(1)),
                       ParameterGradients<Exec, T>{sums, diff_gamma, diff_beta});
}

template <class Exec, class T>
void batch_norm_backward_terms(const Exec& exec, ConstMatrix<double, Exec> sums, const double count,
                               const BatchNormCoefficients<Exec, T>& coefficients, const Dropout& dropout,
                               Matrix<T, Exec> terms) {
  require_count("batch_norm_backward_terms", count);
  require_shape("batch_norm_backward_terms", "terms", terms, {3, sums.extent(1)});
  require_shape("batch_norm_backward_terms", "sums", sums, {2, coefficients.scale.extent(0)});
  require_shape("batch_norm_backward_terms", "inverse_std", coefficients.inverse_std, {sums.extent(1)});
  Kokkos::parallel_for("bcr::kernels::batch_norm_backward_terms",
                       Kokkos::RangePolicy<Exec>(exec, 0, sums.extent_int(1)),
                       BackwardTerms<Exec, T>{sums, count, dropout.factor(), coefficients, terms});
}

#define BCR_INSTANCE(Exec, T)                                                                                    \
  template void batch_norm_coefficients<Exec, T>(                                                                \
      const Exec&, ConstMatrix<double, Exec>, double, const BatchNormParameters<Exec, T>&, double, double,       \
      const RunningStatistics<Exec, T>&, const BatchNormCoefficients<Exec, T>&);                                 \
  template void batch_norm_running_statistics<Exec, T>(const Exec&, ConstMatrix<double, Exec>, double, double,   \
                                                       const RunningStatistics<Exec, T>&);                       \
  template void batch_norm_inference_coefficients<Exec, T>(const Exec&, const RunningStatistics<Exec, T>&,       \
                                                           const BatchNormParameters<Exec, T>&, double,          \
                                                           const BatchNormCoefficients<Exec, T>&);               \
  template void batch_norm_parameter_gradients<Exec, T>(const Exec&, ConstMatrix<double, Exec>, Vector<T, Exec>, \
                                                        Vector<T, Exec>);                                        \
  template void batch_norm_backward_terms<Exec, T>(const Exec&, ConstMatrix<double, Exec>, double,               \
                                                   const BatchNormCoefficients<Exec, T>&, const Dropout&,        \
                                                   Matrix<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
