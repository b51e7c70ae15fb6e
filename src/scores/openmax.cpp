#include "src/scores/openmax.hpp"

#include "kernels/math/exp.hpp"
#include "kernels/math/log.hpp"
#include "src/core/error.hpp"
#include "src/core/finite.hpp"
#include "src/core/host_tasks.hpp"
#include "src/scores/fitted_scores.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>

namespace bcr::scores {

namespace {

namespace strict = kernels::strict;

constexpr std::size_t rows_per_task = 256;

template <class T>
void check_rows(const std::string_view operation, const LogitRows<T>& logits) {
  require<ShapeError>(logits.classes > 0, operation, "at least one class", std::to_string(logits.classes));
  const std::size_t width = logits.width();
  if (logits.values.size() % width != 0) {
    throw ShapeError(operation, "whole rows of " + std::to_string(width),
                     std::to_string(logits.values.size()) + " logits");
  }
  for (std::size_t i = 0; i < logits.values.size(); ++i) {
    if (is_finite(logits.values[i])) continue;
    throw NumericsError(operation, "finite logits", "another at row " + std::to_string(i / width));
  }
}

void check_size(const std::string_view operation, const std::size_t expected, const std::size_t received) {
  if (expected == received) return;
  throw ShapeError(operation, std::to_string(expected) + " entries", std::to_string(received));
}

template <class Row>
std::int32_t argmax(const Row& row) {
  return static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) - row.begin());
}

/// Sum of exponentials of v - greatest, in order.
double exponential_sum(const std::span<double> v, const double greatest) {
  double sum = 0;
  for (double& value : v) sum += value = strict::exp(value - greatest);
  return sum;
}

/// Calls function(i, c) for every row i of true class c that is classified right.
template <class T, class Function>
void for_each_right_row(const std::string_view operation, const LogitRows<T>& logits,
                        const std::span<const std::int32_t> labels, const Function& function) {
  check_rows(operation, logits);
  check_size(operation, logits.size(), labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] < 0 || labels[i] >= logits.classes) {
      throw ShapeError(operation, "labels in [0, " + std::to_string(logits.classes) + ")", std::to_string(labels[i]));
    }
    if (argmax(logits.row(i).first(static_cast<std::size_t>(logits.classes))) == labels[i]) function(i, static_cast<std::size_t>(labels[i]));
  }
}

}  // namespace

Openmax::Openmax(const std::int32_t classes, const OpenmaxSettings& settings, const std::int32_t extra)
    : classes_(classes),
      width_(static_cast<std::size_t>(classes) + static_cast<std::size_t>(extra)),
      settings_(settings),
      means_(static_cast<std::size_t>(classes) * width_, 0.0),
      members_(static_cast<std::size_t>(classes), 0),
      distances_(static_cast<std::size_t>(classes)) {
  require<ConfigError>(settings.alpha >= 1, "Openmax::fit", "alpha of at least 1", std::to_string(settings.alpha));
  settings_.alpha = std::min(settings.alpha, classes);
}

Openmax::Openmax(const std::int32_t classes, const OpenmaxSettings& settings, std::vector<double> means,
                 std::vector<WeibullTail> tails)
    : Openmax(classes, settings) {
  means_ = std::move(means);
  width_ = means_.size() / static_cast<std::size_t>(classes);
  tails_ = std::move(tails);
}

template <class T>
void Openmax::add_to_means(const LogitRows<T>& logits, const std::span<const std::int32_t> labels) {
  check_fit("Openmax::fit", logits);
  for_each_right_row("Openmax::fit", logits, labels, [&](const std::size_t i, const std::size_t c) {
    ++members_[c];
    for (std::size_t j = 0; j < width_; ++j) means_[c * width_ + j] += static_cast<double>(logits.row(i)[j]);
  });
}

void Openmax::finish_means() {
  for (std::size_t i = 0; i < means_.size(); ++i) {
    if (members_[i / width_] > 0) means_[i] /= static_cast<double>(members_[i / width_]);
  }
}

template <class T>
void Openmax::add_to_tails(const LogitRows<T>& logits, const std::span<const std::int32_t> labels) {
  check_fit("Openmax::fit", logits);
  std::vector<double> row(width_);
  for_each_right_row("Openmax::fit", logits, labels, [&](const std::size_t i, const std::size_t c) {
    std::copy_n(logits.row(i).begin(), row.size(), row.begin());
    std::vector<double>& kept = distances_[c];
    kept.push_back(distance_to(static_cast<std::int32_t>(c), row));
    if (kept.size() < 4 * settings_.tail_size) return;
    std::nth_element(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(settings_.tail_size), kept.end(),
                     std::greater<>());
    kept.resize(settings_.tail_size);
  });
}

