#ifndef BCR_KERNELS_NORM_BATCH_NORM_COEFFICIENTS_HPP
#define BCR_KERNELS_NORM_BATCH_NORM_COEFFICIENTS_HPP

#include "src/core/views.hpp"

namespace bcr::kernels {

/// What batch norm does to a channel: xhat = (x - mean) inverse_std,  y = fma(scale, x, shift).         Each [C].
template <class Exec, class T>
struct BatchNormCoefficients {
  Vector<T, Exec> mean;
  Vector<T, Exec> inverse_std;
  Vector<T, Exec> scale;
  Vector<T, Exec> shift;
};

/// Learned numbers of a layer; each [C].
template <class Exec, class T>
struct BatchNormParameters {
  ConstVector<T, Exec> gamma;
  ConstVector<T, Exec> beta;
};

/// Estimates for inference; each [C].
template <class Exec, class T>
struct RunningStatistics {
  Vector<T, Exec> mean;
  Vector<T, Exec> variance;
};

/// From the sums of `count` rows (batch_norm_sums; of all shards of the batch, added):
///
///   mean = sum x / count           variance = max(0, sum x^2 / count - mean^2)
///   inverse_std = 1 / sqrt(variance + epsilon)      scale = gamma inverse_std      shift = beta - mean scale
///   running.mean     = (1 - momentum) running.mean + momentum mean
///   running.variance = (1 - momentum) running.variance + momentum variance count / (count - 1)
///
/// in double, rounded to T at the end; shift is taken of the rounded scale, so that x = mean gives beta. With a count
/// of 1 the running variance takes the variance itself. sums [2, C]; count > 0. Without running statistics (empty
/// Views) they are left alone: a shard of a batch speaks for itself only, see below. Asynchronous on exec.
template <class Exec, class T>
void batch_norm_coefficients(const Exec& exec, ConstMatrix<double, Exec> sums, double count,
                             const BatchNormParameters<Exec, T>& parameters, double epsilon, double momentum,
                             const RunningStatistics<Exec, T>& running,
                             const BatchNormCoefficients<Exec, T>& coefficients);

/// The last two lines above, from the sums of all shards.
template <class Exec, class T>
void batch_norm_running_statistics(const Exec& exec, ConstMatrix<double, Exec> sums, double count, double momentum,
                                   const RunningStatistics<Exec, T>& running);

/// The same coefficients from the running statistics, as inference uses them.
template <class Exec, class T>
void batch_norm_inference_coefficients(const Exec& exec, const RunningStatistics<Exec, T>& running,
                                       const BatchNormParameters<Exec, T>& parameters, double epsilon,
                                       const BatchNormCoefficients<Exec, T>& coefficients);

}  // namespace bcr::kernels

#endif
