#include "src/scores/aosr.hpp"

#include "kernels/math/exp.hpp"
#include "kernels/math/log.hpp"
#include "src/core/error.hpp"
#include "src/core/host_tasks.hpp"
#include "src/core/random.hpp"
#include "src/scores/fitted_scores.hpp"
#include "src/scores/isolation_forest.hpp"

#include <algorithm>
#include <numeric>

namespace bcr::scores {
namespace {

namespace strict = kernels::strict;

constexpr std::size_t lanes = 8;  // rows that are computed side by side
constexpr std::size_t rows_per_task = 2048;
constexpr int first_stage_epochs = 2;

/// The smallest and largest code of each dimension.
struct Box {
  std::vector<double> low, high;

  Box(const std::span<const float> codes, const std::size_t d)
      : low(codes.begin(), codes.begin() + std::ptrdiff_t(d)), high(low) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      low[i % d] = std::min(low[i % d], double(codes[i]));
      high[i % d] = std::max(high[i % d], double(codes[i]));
    }
  }
};

/// Adam as Keras computes it: the corrections of both moments are one factor of the rate.
class Adam {
 public:
  Adam(const std::size_t size, const double rate) : rate_(rate), m_(size, 0.0), v_(size, 0.0) {}

  void step(std::vector<double>& parameters, const std::vector<double>& gradient) {
    power1_ *= beta1;
    power2_ *= beta2;
    const double rate = rate_ * Kokkos::sqrt(1 - power2_) / (1 - power1_);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      m_[i] += (gradient[i] - m_[i]) * (1 - beta1);
      v_[i] += (gradient[i] * gradient[i] - v_[i]) * (1 - beta2);
      parameters[i] -= rate * m_[i] / (Kokkos::sqrt(v_[i]) + 1e-7);
    }
  }

 private:
  static constexpr double beta1 = 0.9, beta2 = 0.999;
  double rate_;
  double power1_ = 1, power2_ = 1;
  std::vector<double> m_, v_;
};

/// One epoch over the training samples: shuffled batches, and if there are points, their term in every step.
class Training {
 public:
  Training(const AosrDetector& detector, const std::span<const float> codes, const std::span<const std::int32_t> labels,
           const AosrSettings& settings)
      : detector_(detector), codes_(codes), labels_(labels), settings_(settings), ones_(labels.size(), 1.0) {}

  void add_points(const std::vector<float>& points, std::vector<double> weights) {
    points_ = points;
    for (double& w : weights) w /= double(weights.size());
    point_weights_ = std::move(weights);
    point_targets_.assign(point_weights_.size(), static_cast<std::int32_t>(detector_.outputs() - 1));
  }

  /// The accuracy while the parameters change, as a progress bar shows it.
  double epoch(std::vector<double>& parameters, Adam& adam, const std::uint32_t epoch) const {
    const std::size_t N = labels_.size(), d = detector_.inputs();
    const Permutation order(N, settings_.seed, Stream("aosr/order"), epoch);
    const auto batch = static_cast<std::size_t>(settings_.batch);
    std::vector<float> rows;
    std::vector<std::int32_t> targets;
    std::size_t right = 0;
    for (std::size_t first = 0; first < N; first += batch) {
      const std::size_t here = std::min(batch, N - first);
      rows.clear();
      targets.clear();
      for (std::size_t i = first; i < first + here; ++i) {
        const std::size_t row = order(i);
        rows.insert(rows.end(), codes_.begin() + std::ptrdiff_t(row * d),
                    codes_.begin() + std::ptrdiff_t((row + 1) * d));
        targets.push_back(labels_[row]);
      }
      const std::vector<double> weights(here, 1 / double(here));
      AosrDetector::Sums sums = detector_.evaluate(parameters, rows, targets, weights, AosrDetector::Gradient::wanted);
      right += sums.right;
      if (!points_.empty()) add_points_term(parameters, sums.gradient);
      adam.step(parameters, sums.gradient);
    }
    return double(right) / double(N);
  }

