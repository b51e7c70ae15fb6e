#ifndef BCR_KERNELS_GAUSSIAN_GAUSSIAN_ELEMENT_HPP
#define BCR_KERNELS_GAUSSIAN_GAUSSIAN_ELEMENT_HPP

#include "kernels/fill/fill_random.hpp"
#include "kernels/math/exp.hpp"
#include "kernels/math/log.hpp"
#include "kernels/math/log1p.hpp"
#include "kernels/math/sigmoid.hpp"
#include "kernels/norm/dropout_mask.hpp"

#include <cstdint>

namespace bcr::kernels {

/// One coordinate of a Gaussian as a network gives it: its mean, and a number u of any size for its variance
/// v = log(1 + e^u) + 1e-8.
struct GaussianElement {
  double mean = 0;
  double raw = 0;

  KOKKOS_FUNCTION double variance() const {
    return Kokkos::fmax(raw, 0.0) + strict::log1p(strict::exp(-Kokkos::fabs(raw))) + 1e-8;
  }
  /// dv / du.
  KOKKOS_FUNCTION double slope() const { return strict::sigmoid(raw); }
};

/// Standard normal numbers of a layer: a function of (seed, stream, step, element of the whole batch). Not drawn: 0.
struct GaussianNoise {
  bool drawn = false;
  std::uint64_t seed = 0;
  Stream stream{""};
  std::uint32_t step = 0;
  ElementNumbers numbers{};

  KOKKOS_FUNCTION double operator()(const std::uint64_t element) const {
    if (!drawn) return 0;
    Random random(seed, stream, step, numbers(element));
    return draw_normal(random);
  }
};

/// The product of two Gaussians, N(m_u, a) from below and N(m_d, b) from above (ladder VAE, Sonderby et al. 2016): with
/// s = a + b and d = m_u - m_d,
///   q_m = (m_u b + m_d a) / s,   q_v = a b / s,
///   KL(N(q_m, q_v) | N(m_d, b)) = 1/2 (log(s / a) + a / s - 1 + b d^2 / s^2).
/// Nothing is divided by a difference, and no precision is formed: finite for all finite inputs.
struct JoinedGaussian {
  double a, b, s, d;
  double mean;
  double variance;

  KOKKOS_FUNCTION JoinedGaussian(const GaussianElement& up, const GaussianElement& down)
      : a(up.variance()),
        b(down.variance()),
        s(a + b),
        d(up.mean - down.mean),
        mean((up.mean * b + down.mean * a) / s),
        variance(a * b / s) {}

  KOKKOS_FUNCTION double divergence() const {
    const double apart = d / s;
    return 0.5 * (strict::log(s / a) + a / s - 1 + b * apart * apart);
  }

  /// dL / d(m_u, a, m_d, b) from those by q_m, q_v and the divergence.
  struct Gradient {
    double up_mean, a, down_mean, b;
  };
  KOKKOS_FUNCTION Gradient gradient(const double by_mean, const double by_variance, const double by_divergence) const {
    const double apart = d / s;
    const double share_a = a / s;
    const double share_b = b / s;
    const double pull = by_divergence * share_b * apart;
    const double half = 0.5 * by_divergence;
    return {.up_mean = by_mean * share_b + pull,
            .a = -by_mean * share_b * apart + by_variance * share_b * share_b +
                 half * (-share_b / a + (share_b - 2 * share_b * apart * d) / s),
            .down_mean = by_mean * share_a - pull,
            .b = by_mean * share_a * apart + by_variance * share_a * share_a +
                 half * (share_b + apart * d * (share_a - share_b)) / s};
  }
};

}  // namespace bcr::kernels

#endif
