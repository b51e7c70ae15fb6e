#ifndef BCR_SRC_METRICS_OPENMAX_HPP
#define BCR_SRC_METRICS_OPENMAX_HPP

#include "src/metrics/weibull.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bcr::metrics {

/// Activations of a linear classifier, one row of `classes` logits per sample.
template <class T>
struct LogitRows {
  std::span<const T> values;
  std::int32_t classes = 0;

  std::size_t size() const { return values.size() / static_cast<std::size_t>(classes); }
  std::span<const T> row(const std::size_t i) const {
    const auto width = static_cast<std::size_t>(classes);
    return values.subspan(i * width, width);
  }
};

enum class OpenmaxDistance {
  euclidean,  ///< |v - mean|, the usual choice for ten to a hundred classes
  eucos       ///< |v - mean| / 200 + (1 - cosine of the angle), the choice of the original for a thousand classes
};

struct OpenmaxSettings {
  std::size_t tail_size = 20;
  std::int32_t alpha = 10;
  OpenmaxDistance distance = OpenmaxDistance::euclidean;
};

/// Openmax (Bendale and Boult, CVPR 2016). Each class keeps the mean activation vector of its correctly classified
/// training samples and a Weibull model of the largest distances to it. A test row v then loses, from its alpha highest
/// activations, the share that the models ascribe to outliers: with rank i = 1 for the highest,
///   omega_c = (alpha + 1 - i) / alpha,  v'_c = v_c (1 - omega_c w_c),  v'_unknown = sum_c v_c omega_c w_c,
/// and the probabilities are the softmax over (v'_1 ... v'_C, v'_unknown). A class without a usable tail has w = 0.
class Openmax {
 public:
  /// ShapeError if sizes do not fit or a label is no class, NumericsError if a logit is not finite.
  template <class T>
  static Openmax fit(const LogitRows<T>& logits, std::span<const std::int32_t> labels, const OpenmaxSettings& settings);

  std::int32_t classes() const { return classes_; }
  std::span<const double> mean_activation(std::int32_t c) const;
  const WeibullTail& tail(std::int32_t c) const { return tails_[static_cast<std::size_t>(c)]; }

  /// C + 1 probabilities per row, "unknown" last; dst has rows (C + 1) entries.
  template <class T>
  void probabilities(const LogitRows<T>& logits, std::span<double> dst) const;

  /// 1 - P(unknown) per row: higher = more known.
  template <class T>
  void scores(const LogitRows<T>& logits, std::span<double> dst) const;

  /// log sum_c exp(v_c (1 - w_c)) per row, without ranks and alpha: the simpler score of counterfactual open sets.
  template <class T>
  void collapsed_scores(const LogitRows<T>& logits, std::span<double> dst) const;

 private:
  double distance_to(std::int32_t c, std::span<const double> v) const;
  double outlier_weight(std::int32_t c, std::span<const double> v) const;
  void recalibrate(std::span<double> v, std::vector<std::int32_t>& order) const;
  template <class T, class RowFunction>
  void for_each_row(const LogitRows<T>& logits, const RowFunction& function) const;

  std::int32_t classes_ = 0;
  OpenmaxSettings settings_;
  std::vector<double> means_;  ///< [classes, classes]
  std::vector<WeibullTail> tails_;
};

}  // namespace bcr::metrics

#endif