  double unknown_count(const std::vector<double>& parameters) const {
    return double(detector_.evaluate(parameters, codes_, labels_, ones_, AosrDetector::Gradient::none).unknown);
  }

 private:
  /// mu N / n_out times the weighted mean over all points; n_out is a constant for the gradient.
  void add_points_term(const std::vector<double>& parameters, std::vector<double>& gradient) const {
    const double unknown = std::max(unknown_count(parameters), settings_.floor);
    const double factor = settings_.mu * double(labels_.size()) / unknown;
    const auto sums =
        detector_.evaluate(parameters, points_, point_targets_, point_weights_, AosrDetector::Gradient::wanted);
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += factor * sums.gradient[i];
  }

  const AosrDetector& detector_;
  std::span<const float> codes_;
  std::span<const std::int32_t> labels_;
  AosrSettings settings_;
  std::vector<double> ones_;
  std::vector<float> points_;
  std::vector<std::int32_t> point_targets_;
  std::vector<double> point_weights_;
};

}  // namespace

std::vector<float> aosr_points(const std::span<const float> codes, const std::size_t d, const std::size_t count,
                               const std::uint64_t seed) {
  const Box box(codes, d);
  std::vector<float> points(count * d);
  for (std::size_t i = 0; i < count; ++i) {
    Random random(seed, Stream("aosr/points"), 0, i);
    for (std::size_t j = 0; j < d; ++j) {
      const double centre = (box.high[j] + box.low[j]) / 2, width = 1.2 * (box.high[j] - box.low[j]);
      points[i * d + j] = static_cast<float>(centre - width / 2 + random.uniform<double>() * width);
    }
  }
  return points;
}

std::vector<double> aosr_weights(const std::span<const double> anomaly, const double kappa) {
  const std::size_t M = anomaly.size();
  std::vector<double> weights(M, 1.0);
  if (M == 0) return weights;
  const auto [least, greatest] = std::minmax_element(anomaly.begin(), anomaly.end());
  if (!(*greatest > *least)) return weights;
  for (std::size_t i = 0; i < M; ++i) weights[i] = (anomaly[i] - *least) / (*greatest - *least);
  std::vector<double> sorted = weights;
  const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(M - 1, std::size_t(kappa * double(M))));
  std::nth_element(sorted.begin(), place, sorted.end());
  double sum = 0;
  for (double& w : weights) sum += w = w <= *place ? 0 : w;
  require<NumericsError>(sum > 0, "aosr_weights", "a point of positive weight", "none");
  for (double& w : weights) w *= double(M) / sum;
  return weights;
}

std::vector<double> AosrDetector::initial(const std::uint64_t seed) const {
  std::vector<double> values(parameters(), 0.0);
  const double limit = Kokkos::sqrt(6.0 / double(d_ + outputs_));
  for (std::size_t i = 0; i < outputs_ * d_; ++i)
    values[i] = limit * (2 * Random(seed, Stream("aosr/weights"), 0, i).uniform<double>() - 1);
  return values;
}

namespace {

/// Logits of `lanes` rows side by side; rows beyond the end repeat the last. x [d, lanes], z [K, lanes].
struct LaneBlock {
  std::vector<double> x, z;

  LaneBlock(const std::size_t d, const std::size_t outputs) : x(d * lanes), z(outputs * lanes) {}

