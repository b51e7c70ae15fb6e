#include "kernels/math/exp.hpp"
#include "kernels/math/log.hpp"
#include "src/core/error.hpp"
#include "src/core/host_tasks.hpp"
#include "src/scores/dense.hpp"
#include "src/scores/fitted_scores.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string>

// Scores that look at features through the last layer: ViM, fDBD, ReAct.

namespace bcr::scores {
namespace {

namespace strict = kernels::strict;

constexpr std::size_t head_rows_per_task = 128;
constexpr std::size_t rows_per_block = 512;

/// function(i) of every row, on the host's threads.
template <class Function>
void for_rows(const char* const label, const std::size_t count, const Function& function) {
  for_each_task(label, parts_in(count, head_rows_per_task), [&](const std::size_t task) {
    const IndexRange part = part_of(count, head_rows_per_task, task);
    for (std::size_t i = part.begin; i < part.end; ++i) function(i);
  });
}

/// log sum_c exp z_c
double log_sum_exp(const std::span<const double> z) {
  const double greatest = *std::max_element(z.begin(), z.end());
  double sum = 0;
  for (const double value : z) sum += strict::exp(value - greatest);
  return greatest + strict::log(sum);
}

std::vector<double> as_doubles(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

class Vim final : public FittedScore {
 public:
  Vim(const HeadModel& head, const VimSettings& settings)
      : head_(head), n_(head.features), dimensions_(static_cast<std::size_t>(settings.dimensions)) {
    if (dimensions_ == 0) dimensions_ = n_ >= 512 ? 256 : n_ / 2;
    if (dimensions_ >= n_)
      throw ConfigError("eval.vim.dimensions", "fewer than the " + std::to_string(n_) + " features",
                        std::to_string(dimensions_));
    origin_ = origin();
    products_.assign(n_ * n_, 0.0);
  }

  int passes() const override { return 2; }
  void add(const int pass, const SampleRows& rows) override {
    if (pass == 0) {
      count_ += double(rows.count);
      for (std::size_t first = 0; first < rows.count; first += rows_per_block)
        add_gram(centred(rows, first, std::min(rows_per_block, rows.count - first)), n_, products_);
      return;
    }
    std::vector<double> residuals(rows.count);
    residual_norms(rows, residuals);
    for (std::size_t i = 0; i < rows.count; ++i) {
      const float* const z = rows.output_row(i);
      logits_ += double(z[head_.best_class(z)]);
      residual_ += residuals[i];
    }
  }
  void finish(const int pass) override {
    if (pass == 0) {
      for (double& x : products_) x /= std::max(count_, 1.0);
      const Eigenpairs pairs = symmetric_eigenpairs(std::move(products_), n_);
      rest_.assign(pairs.vectors.begin() + static_cast<std::ptrdiff_t>(dimensions_ * n_), pairs.vectors.end());
    } else {
      alpha_ = residual_ > 0 ? logits_ / residual_ : 0;
    }
  }
  std::string undefined() const override {
    return alpha_ > 0 ? "" : "the largest logits of the training images are not positive on average";
  }

  void score(const SampleRows& rows, const std::span<double> dst) const override {
    residual_norms(rows, dst);
    for_rows("bcr::scores::vim", rows.count, [&](const std::size_t i) {
      const std::vector<double> z(rows.output_row(i), rows.output_row(i) + head_.classes);
      dst[i] = log_sum_exp(z) - alpha_ * dst[i];
    });
  }

  FittedState state() const override {
    return FittedState({{"origin", {n_}, origin_},
                        {"residual_space", {rest_.size() / n_, n_}, rest_},
                        {"alpha", {1}, std::vector{alpha_}}});
  }
  void restore(const FittedState& state) override {
    origin_ = state.doubles("origin", {n_});
    rest_ = state.doubles("residual_space", {FittedState::any, n_});
    alpha_ = state.doubles("alpha", {1}).front();
  }

 private:
  /// -W^+ b = -W^T (W W^T)^+ b
  std::vector<double> origin() const {
    std::vector<double> point(n_, 0.0);
    if (head_.bias.empty()) return point;
    const std::size_t C = head_.classes;
    const std::vector<double> W = as_doubles(head_.weights);
    std::vector<double> gram(C * C);
    multiply_rows(W, W, n_, gram);
    const Eigenpairs pairs = symmetric_eigenpairs(gram, C);
    const double least = double(std::max(C, n_)) * 0x1p-52 * pairs.values.front();
    const std::vector<double> b = as_doubles(head_.bias);
    for (std::size_t k = 0; k < C && pairs.values[k] > least; ++k) {
      const double* const u = pairs.vectors.data() + k * C;
      const double factor = dot(u, b.data(), C) / pairs.values[k];
      for (std::size_t c = 0; c < C; ++c) {
        for (std::size_t j = 0; j < n_; ++j) point[j] -= factor * u[c] * W[c * n_ + j];
      }
    }
    return point;
  }
  std::vector<double> centred(const SampleRows& rows, const std::size_t first, const std::size_t count) const {
    std::vector<double> block(count * n_);
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = double(rows.feature_row(first)[i]) - origin_[i % n_];
    return block;
  }
  /// |R^T (f - o)|
  void residual_norms(const SampleRows& rows, const std::span<double> dst) const {
    const std::size_t m = rest_.size() / n_;
    for_each_task("bcr::scores::vim::residual", parts_in(rows.count, head_rows_per_task), [&](const std::size_t task) {
      const IndexRange part = part_of(rows.count, head_rows_per_task, task);
      std::vector<double> projected(part.size() * m);
      multiply_rows(centred(rows, part.begin, part.size()), rest_, n_, projected);
      for (std::size_t i = 0; i < part.size(); ++i)
        dst[part.begin + i] = Kokkos::sqrt(dot(projected.data() + i * m, projected.data() + i * m, m));
    });
  }

  HeadModel head_;
  std::size_t n_;
  std::size_t dimensions_;
  std::vector<double> origin_;
  std::vector<double> products_;
  std::vector<double> rest_;
  double count_ = 0, logits_ = 0, residual_ = 0, alpha_ = 0;
};

class Fdbd final : public FittedScore {
 public:
  explicit Fdbd(const HeadModel& head) : head_(head), n_(head.features), mean_(n_, 0.0) {
    const std::size_t C = head_.classes;
    const double factor = head_.outputs == HeadOutputs::logits ? 1 : 2;  // anchors stand for w = 2 mu
    separation_.resize(C * C);
    for (std::size_t a = 0; a < C; ++a) {
      for (std::size_t b = 0; b < C; ++b) {
        double squares = 0;
        for (std::size_t j = 0; j < n_; ++j) {
          const double difference = double(head_.weight_row(a)[j]) - double(head_.weight_row(b)[j]);
          squares += difference * difference;
        }
        separation_[a * C + b] = factor * Kokkos::sqrt(squares);
      }
    }
  }

  int passes() const override { return 1; }
  void add(int, const SampleRows& rows) override {
    count_ += double(rows.count);
    for (std::size_t i = 0; i < rows.count; ++i) {
      for (std::size_t j = 0; j < n_; ++j) mean_[j] += double(rows.feature_row(i)[j]);
    }
  }
  void finish(int) override {
    for (double& x : mean_) x /= std::max(count_, 1.0);
  }

  void score(const SampleRows& rows, const std::span<double> dst) const override {
    for_rows("bcr::scores::fdbd", rows.count, [&](const std::size_t i) { dst[i] = score_of(rows, i); });
  }

  FittedState state() const override { return FittedState({{"mean", {n_}, mean_}}); }
  void restore(const FittedState& state) override { mean_ = state.doubles("mean", {n_}); }

 private:
  double score_of(const SampleRows& rows, const std::size_t i) const {
    const float* const o = rows.output_row(i);
    const auto best = static_cast<std::size_t>(head_.best_class(o));
    const double sign = head_.outputs == HeadOutputs::logits ? 1 : -1;  // s of z = -s D^2 stands in w as well
    double sum = 0;
    for (std::size_t c = 0; c < head_.classes; ++c) {
      const double apart = separation_[best * head_.classes + c];
      if (apart > 0) sum += sign * (double(o[best]) - double(o[c])) / apart;
    }
    double squares = 0;
    for (std::size_t j = 0; j < n_; ++j) {
      const double difference = double(rows.feature_row(i)[j]) - mean_[j];
      squares += difference * difference;
    }
    return squares > 0 ? sum / Kokkos::sqrt(squares) : std::numeric_limits<double>::infinity();
  }

  HeadModel head_;
  std::size_t n_;
  std::vector<double> mean_;
  std::vector<double> separation_;  ///< [C, C]: |w_a - w_b|
  double count_ = 0;
};

/// Counts of floats by the high, then by the low half of their place in the order of all floats: finds any order
/// statistic exactly in two passes and 1.5 MB.
class OrderStatistic {
 public:
  static std::uint32_t place_of(const float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return (bits >> 31) != 0 ? ~bits : bits | 0x80000000u;
  }
  static float at_place(const std::uint32_t place) {
    return std::bit_cast<float>((place >> 31) != 0 ? place & 0x7fffffffu : ~place);
  }

  void count_high(const float x) { ++high_[place_of(x) >> 16]; }
  /// Chooses rank 0, ... of the numbers counted so far.
  void choose(const std::uint64_t rank) {
    std::uint64_t below = 0;
    half_ = 0;
    while (below + high_[half_] <= rank) below += high_[half_++];
    rank_ = rank - below;
  }
  void count_low(const float x) {
    const std::uint32_t place = place_of(x);
    if (place >> 16 == half_) ++low_[place & 0xffffu];
  }
  float value() const {
    std::uint64_t below = 0;
    std::uint32_t place = 0;
    while (below + low_[place] <= rank_) below += low_[place++];
    return at_place(static_cast<std::uint32_t>(half_) << 16 | place);
  }

 private:
  std::vector<std::uint64_t> high_ = std::vector<std::uint64_t>(1 << 16, 0);
  std::vector<std::uint64_t> low_ = std::vector<std::uint64_t>(1 << 16, 0);
  std::size_t half_ = 0;
  std::uint64_t rank_ = 0;
};

class React final : public FittedScore {
 public:
  React(const HeadModel& head, const ReactSettings& settings)
      : head_(head), n_(head.features), fraction_(settings.percentile / 100), bounds_(2) {}

  int passes() const override { return 2; }
  void add(const int pass, const SampleRows& rows) override {
    if (pass == 0) total_ += rows.feature.size();
    for (OrderStatistic& bound : bounds_) {
      for (const float f : rows.feature) pass == 0 ? bound.count_high(f) : bound.count_low(f);
    }
  }
  void finish(const int pass) override {
    if (total_ == 0) return;
    const double place = fraction_ * double(total_ - 1);
    const auto below = static_cast<std::uint64_t>(place);
    if (pass == 0) {
      bounds_[0].choose(below);
      bounds_[1].choose(std::min(below + 1, total_ - 1));
      return;
    }
    const double low = bounds_[0].value(), high = bounds_[1].value();
    threshold_ = low + (place - double(below)) * (high - low);
    bounds_.clear();
  }

  void score(const SampleRows& rows, const std::span<double> dst) const override {
    for_rows("bcr::scores::react", rows.count, [&](const std::size_t i) { dst[i] = score_of(rows.feature_row(i)); });
  }

  FittedState state() const override { return FittedState({{"threshold", {1}, std::vector{threshold_}}}); }
  void restore(const FittedState& state) override { threshold_ = state.doubles("threshold", {1}).front(); }

 private:
  double score_of(const float* const f) const {
    std::vector<double> z(head_.classes);
    for (std::size_t c = 0; c < z.size(); ++c) {
      const float* const w = head_.weight_row(c);
      double sum = 0;
      for (std::size_t j = 0; j < n_; ++j) {
        const double x = std::min(double(f[j]), threshold_);
        if (head_.outputs == HeadOutputs::logits) {
          sum += double(w[j]) * x;
        } else {
          sum += (x - double(w[j])) * (x - double(w[j]));
        }
      }
      z[c] = head_.outputs == HeadOutputs::logits ? sum + (head_.bias.empty() ? 0.0 : double(head_.bias[c]))
                                                  : -head_.logit_scale * sum;
    }
    return log_sum_exp(z);
  }

  HeadModel head_;
  std::size_t n_;
  double fraction_;
  std::uint64_t total_ = 0;
  std::vector<OrderStatistic> bounds_;
  double threshold_ = 0;
};

}  // namespace

FittedScorePointer make_vim(const HeadModel& head, const FittedScoreOptions& options) {
  return std::make_unique<Vim>(head, options.vim);
}

FittedScorePointer make_fdbd(const HeadModel& head, const FittedScoreOptions&) {
  return std::make_unique<Fdbd>(head);
}

FittedScorePointer make_react(const HeadModel& head, const FittedScoreOptions& options) {
  return std::make_unique<React>(head, options.react);
}

}  // namespace bcr::scores