void Openmax::finish_tails() {
  tails_.clear();
  for (std::vector<double>& distances : distances_) {
    tails_.push_back(WeibullTail::fit_high(distances, settings_.tail_size));
    distances = {};
  }
}

template <class T>
Openmax Openmax::fit(const LogitRows<T>& logits, const std::span<const std::int32_t> labels,
                     const OpenmaxSettings& settings) {
  check_rows("Openmax::fit", logits);
  Openmax openmax(logits.classes, settings, logits.extra);
  openmax.add_to_means(logits, labels);
  openmax.finish_means();
  openmax.add_to_tails(logits, labels);
  openmax.finish_tails();
  return openmax;
}

std::span<const double> Openmax::mean_activation(const std::int32_t c) const {
  return std::span<const double>(means_).subspan(static_cast<std::size_t>(c) * width_, width_);
}

double Openmax::distance_to(const std::int32_t c, const std::span<const double> v) const {
  const std::span<const double> mean = mean_activation(c);
  double squares = 0;
  double product = 0;
  double v_squares = 0;
  double mean_squares = 0;
  for (std::size_t j = 0; j < v.size(); ++j) {
    const double difference = v[j] - mean[j];
    squares = Kokkos::fma(difference, difference, squares);
    product = Kokkos::fma(v[j], mean[j], product);
    v_squares = Kokkos::fma(v[j], v[j], v_squares);
    mean_squares = Kokkos::fma(mean[j], mean[j], mean_squares);
  }
  const double euclidean = Kokkos::sqrt(squares);
  if (settings_.distance == OpenmaxDistance::euclidean) return euclidean;
  const double norms = Kokkos::sqrt(v_squares) * Kokkos::sqrt(mean_squares);
  const double cosine = norms > 0 ? product / norms : 0;  // a zero vector is at a right angle to all
  return euclidean / 200 + (1 - cosine);
}

double Openmax::outlier_weight(const std::int32_t c, const std::span<const double> v) const {
  const WeibullTail& model = tail(c);
  return model.fitted() ? model.cdf(distance_to(c, v)) : 0.0;
}

template <class T>
void Openmax::check_fit(const std::string_view operation, const LogitRows<T>& rows) const {
  check_rows(operation, rows);
  check_size(std::string(operation) + " classes", static_cast<std::size_t>(classes_),
             static_cast<std::size_t>(rows.classes));
  check_size(std::string(operation) + " rows", width_, rows.width());
}

/// v has C + 1 entries, the logits of the row and a place for "unknown"; it becomes v'.
void Openmax::recalibrate(const std::span<const double> row, const std::span<double> v,
                          std::vector<std::int32_t>& order) const {
  const auto width = static_cast<std::size_t>(classes_);
  order.resize(width);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](const std::int32_t a, const std::int32_t b) {
    return row[static_cast<std::size_t>(a)] > row[static_cast<std::size_t>(b)];
  });
  double moved = 0;
  for (std::int32_t rank = 0; rank < settings_.alpha; ++rank) {
    const std::int32_t c = order[static_cast<std::size_t>(rank)];
    const double omega = static_cast<double>(settings_.alpha - rank) / settings_.alpha;
    const double share = omega * outlier_weight(c, row);
    double& value = v[static_cast<std::size_t>(c)];
    moved = Kokkos::fma(value, share, moved);
    value = Kokkos::fma(-value, share, value);
  }
  v[width] = moved;
}

template <class T, class RowFunction>
void Openmax::for_each_row(const LogitRows<T>& logits, const RowFunction& function) const {
  const auto outputs = static_cast<std::size_t>(classes_);
  for_each_task("bcr::scores::openmax", parts_in(logits.size(), rows_per_task), [&](const std::size_t task) {
    const IndexRange part = part_of(logits.size(), rows_per_task, task);
    std::vector<double> row(width_), v(outputs + 1);
    std::vector<std::int32_t> order;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      std::copy_n(logits.row(i).begin(), width_, row.begin());
      std::copy_n(row.begin(), outputs, v.begin());
      v[outputs] = 0;
      function(i, std::span<const double>(row), std::span<double>(v), order);
    }
  });
}

template <class T>
void Openmax::probabilities(const LogitRows<T>& logits, const std::span<double> dst) const {
  check_fit("Openmax::probabilities", logits);
  const auto outputs = static_cast<std::size_t>(classes_) + 1;
  check_size("Openmax::probabilities dst", logits.size() * outputs, dst.size());
  for_each_row(logits, [&](const std::size_t i, const std::span<const double> row, const std::span<double> v,
                           std::vector<std::int32_t>& order) {
    recalibrate(row, v, order);
    const double total = exponential_sum(v, *std::max_element(v.begin(), v.end()));
    for (std::size_t j = 0; j < outputs; ++j) dst[i * outputs + j] = v[j] / total;
  });
}