  void load(const float* const rows, const std::size_t count, const std::size_t d) {
    for (std::size_t l = 0; l < lanes; ++l) {
      const float* const row = rows + std::min(l, count - 1) * d;
      for (std::size_t j = 0; j < d; ++j) x[j * lanes + l] = double(row[j]);
    }
  }
  void multiply(const double* const parameters, const std::size_t d, const std::size_t outputs) {
    for (std::size_t k = 0; k < outputs; ++k) {
      double sum[lanes];
      for (std::size_t l = 0; l < lanes; ++l) sum[l] = parameters[outputs * d + k];
      for (std::size_t j = 0; j < d; ++j) {
        const double w = parameters[k * d + j];
        for (std::size_t l = 0; l < lanes; ++l) sum[l] += w * x[j * lanes + l];
      }
      std::copy_n(sum, lanes, z.begin() + std::ptrdiff_t(k * lanes));
    }
  }
  /// The lowest index of the largest logit of each lane.
  void find_best(const std::size_t outputs, std::size_t* const best) const {
    for (std::size_t l = 0; l < lanes; ++l) {
      best[l] = 0;
      for (std::size_t k = 1; k < outputs; ++k)
        if (z[k * lanes + l] > z[best[l] * lanes + l]) best[l] = k;
    }
  }
  /// z becomes softmax(z); returns log sum exp z in `log_sum`.
  void softmax(const std::size_t outputs, const std::size_t* const best, double* const log_sum) {
    double greatest[lanes], sum[lanes] = {};
    for (std::size_t l = 0; l < lanes; ++l) greatest[l] = z[best[l] * lanes + l];
    for (std::size_t k = 0; k < outputs; ++k) {
      double* const row = z.data() + k * lanes;
#pragma omp simd
      for (std::size_t l = 0; l < lanes; ++l) row[l] = strict::exp(row[l] - greatest[l]);
      for (std::size_t l = 0; l < lanes; ++l) sum[l] += row[l];
    }
    for (std::size_t k = 0; k < outputs; ++k) {
      for (std::size_t l = 0; l < lanes; ++l) z[k * lanes + l] /= sum[l];
    }
    for (std::size_t l = 0; l < lanes; ++l) log_sum[l] = greatest[l] + strict::log(sum[l]);
  }
};

}  // namespace

AosrDetector::Sums AosrDetector::evaluate(const std::span<const double> parameters, const std::span<const float> rows,
                                          const std::span<const std::int32_t> targets,
                                          const std::span<const double> weights, const Gradient gradient) const {
  const std::size_t N = targets.size(), d = d_, K = outputs_;
  require<ShapeError>(rows.size() == N * d && weights.size() == N, "AosrDetector::evaluate",
                      std::to_string(N) + " rows and weights",
                      std::to_string(rows.size() / std::max<std::size_t>(d, 1)));
  std::vector<Sums> parts(parts_in(N, rows_per_task));
  for_each_task("bcr::scores::aosr", parts.size(), [&](const std::size_t task) {
    const IndexRange part = part_of(N, rows_per_task, task);
    LaneBlock block(d, K);
    Sums& sums = parts[task];
    std::vector<double> lane_sums(gradient == Gradient::wanted ? K * (d + 1) * lanes : 0, 0.0);
    std::size_t best[lanes];
    double log_sum[lanes];
    for (std::size_t first = part.begin; first < part.end; first += lanes) {
      const std::size_t here = std::min(lanes, part.end - first);
      block.load(rows.data() + first * d, here, d);
      block.multiply(parameters.data(), d, K);
      block.find_best(K, best);
      for (std::size_t l = 0; l < here; ++l) {
        sums.right += best[l] == static_cast<std::size_t>(targets[first + l]) ? 1 : 0;
        sums.unknown += best[l] == K - 1 ? 1 : 0;
      }
      if (gradient == Gradient::none) continue;
      double own[lanes], weight[lanes] = {};
      for (std::size_t l = 0; l < here; ++l) {
        own[l] = block.z[static_cast<std::size_t>(targets[first + l]) * lanes + l];
        weight[l] = weights[first + l];
      }
      block.softmax(K, best, log_sum);
      for (std::size_t l = 0; l < here; ++l) sums.loss += weight[l] * (log_sum[l] - own[l]);
      // dL/dz_k = weight (p_k - 1[k = target]), then times x and 1.
      for (std::size_t l = 0; l < here; ++l) block.z[static_cast<std::size_t>(targets[first + l]) * lanes + l] -= 1;
      for (std::size_t k = 0; k < K; ++k) {
        double* const row = block.z.data() + k * lanes;
        for (std::size_t l = 0; l < lanes; ++l) row[l] *= weight[l];
        for (std::size_t j = 0; j < d; ++j) {
          double* const sum = lane_sums.data() + (k * d + j) * lanes;
          for (std::size_t l = 0; l < lanes; ++l) sum[l] += row[l] * block.x[j * lanes + l];
        }
        double* const sum = lane_sums.data() + (K * d + k) * lanes;
        for (std::size_t l = 0; l < lanes; ++l) sum[l] += row[l];
      }
    }
    sums.gradient.assign(lane_sums.size() / lanes, 0.0);
    for (std::size_t i = 0; i < lane_sums.size(); ++i) sums.gradient[i / lanes] += lane_sums[i];
  });
  Sums total;
  total.gradient.assign(gradient == Gradient::wanted ? this->parameters() : 0, 0.0);
  for (const Sums& part : parts) {
    total.loss += part.loss;
    total.right += part.right;
    total.unknown += part.unknown;
    for (std::size_t i = 0; i < total.gradient.size(); ++i) total.gradient[i] += part.gradient[i];
  }
  return total;
}

