#ifndef BCR_TESTS_SUPPORT_TOLERANCE_HPP
#define BCR_TESTS_SUPPORT_TOLERANCE_HPP

#include <limits>

// Every tolerance of the tests, by name. Exact results are compared with EXPECT_EQ and need no entry.
namespace bcr::test::tolerance {

inline constexpr double eps = std::numeric_limits<double>::epsilon();

/// Quotients of counts summed in another order than the reference sums them; values in [0, 1], absolute.
inline constexpr double metric_sum = 64 * eps;
/// Another program's metric, stored with 17 digits; scikit-learn adds rounded recalls and rates; absolute.
inline constexpr double metric_of_peer = 512 * eps;
/// Numbers that are only published with seven decimals.
inline constexpr double seven_digits = 5e-8;
/// Shape and scale of a Weibull fit, relative: the error of the logarithms of the sample, magnified by the solution.
inline constexpr double weibull_fit = 64 * eps;
/// Distribution function of a shifted tail: the relative error of a shape of some thousands; absolute.
inline constexpr double weibull_tail = 256 * eps;
/// How near SciPy's own fit comes to the root of the likelihood equations, seen with 40 digits.
inline constexpr double scipy_weibull = 0x1p-20;
/// Probabilities of Openmax: a tail's error and a softmax; absolute.
inline constexpr double openmax = 4096 * eps;
/// Directions of largest variance by iteration, good enough for the eye; absolute.
inline constexpr double principal_axis = 1e-3;
/// cos(pi x), in units in the last place of the result.
inline constexpr double cos_pi_ulp = 1.1;
/// A trajectory of 25 steps of another implementation in double, relative to the size of the parameters.
inline constexpr double optimiser_trajectory = 256 * eps;

/// Gradients, statistics and losses of a batch in double, from its shards against the whole of it, relative to the largest.
inline constexpr double sharded_gradient = 1e-12;

/// Gradients in fast mode on several ranks against one, relative to the largest: a library may choose another order.
inline constexpr double sharded_gradient_fast = 1e-4;

/// Squared distances and their gradients, relative to the sum of the magnitudes of `terms` terms: a rounded difference, a
/// chain of 128 fma and the joined chunks, to first order in the unit roundoff.
template <class T>
constexpr double distance(const int terms) {
  const int chunks = terms / 128 + 1;
  return (131 + chunks) * 0.5 * static_cast<double>(std::numeric_limits<T>::epsilon());
}
/// A convolution by a library against the strict one, both in T, relative to the sum of the magnitudes of `terms` terms:
/// each side rounds every product and every sum, in its own order; Winograd's transforms add a few.
template <class T>
constexpr double convolution_of_library(const int terms) {
  return (2 * terms + 16) * 0.5 * static_cast<double>(std::numeric_limits<T>::epsilon());
}
/// Sums of products of factors of bf16 in float against double, relative to the sum of the magnitudes of `terms` terms: the
/// products are exact, every sum rounds once, or twice where a processor rounds within a pair; transforms add a few.
constexpr double sum_of_bf16_products(const int terms) {
  return (terms + 16) * 0.5 * static_cast<double>(std::numeric_limits<float>::epsilon());
}
/// Features of a network of a dozen layers with products of bf16 against float, relative to their length: factors that are
/// rounded to 2^-9, through Winograd's transforms and from layer to layer.
inline constexpr double bf16_network = 0.05;
/// How much farther its gradients may be from those of float than those of float with images moved by 2^-8 are.
inline constexpr double bf16_gradient = 4;
/// The loss of a small training with them, relative, after some tens of steps.
inline constexpr double bf16_loss = 0.05;
/// Sums in the fixed order, relative to the sum of magnitudes: 32 terms a lane, five joins and the tree of chunks.
inline constexpr double fixed_sum = 64 * 0.5 * eps;
/// Softmax and log-sum-exp computed in double and rounded to T, relative; logits within 100 of the largest.
template <class T>
constexpr double softmax() {
  return static_cast<double>(std::numeric_limits<T>::epsilon()) + 64 * eps;
}
/// exp, log, log1p, expm1, erfc, sigmoid and tanh of kernels/math, double and float, in units in the last place of the result.
inline constexpr double strict_math_ulp = 1.0;
inline constexpr double strict_math_float_ulp = 1.0;
/// Their mean error: 0.25 is what correct rounding gives.
inline constexpr double strict_math_mean_ulp = 0.27;

/// Central differences of a quadratic function of some hundreds, in steps of 1/4; absolute.
inline constexpr double quadratic_difference = 16384 * eps;
/// Central differences of fourth order through batch norm, in steps of 2^-10, of sums of some tens; absolute.
inline constexpr double batch_norm_difference = 1e-9;
/// Central differences of pooled pixels below 2^-12 in steps of 2^-24; absolute.
inline constexpr double pool_difference = 1e-9;
/// log P, log Q and the hazards: relative, or absolute below 1. Peak allowed anywhere, and what is reached.
inline constexpr double gamma = 1e-13;
inline constexpr double gamma_goal = 1e-14;
/// The float version, in units in the last place.
inline constexpr double gamma_float_ulp = 2;
/// Largest error of winograd_backward_weights over that of convolution_backward_weights.
inline constexpr double winograd_weights_ratio = 3;
/// Numbers that are only published with ten digits, relative.
inline constexpr double ten_digits = 1e-9;
/// Rounding error of a central difference of a gamma logarithm, before division by the step.
inline constexpr double gamma_slope = 64 * eps;

/// Matrix products of entries below 1 in any order of summation: absolute, before the root of the number of terms.
template <class T>
constexpr double matrix_product() {
  return 8 * static_cast<double>(std::numeric_limits<T>::epsilon());
}
/// Losses, their gradients and scores, computed in double and rounded to T: relative to the value, or to the largest
/// entry of a gradient.
template <class T>
constexpr double loss() {
  return static_cast<double>(std::numeric_limits<T>::epsilon()) + 512 * eps;
}
/// What a gradient below the normal numbers of T may be off by.
template <class T>
constexpr double denormal() {
  return static_cast<double>(std::numeric_limits<T>::min());
}
/// A head and a loss in T against another implementation in double: sums of some hundred products, relative to the
/// largest entry.
template <class T>
constexpr double head_and_loss() {
  return 64 * static_cast<double>(std::numeric_limits<T>::epsilon()) + 2048 * eps;
}
/// Of PyTorch 2.15's gammainc in double: at a = 64, x = 70 it is 8e-10 from Boost's 50 digits, where ours agrees to 1e-16.
inline constexpr double torch_gammainc = 5e-9;
/// Central differences of fourth order of a loss, relative to the largest entry of its gradient.
inline constexpr double loss_difference = 2e-8;
/// The same at one distance alone, relative, besides the rounding error of the values.
inline constexpr double loss_tail_difference = 1e-6;
/// The slopes of the class-inclusion loss against their limits for large n, absolute.
inline constexpr double inclusion_pull_limit = 0.01;
inline constexpr double inclusion_push_limit = 0.015;
/// Float as written against the log domain, where neither P_I nor 1 - P_I is near its end; relative.
inline constexpr double naive_inclusion = 2e-3;

/// Features and gradients of a small network against plain loops in double, relative to the largest entry of a tensor:
/// a dozen layers, each a few hundred products summed in another order, amplified by batch norm over few pixels.
template <class T>
inline constexpr double network = 4096 * static_cast<double>(std::numeric_limits<T>::epsilon());

/// Central differences of a network in double: the step, and the error it leaves relative to 1 + slope.
inline constexpr double difference_step = 1e-6;
inline constexpr double difference_quotient = 1e-6;

/// States and gradients of a few steps of gated recurrent units in double, against plain loops and PyTorch; absolute.
inline constexpr double gru = 1e-12;
/// Central differences of fourth order of such states in steps of 2^-8; absolute.
inline constexpr double gru_difference = 1e-9;

/// A training step of WRN-10-1 and ten of them against PyTorch in double, relative to the largest entry of a tensor, or
/// to trace_floor if that is larger. Ten steps amplify the rounding of the first, as batch norm sees few pixels.
inline constexpr double trace_floor = 1.0 / 64;
template <class T>
inline constexpr double trace_first_step = 16384 * static_cast<double>(std::numeric_limits<T>::epsilon());
template <class T>
inline constexpr double trace_ten_steps = (sizeof(T) == 8 ? 0x1p16 : 0x1p12) * static_cast<double>(std::numeric_limits<T>::epsilon());

/// Ratios and sums of a few numbers of size 1 or less; absolute.
inline constexpr double few_operations = 64 * eps;
/// Sums of binomial probabilities from logarithms of factorials of up to 40; absolute.
inline constexpr double log_gamma_sum = 1e4 * eps;
/// Coefficients below 1 of a line fitted to a few exact points; absolute.
inline constexpr double line_fit = 1e6 * eps;
/// Messages to 2^20 ranks against their limit; relative.
inline constexpr double many_ranks = 1e-5;

}  // namespace bcr::test::tolerance

#endif