template <class T>
void Openmax::scores(const LogitRows<T>& logits, const std::span<double> dst) const {
  check_fit("Openmax::scores", logits);
  check_size("Openmax::scores dst", logits.size(), dst.size());
  const auto width = static_cast<std::size_t>(classes_);
  for_each_row(logits, [&](const std::size_t i, const std::span<const double> row, const std::span<double> v,
                           std::vector<std::int32_t>& order) {
    recalibrate(row, v, order);
    const double greatest = *std::max_element(v.begin(), v.end());
    const double unknown = strict::exp(v[width] - greatest);
    const double known = exponential_sum(v.first(width), greatest);
    dst[i] = known / (known + unknown);  // 1 - P(unknown) without the cancellation
  });
}

template <class T>
void Openmax::decisions(const LogitRows<T>& logits, const std::span<std::int32_t> dst) const {
  const auto outputs = static_cast<std::size_t>(classes_) + 1;
  std::vector<double> probability(logits.size() * outputs);
  probabilities(logits, probability);
  check_size("Openmax::decisions dst", logits.size(), dst.size());
  for (std::size_t i = 0; i < dst.size(); ++i) {
    const double* const row = probability.data() + i * outputs;
    const double* const best = std::max_element(row, row + classes_);
    const bool unknown = row[classes_] > *best || *best < settings_.epsilon;
    dst[i] = unknown ? classes_ : static_cast<std::int32_t>(best - row);
  }
}

template <class T>
void Openmax::collapsed_scores(const LogitRows<T>& logits, const std::span<double> dst) const {
  check_fit("Openmax::collapsed_scores", logits);
  check_size("Openmax::collapsed_scores dst", logits.size(), dst.size());
  const auto width = static_cast<std::size_t>(classes_);
  for_each_row(logits, [&](const std::size_t i, const std::span<const double> row, const std::span<double> v,
                           std::vector<std::int32_t>&) {
    std::vector<double> kept(v.begin(), v.begin() + classes_);
    for (std::size_t c = 0; c < width; ++c) {
      kept[c] = Kokkos::fma(-v[c], outlier_weight(static_cast<std::int32_t>(c), row), v[c]);
    }
    const double greatest = *std::max_element(kept.begin(), kept.end());
    dst[i] = greatest + strict::log(exponential_sum(kept, greatest));
  });
}

template Openmax Openmax::fit<float>(const LogitRows<float>&, std::span<const std::int32_t>, const OpenmaxSettings&);
template Openmax Openmax::fit<double>(const LogitRows<double>&, std::span<const std::int32_t>, const OpenmaxSettings&);
template void Openmax::probabilities<float>(const LogitRows<float>&, std::span<double>) const;
template void Openmax::probabilities<double>(const LogitRows<double>&, std::span<double>) const;
template void Openmax::scores<float>(const LogitRows<float>&, std::span<double>) const;
template void Openmax::scores<double>(const LogitRows<double>&, std::span<double>) const;
template void Openmax::collapsed_scores<float>(const LogitRows<float>&, std::span<double>) const;
template void Openmax::collapsed_scores<double>(const LogitRows<double>&, std::span<double>) const;

template void Openmax::decisions<float>(const LogitRows<float>&, std::span<std::int32_t>) const;
template void Openmax::decisions<double>(const LogitRows<double>&, std::span<std::int32_t>) const;

namespace {

/// Openmax on the logits, and for CROSR on the logits and the latent vector behind them. Columns beyond the known classes
/// (a background class) take no part.
class OpenmaxScore final : public FittedScore {
 public:
  OpenmaxScore(const HeadModel& head, const OpenmaxSettings& settings, const std::size_t latents,
               const LatentScale scale)
      : classes_(static_cast<std::int32_t>(head.classes)),
        latents_(latents),
        settings_(settings),
        measures_(latents > 0 && scale == LatentScale::deviation),
        openmax_(classes_, settings, static_cast<std::int32_t>(latents)),
        sums_(measures_ ? 2 * latents : 0, 0.0),
        scale_(latents, 1.0) {}