void AosrDetector::probabilities(const std::span<const double> parameters, const float* const row,
                                 const std::span<double> dst) const {
  LaneBlock block(d_, outputs_);
  std::size_t best[lanes];
  double log_sum[lanes];
  block.load(row, 1, d_);
  block.multiply(parameters.data(), d_, outputs_);
  block.find_best(outputs_, best);
  block.softmax(outputs_, best, log_sum);
  for (std::size_t k = 0; k < outputs_; ++k) dst[k] = block.z[k * lanes];
}

AosrStopRule::Verdict AosrStopRule::after_epoch(const double accuracy) {
  if (accuracy < 0.95 || waited_ == 14) return Verdict::stop;
  if (accuracy <= lowest_) {
    lowest_ = accuracy;
    waited_ = 0;
    return Verdict::store;
  }
  ++waited_;
  return Verdict::go_on;
}

AosrFit fit_aosr(const std::span<const float> codes, const std::size_t d, const std::span<const std::int32_t> labels,
                 const std::size_t classes, const AosrSettings& settings) {
  const AosrDetector detector(d, classes);
  Training training(detector, codes, labels, settings);
  AosrFit fit;
  std::vector<double> parameters = detector.initial(settings.seed);
  Adam first_adam(parameters.size(), settings.lr);
  for (int epoch = 0; epoch < first_stage_epochs; ++epoch)
    training.epoch(parameters, first_adam, static_cast<std::uint32_t>(epoch));

  const std::vector<float> points =
      aosr_points(codes, d, static_cast<std::size_t>(settings.points * double(labels.size())), settings.seed);
  const IsolationForest forest(codes, d, {settings.trees, settings.samples, settings.seed});
  std::vector<double> anomaly(points.size() / d);
  for_each_task("bcr::scores::aosr::anomaly", parts_in(anomaly.size(), rows_per_task), [&](const std::size_t task) {
    const IndexRange part = part_of(anomaly.size(), rows_per_task, task);
    for (std::size_t i = part.begin; i < part.end; ++i) anomaly[i] = forest.anomaly(points.data() + i * d);
  });
  training.add_points(points, aosr_weights(anomaly, settings.kappa));

  fit.parameters = parameters;
  Adam adam(parameters.size(), settings.lr);
  AosrStopRule rule;
  bool stopped = false;
  while (!stopped && fit.epochs < settings.epochs) {
    const double accuracy =
        training.epoch(parameters, adam, static_cast<std::uint32_t>(first_stage_epochs + fit.epochs));
    ++fit.epochs;
    AosrStopRule::Verdict verdict = AosrStopRule::Verdict::store;
    if (settings.stop == AosrStop::accuracy) {
      verdict = rule.after_epoch(accuracy);
    } else if (training.unknown_count(parameters) >= settings.mu * double(labels.size())) {
      verdict = AosrStopRule::Verdict::stop;
    }
    stopped = verdict == AosrStopRule::Verdict::stop;
    if (verdict == AosrStopRule::Verdict::store || (!stopped && fit.epochs == settings.epochs)) {
      fit.parameters = parameters;
      fit.kept_epoch = fit.epochs;
    }
  }
  fit.unknown_share = training.unknown_count(fit.parameters) / double(std::max<std::size_t>(labels.size(), 1));
  return fit;
}

