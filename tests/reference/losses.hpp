#ifndef BCR_TESTS_REFERENCE_LOSSES_HPP
#define BCR_TESTS_REFERENCE_LOSSES_HPP

#include "losses/loss.hpp"
#include "losses/options.hpp"
#include "tests/support/host_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

// Losses as the papers write them: serial, long double, standard mathematics. Nothing here is shared with losses/.
namespace bcr::reference {

using Real = long double;

/// log P, log Q and the hazards of the gamma law with shape a at x: series left of a + 1, Lentz's fraction right of it.
struct GammaTails {
  Real log_p, log_q, hazard_p, hazard_q;
};

inline GammaTails gamma_tails(const Real a, const Real x) {
  const Real log_e = a * std::log(x) - x - std::lgamma(a);
  GammaTails t{};
  if (x < a + 1) {
    Real sum = 1, term = 1;
    for (int k = 1; term > 1e-22L * sum; ++k) sum += term *= x / (a + k);
    t.log_p = log_e - std::log(a) + std::log(sum);
    t.log_q = std::log1p(-std::exp(t.log_p));
  } else {
    Real b = x + 1 - a, c = 1e300L, d = 1 / b, f = d;
    for (int i = 1; i < 10000; ++i) {
      const Real numerator = -i * (i - a);
      b += 2;
      d = 1 / (numerator * d + b);
      c = b + numerator / c;
      f *= c * d;
      if (std::abs(c * d - 1) < 1e-20L) break;
    }
    t.log_q = log_e + std::log(f);
    t.log_p = std::log1p(-std::exp(t.log_q));
  }
  t.hazard_p = std::exp(log_e - std::log(x) - t.log_p);
  t.hazard_q = std::exp(log_e - std::log(x) - t.log_q);
  return t;
}

struct LossResult {
  Real classification = 0;
  Real background_known = 0;
  Real background_unknown = 0;
  Real total = 0;
  test::HostMatrix<double> diff_outputs;
  std::vector<double> diff_features_factor;
};

/// One batch, on the host.
struct LossBatch {
  losses::HeadOutputs outputs_are;
  int classes;
  test::HostMatrix<double> outputs;
  test::HostMatrix<double> features;
  std::vector<std::int32_t> labels;

  int rows() const { return outputs.rows; }
  int known() const { return static_cast<int>(labels.size()); }
};

namespace impl {

struct Evaluator {
  const losses::LossOptions& options;
  const LossBatch& batch;
  Real lambda;
  std::vector<std::vector<Real>> diff;
  std::vector<Real> factor;
  std::vector<Real> log_sums{};
  Real entropy = 0, bg_known = 0, bg_unknown = 0;

  Real out(const int i, const int c) const { return batch.outputs(i, c); }
  Real scale() const {
    return batch.outputs_are == losses::HeadOutputs::squared_distances ? -Real(options.logit_scale) : Real(1);
  }
  int columns() const { return batch.outputs.columns; }
  int nearest(const int i) const {
    int best = 0;
    for (int c = 1; c < batch.classes; ++c)
      if (out(i, c) < out(i, best)) best = c;
    return best;
  }
  Real log_sum_exp(const int i) const { return log_sums[i]; }
  Real find_log_sum_exp(const int i) const {
    Real peak = scale() * out(i, 0), sum = 0;
    for (int c = 0; c < columns(); ++c) peak = std::max(peak, scale() * out(i, c));
    for (int c = 0; c < columns(); ++c) sum += std::exp(scale() * out(i, c) - peak);
    return peak + std::log(sum);
  }
  Real softmax(const int i, const int c) const { return std::exp(scale() * out(i, c) - log_sum_exp(i)); }
  Real norm(const int i) const {
    Real sum = 0;
    for (int d = 0; d < batch.features.columns; ++d) sum += Real(batch.features(i, d)) * batch.features(i, d);
    return std::sqrt(sum);
  }

  /// Adds weight (LSE - z_target) and its gradient.
  Real cross_entropy(const int i, const int target, const Real weight) {
    for (int c = 0; c < columns(); ++c) diff[i][c] += weight * scale() * (softmax(i, c) - (c == target ? 1 : 0));
    return log_sum_exp(i) - scale() * out(i, target);
  }
  Real uniform(const int i, const Real weight) {
    Real mean = 0;
    for (int c = 0; c < columns(); ++c) mean += scale() * out(i, c) / columns();
    for (int c = 0; c < columns(); ++c) diff[i][c] += weight * scale() * (softmax(i, c) - Real(1) / columns());
    return log_sum_exp(i) - mean;
  }
  Real energy_hinge(const int i, const Real excess, const Real sign, const Real weight) {
    if (excess <= 0) return 0;
    for (int c = 0; c < columns(); ++c) diff[i][c] += weight * sign * 2 * excess * softmax(i, c);
    return excess * excess;
  }