  int passes() const override { return measures_ ? 3 : 2; }
  bool reads_features() const override { return false; }
  void add(const int pass, const SampleRows& rows) override {
    const int step = measures_ ? pass - 1 : pass;
    if (step < 0) return add_moments(rows);
    const std::vector<float> values = activations(rows);
    const LogitRows<float> packed = packed_rows(values);
    step == 0 ? openmax_.add_to_means(packed, rows.label) : openmax_.add_to_tails(packed, rows.label);
  }
  void finish(const int pass) override {
    const int step = measures_ ? pass - 1 : pass;
    if (step < 0) return finish_moments();
    step == 0 ? openmax_.finish_means() : openmax_.finish_tails();
  }
  std::vector<std::string> remarks() const override {
    std::int32_t without = 0;
    for (std::int32_t c = 0; c < classes_; ++c) without += openmax_.tail(c).fitted() ? 0 : 1;
    if (without == 0) return {};
    return {std::to_string(without) + " of " + std::to_string(classes_) +
            " classes have no tail to fit: too few training images are right"};
  }

  void score(const SampleRows& rows, const std::span<double> dst) const override {
    const std::vector<float> values = activations(rows);
    openmax_.scores(packed_rows(values), dst);
  }
  bool decides() const override { return true; }
  void decide(const SampleRows& rows, const std::span<std::int32_t> dst) const override {
    const std::vector<float> values = activations(rows);
    openmax_.decisions(packed_rows(values), dst);
  }

  FittedState state() const override {
    const auto C = static_cast<std::size_t>(classes_);
    std::vector<double> means, tails;
    for (std::int32_t c = 0; c < classes_; ++c) {
      const auto mean = openmax_.mean_activation(c);
      means.insert(means.end(), mean.begin(), mean.end());
      for (const double value : openmax_.tail(c).parameters()) tails.push_back(value);
    }
    std::vector<FittedArray> arrays{{"means", {C, openmax_.width()}, means}, {"tails", {C, 4}, tails}};
    if (latents_ > 0) arrays.push_back({"latent_scale", {latents_}, scale_});
    return FittedState(std::move(arrays));
  }
  void restore(const FittedState& state) override {
    const auto C = static_cast<std::size_t>(classes_);
    const std::vector<double>& values = state.doubles("tails", {C, 4});
    std::vector<WeibullTail> tails;
    for (std::size_t c = 0; c < C; ++c)
      tails.emplace_back(std::array{values[4 * c], values[4 * c + 1], values[4 * c + 2], values[4 * c + 3]});
    openmax_ = Openmax(classes_, settings_, state.doubles("means", {C, C + latents_}), std::move(tails));
    if (latents_ > 0) scale_ = state.doubles("latent_scale", {latents_});
  }

 private:
  LogitRows<float> packed_rows(const std::vector<float>& values) const {
    return {values, classes_, static_cast<std::int32_t>(latents_)};
  }

  std::vector<float> activations(const SampleRows& rows) const {
    std::vector<float> values;
    values.reserve(rows.count * openmax_.width());
    for (std::size_t i = 0; i < rows.count; ++i) {
      values.insert(values.end(), rows.output_row(i), rows.output_row(i) + classes_);
      for (std::size_t j = 0; j < latents_; ++j)
        values.push_back(static_cast<float>(double(rows.latent_row(i)[j]) * scale_[j]));
    }
    return values;
  }

  void add_moments(const SampleRows& rows) {
    measured_ += rows.count;
    for (std::size_t i = 0; i < rows.count; ++i)
      for (std::size_t j = 0; j < latents_; ++j) {
        const double value = rows.latent_row(i)[j];
        sums_[j] += value;
        sums_[latents_ + j] = Kokkos::fma(value, value, sums_[latents_ + j]);
      }
  }

  /// An entry that never changes is left as it is.
  void finish_moments() {
    const auto count = static_cast<double>(measured_);
    for (std::size_t j = 0; j < latents_; ++j) {
      const double mean = sums_[j] / count;
      const double variance = Kokkos::fma(-mean, mean, sums_[latents_ + j] / count);
      if (variance > 0) scale_[j] = 1 / Kokkos::sqrt(variance);
    }
  }

  std::int32_t classes_;
  std::size_t latents_;
  OpenmaxSettings settings_;
  bool measures_;
  Openmax openmax_;
  std::vector<double> sums_;  ///< of the latent entries, then of their squares
  std::size_t measured_ = 0;
  std::vector<double> scale_;  ///< [latents]
};

}  // namespace

FittedScorePointer make_openmax(const HeadModel& head, const FittedScoreOptions& options) {
  return std::make_unique<OpenmaxScore>(head, options.openmax, 0, LatentScale::none);
}

FittedScorePointer make_crosr(const HeadModel& head, const FittedScoreOptions& options) {
  return std::make_unique<OpenmaxScore>(head, options.openmax, head.latents, options.crosr.latent_scale);
}

}  // namespace bcr::scores