namespace {

class Aosr final : public FittedScore {
 public:
  Aosr(const HeadModel& head, const AosrSettings& settings)
      : classes_(head.classes), settings_(settings), detector_(classes_, classes_) {}

  int passes() const override { return 1; }
  bool reads_features() const override { return false; }
  void add(int, const SampleRows& rows) override {
    for (std::size_t i = 0; i < rows.count; ++i)
      codes_.insert(codes_.end(), rows.output_row(i), rows.output_row(i) + classes_);
    labels_.insert(labels_.end(), rows.label.begin(), rows.label.end());
  }
  void finish(int) override {
    if (!labels_.empty()) fit_ = fit_aosr(codes_, classes_, labels_, classes_, settings_);
    codes_ = {};
    labels_ = {};
  }
  std::string undefined() const override { return fit_.parameters.empty() ? "there are no training images" : ""; }
  std::vector<std::string> remarks() const override {
    if (fit_.kept_epoch > 0) return {};
    return {"the second stage of AOSR kept no epoch: its training accuracy was below 0.95 at once"};
  }

  void score(const SampleRows& rows, const std::span<double> dst) const override {
    for_each_row(rows, [&](const std::size_t i, const std::span<const double> p) {
      double known = 0;  // 1 - p_C without the cancellation
      for (std::size_t c = 0; c < classes_; ++c) known += p[c];
      dst[i] = known;
    });
  }
  bool decides() const override { return true; }
  void decide(const SampleRows& rows, const std::span<std::int32_t> dst) const override {
    for_each_row(rows, [&](const std::size_t i, const std::span<const double> p) {
      dst[i] = static_cast<std::int32_t>(std::max_element(p.begin(), p.end()) - p.begin());
    });
  }

  FittedState state() const override {
    return FittedState(
        {{"detector", {classes_ + 1, classes_ + 1}, fit_.parameters},
         {"epochs", {3}, std::vector{double(fit_.epochs), double(fit_.kept_epoch), fit_.unknown_share}}});
  }
  void restore(const FittedState& state) override {
    fit_.parameters = state.doubles("detector", {classes_ + 1, classes_ + 1});
    const std::vector<double>& epochs = state.doubles("epochs", {3});
    fit_.epochs = static_cast<int>(epochs[0]);
    fit_.kept_epoch = static_cast<int>(epochs[1]);
    fit_.unknown_share = epochs[2];
  }

 private:
  template <class Function>
  void for_each_row(const SampleRows& rows, const Function& function) const {
    for_each_task("bcr::scores::aosr::rows", parts_in(rows.count, rows_per_task), [&](const std::size_t task) {
      const IndexRange part = part_of(rows.count, rows_per_task, task);
      std::vector<double> p(classes_ + 1);
      for (std::size_t i = part.begin; i < part.end; ++i) {
        detector_.probabilities(fit_.parameters, rows.output_row(i), p);
        function(i, std::span<const double>(p));
      }
    });
  }

  std::size_t classes_;
  AosrSettings settings_;
  AosrDetector detector_;
  std::vector<float> codes_;
  std::vector<std::int32_t> labels_;
  AosrFit fit_;
};

}  // namespace

FittedScorePointer make_aosr(const HeadModel& head, const FittedScoreOptions& options) {
  return std::make_unique<Aosr>(head, options.aosr);
}

}  // namespace bcr::scores