  Real known_term(const int i, const Real weight) {
    const int y = batch.labels[i];
    const std::string& name = options.name;
    if (name == "class_inclusion" && options.inclusion.terms != losses::InclusionTerms::unknown && nearest(i) == y) {
      const GammaTails t = gamma_tails(Real(batch.features.columns) / 2, out(i, y) / 2);
      diff[i][y] += weight * t.hazard_q / 2;
      return -t.log_q;
    }
    if (name == "hsc") {
      diff[i][y] += weight / (2 * std::sqrt(out(i, y) + 1));
      return std::sqrt(out(i, y) + 1) - 1;
    }
    if (name == "objectosphere") {
      const Real gap = std::max(Real(0), options.objectosphere.xi - norm(i));
      if (norm(i) > 0) factor[i] += -2 * weight * Real(options.objectosphere.ring_weight) * gap / norm(i);
      return options.objectosphere.ring_weight * gap * gap;
    }
    if (name == "energy") return energy_hinge(i, -log_sum_exp(i) - options.energy.m_in, -1, weight);
    return 0;
  }

  Real background_term(const int i, const Real weight) {
    const std::string& name = options.name;
    const int c = nearest(i);
    if (name == "class_inclusion" && options.inclusion.terms != losses::InclusionTerms::known) {
      const GammaTails t = gamma_tails(Real(batch.features.columns) / 2, out(i, c) / 2);
      diff[i][c] -= weight * t.hazard_p / 2;
      return -t.log_p;
    }
    if (name == "hsc") {
      const Real root = std::sqrt(out(i, c) + 1);
      diff[i][c] -= weight / (2 * root * std::expm1(root - 1));
      return -std::log(-std::expm1(1 - root));
    }
    if (name == "uniformity" || name == "entropic") return uniform(i, weight);
    if (name == "objectosphere") {
      factor[i] += 2 * weight * Real(options.objectosphere.ring_weight);
      return uniform(i, weight) + options.objectosphere.ring_weight * norm(i) * norm(i);
    }
    if (name == "energy") return energy_hinge(i, options.energy.m_out + log_sum_exp(i), 1, weight);
    if (name == "background_class") return cross_entropy(i, batch.classes, weight);
    return 0;
  }

  void triplets() {
    const int pairs = std::min(batch.known(), batch.rows() - batch.known());
    const bool squared = options.triplet.distance == losses::TripletDistance::squared;
    for (int i = 0; i < pairs; ++i) {
      const int y = batch.labels[i], j = batch.known() + i;
      const Real p = squared ? out(i, y) : std::sqrt(out(i, y));
      const Real n = squared ? out(j, y) : std::sqrt(out(j, y));
      const Real excess = p - n + options.triplet.margin;
      if (excess <= 0) continue;
      bg_known += excess / pairs;
      diff[i][y] += lambda / pairs * (squared ? Real(1) : 1 / (2 * std::max(p, Real(1e-12))));
      diff[j][y] -= lambda / pairs * (squared ? Real(1) : 1 / (2 * std::max(n, Real(1e-12))));
    }
  }
};

}  // namespace impl

inline LossResult evaluate_loss(const losses::LossOptions& options, const LossBatch& batch, const double lambda) {
  const int known = batch.known(), background = batch.rows() - known;
  impl::Evaluator e{options, batch, lambda, {}, std::vector<Real>(batch.rows())};
  e.diff.assign(batch.rows(), std::vector<Real>(batch.outputs.columns));
  for (int i = 0; i < batch.rows(); ++i) e.log_sums.push_back(e.find_log_sum_exp(i));
  for (int i = 0; i < known; ++i) {
    e.entropy += e.cross_entropy(i, batch.labels[i], Real(1) / known) / known;
    e.bg_known += e.known_term(i, e.lambda / known) / known;
  }
  for (int i = known; i < batch.rows(); ++i)
    e.bg_unknown += e.background_term(i, e.lambda / background) / background;
  if (options.name == "triplet") e.triplets();

  LossResult result{e.entropy, e.bg_known, e.bg_unknown, e.entropy + e.lambda * (e.bg_known + e.bg_unknown),
                    test::HostMatrix<double>(batch.rows(), batch.outputs.columns), {}};
  for (int i = 0; i < batch.rows(); ++i) {
    result.diff_features_factor.push_back(static_cast<double>(e.factor[i]));
    for (int c = 0; c < batch.outputs.columns; ++c) result.diff_outputs(i, c) = static_cast<double>(e.diff[i][c]);
  }
  return result;
}

}  // namespace bcr::reference

#endif
