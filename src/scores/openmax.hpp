#ifndef BCR_SRC_SCORES_OPENMAX_HPP
#define BCR_SRC_SCORES_OPENMAX_HPP

#include "src/scores/options.hpp"
#include "src/scores/weibull.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace bcr::scores {

/// Activations of a linear classifier, one row of `classes` logits per sample, and behind them `extra` numbers that count
/// in distances only.
template <class T>
struct LogitRows {
  std::span<const T> values;
  std::int32_t classes = 0;
  std::int32_t extra = 0;

  std::size_t width() const { return static_cast<std::size_t>(classes) + static_cast<std::size_t>(extra); }
  std::size_t size() const { return values.size() / width(); }
  std::span<const T> row(const std::size_t i) const { return values.subspan(i * width(), width()); }
};

/// Openmax (Bendale and Boult, CVPR 2016). Each class keeps the mean activation vector of its correctly classified
/// training samples and a Weibull model of the largest distances to it. A test row v then loses, from its alpha highest
/// activations, the share that the models ascribe to outliers: with rank i = 1 for the highest,
///   omega_c = (alpha + 1 - i) / alpha,  v'_c = v_c (1 - omega_c w_c),  v'_unknown = sum_c v_c omega_c w_c,
/// and the probabilities are the softmax over (v'_1 ... v'_C, v'_unknown). A class without a usable tail has w = 0. Means
/// and distances are those of whole rows, extra numbers included; all else looks at the logits.
class Openmax {
 public:
  /// ShapeError if sizes do not fit or a label is no class, NumericsError if a logit is not finite.
  template <class T>
  static Openmax fit(const LogitRows<T>& logits, std::span<const std::int32_t> labels, const OpenmaxSettings& settings);

  /// The same in two passes over the samples, whichever way they are cut into blocks: means first, then tails.
  Openmax(std::int32_t classes, const OpenmaxSettings& settings, std::int32_t extra = 0);
  template <class T>
  void add_to_means(const LogitRows<T>& logits, std::span<const std::int32_t> labels);
  void finish_means();
  template <class T>
  void add_to_tails(const LogitRows<T>& logits, std::span<const std::int32_t> labels);
  void finish_tails();

  /// With the means [C, C + extra] and tails of an earlier fit.
  Openmax(std::int32_t classes, const OpenmaxSettings& settings, std::vector<double> means,
          std::vector<WeibullTail> tails);

  std::int32_t classes() const { return classes_; }
  /// Numbers of a row: logits and extra ones.
  std::size_t width() const { return width_; }
  std::span<const double> mean_activation(std::int32_t c) const;
  const WeibullTail& tail(std::int32_t c) const { return tails_[static_cast<std::size_t>(c)]; }

  /// C + 1 probabilities per row, "unknown" last; dst has rows (C + 1) entries.
  template <class T>
  void probabilities(const LogitRows<T>& logits, std::span<double> dst) const;

  /// 1 - P(unknown) per row: higher = more known.
  template <class T>
  void scores(const LogitRows<T>& logits, std::span<double> dst) const;

  /// The class of the largest probability per row, C for "unknown"; and C where no known class has epsilon.
  template <class T>
  void decisions(const LogitRows<T>& logits, std::span<std::int32_t> dst) const;

  /// log sum_c exp(v_c (1 - w_c)) per row, without ranks and alpha: the simpler score of counterfactual open sets.
  template <class T>
  void collapsed_scores(const LogitRows<T>& logits, std::span<double> dst) const;

 private:
  double distance_to(std::int32_t c, std::span<const double> v) const;
  double outlier_weight(std::int32_t c, std::span<const double> v) const;
  void recalibrate(std::span<const double> row, std::span<double> v, std::vector<std::int32_t>& order) const;
  template <class T>
  void check_fit(std::string_view operation, const LogitRows<T>& rows) const;
  template <class T, class RowFunction>
  void for_each_row(const LogitRows<T>& logits, const RowFunction& function) const;

  std::int32_t classes_ = 0;
  std::size_t width_ = 0;
  OpenmaxSettings settings_;
  std::vector<double> means_;  ///< [classes, width]
  std::vector<WeibullTail> tails_;
  std::vector<std::size_t> members_;            ///< of a class that are classified right, while means are summed
  std::vector<std::vector<double>> distances_;  ///< of each class, the largest so far, while tails are collected
};

}  // namespace bcr::scores

#endif
