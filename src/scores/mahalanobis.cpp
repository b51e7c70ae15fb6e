#include "src/core/error.hpp"
#include "src/core/host_tasks.hpp"
#include "src/scores/dense.hpp"
#include "src/scores/fitted_scores.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>

namespace bcr::scores {
namespace {

constexpr std::size_t block_rows = 512;
constexpr std::size_t mahalanobis_rows_per_task = 128;

/// Counts, sums and products of the features of the training samples, all relative to the first of them: what is then
/// subtracted is not much larger than what is left.
class Moments {
 public:
  Moments(const std::size_t classes, const std::size_t n)
      : n_(n), counts_(classes, 0), sums_(classes * n, 0.0), products_(n * n, 0.0) {}

  void add(const SampleRows& rows) {
    if (rows.count == 0) return;
    if (origin_.empty()) origin_.assign(rows.feature_row(0), rows.feature_row(0) + n_);
    std::vector<double> block;
    for (std::size_t first = 0; first < rows.count; first += block_rows) {
      const std::size_t here = std::min(block_rows, rows.count - first);
      block.resize(here * n_);
      for (std::size_t r = 0; r < here; ++r) {
        const float* const f = rows.feature_row(first + r);
        const auto c = static_cast<std::size_t>(rows.label[first + r]);
        require<ShapeError>(c < counts_.size(), "mahalanobis", "labels of known classes",
                            std::to_string(rows.label[first + r]));
        ++counts_[c];
        for (std::size_t j = 0; j < n_; ++j) {
          const double x = double(f[j]) - origin_[j];
          block[r * n_ + j] = x;
          sums_[c * n_ + j] += x;
        }
      }
      add_gram(block, n_, products_);
    }
  }

  double count() const {
    double total = 0;
    for (const std::size_t count : counts_) total += static_cast<double>(count);
    return total;
  }
  std::size_t count(const std::size_t c) const { return counts_[c]; }
  const std::vector<double>& origin() const { return origin_; }
  std::vector<double> class_mean(const std::size_t c) const {
    std::vector<double> mean(sums_.begin() + std::ptrdiff_t(c * n_), sums_.begin() + std::ptrdiff_t((c + 1) * n_));
    for (double& x : mean) x /= static_cast<double>(std::max<std::size_t>(counts_[c], 1));
    return mean;
  }
  std::vector<double> overall_mean() const {
    std::vector<double> mean(n_, 0.0);
    for (std::size_t i = 0; i < sums_.size(); ++i) mean[i % n_] += sums_[i];
    for (double& x : mean) x /= count();
    return mean;
  }
  /// 1/N (sum x x^T - sum_k weight_k centre_k centre_k^T)
  std::vector<double> covariance(const std::vector<std::vector<double>>& centres,
                                 const std::vector<double>& weights) const {
    std::vector<double> matrix = products_;
    for (std::size_t k = 0; k < centres.size(); ++k) {
      for (std::size_t i = 0; i < n_; ++i) {
        const double factor = weights[k] * centres[k][i];
        for (std::size_t j = i; j < n_; ++j) matrix[i * n_ + j] -= factor * centres[k][j];
      }
    }
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = i; j < n_; ++j) matrix[j * n_ + i] = matrix[i * n_ + j] /= count();
    }
    return matrix;
  }

 private:
  std::size_t n_;
  std::vector<double> origin_;
  std::vector<std::size_t> counts_;
  std::vector<double> sums_;
  std::vector<double> products_;
};

/// Maps features so that plain squared distances are Mahalanobis distances: f -> L^(-1/2) V^T f, with centres mapped.
struct Whitening {
  std::vector<double> rows;     ///< [rank, n]
  std::vector<double> centres;  ///< [K, rank]

  Whitening() = default;
  Whitening(const std::vector<double>& covariance, const std::vector<double>& means, const std::size_t n) {
    const Eigenpairs pairs = symmetric_eigenpairs(covariance, n);
    const double least = double(n) * 0x1p-23 * (pairs.values.empty() ? 0 : pairs.values.front());
    for (std::size_t k = 0; k < n && pairs.values[k] > least; ++k) {
      const double factor = 1 / Kokkos::sqrt(pairs.values[k]);
      for (std::size_t j = 0; j < n; ++j) rows.push_back(factor * pairs.vectors[k * n + j]);
    }
    centres.resize(means.size() / n * rank(n));
    multiply_rows(means, rows, n, centres);
  }

  std::size_t rank(const std::size_t n) const { return rows.size() / n; }
  /// The smallest squared distance to a centre, of each of some features.
  void nearest(const std::vector<double>& features, const std::size_t n, const std::span<double> dst) const {
    const std::size_t r = rank(n);
    std::vector<double> white(dst.size() * r);
    multiply_rows(features, rows, n, white);
    for (std::size_t i = 0; i < dst.size(); ++i) {
      double best = 0;
      for (std::size_t k = 0; r > 0 && k < centres.size() / r; ++k) {
        double sum = 0;
        for (std::size_t j = 0; j < r; ++j) {
          const double difference = white[i * r + j] - centres[k * r + j];
          sum += difference * difference;
        }
        best = k == 0 ? sum : std::min(best, sum);
      }
      dst[i] = best;
    }
  }
};

enum class Background { ignored, subtracted };

class Mahalanobis final : public FittedScore {
 public:
  Mahalanobis(const HeadModel& head, const Background background)
      : classes_(head.classes), n_(head.features), background_(background), moments_(classes_, n_) {}

  int passes() const override { return 1; }
  void add(int, const SampleRows& rows) override { moments_.add(rows); }
  void finish(int) override {
    origin_ = moments_.origin();
    if (moments_.count() == 0) return;
    std::vector<std::vector<double>> means;
    std::vector<double> weights, packed;
    for (std::size_t c = 0; c < classes_; ++c) {
      if (moments_.count(c) == 0) continue;
      means.push_back(moments_.class_mean(c));
      weights.push_back(static_cast<double>(moments_.count(c)));
      packed.insert(packed.end(), means.back().begin(), means.back().end());
    }
    within_ = Whitening(moments_.covariance(means, weights), packed, n_);
    if (background_ == Background::subtracted) {
      const std::vector<double> mean = moments_.overall_mean();
      all_ = Whitening(moments_.covariance({mean}, {moments_.count()}), mean, n_);
    }
    moments_ = Moments(0, 0);
  }
  std::string undefined() const override {
    return within_.rows.empty() ? "the training features have no variance within classes" : "";
  }

  void score(const SampleRows& rows, const std::span<double> dst) const override {
    for_each_task("bcr::scores::mahalanobis", parts_in(rows.count, mahalanobis_rows_per_task),
                  [&](const std::size_t task) {
      const IndexRange part = part_of(rows.count, mahalanobis_rows_per_task, task);
      std::vector<double> features(part.size() * n_), other(part.size());
      for (std::size_t i = 0; i < features.size(); ++i)
        features[i] = double(rows.feature_row(part.begin)[i]) - origin_[i % n_];
      const std::span<double> here = dst.subspan(part.begin, part.size());
      within_.nearest(features, n_, here);
      if (background_ == Background::subtracted) all_.nearest(features, n_, other);
      for (std::size_t i = 0; i < here.size(); ++i) here[i] = other[i] - here[i];
    });
  }

  FittedState state() const override {
    std::vector<FittedArray> arrays{{"origin", {n_}, origin_}};
    const auto add = [&](const std::string& name, const Whitening& w) {
      const std::size_t rank = w.rank(n_);
      arrays.push_back({name + "_rows", {rank, n_}, w.rows});
      arrays.push_back({name + "_centres", {rank == 0 ? 0 : w.centres.size() / rank, rank}, w.centres});
    };
    add("within", within_);
    if (background_ == Background::subtracted) add("all", all_);
    return FittedState(std::move(arrays));
  }
  void restore(const FittedState& state) override {
    const auto read = [&](const std::string& name, Whitening& w) {
      w.rows = state.doubles(name + "_rows", {FittedState::any, n_});
      w.centres = state.doubles(name + "_centres", {FittedState::any, w.rank(n_)});
    };
    origin_ = state.doubles("origin", {n_});
    read("within", within_);
    if (background_ == Background::subtracted) read("all", all_);
  }

 private:
  std::size_t classes_;
  std::size_t n_;
  Background background_;
  Moments moments_;
  std::vector<double> origin_;
  Whitening within_;
  Whitening all_;
};

}  // namespace

FittedScorePointer make_mahalanobis(const HeadModel& head, const FittedScoreOptions&) {
  return std::make_unique<Mahalanobis>(head, Background::ignored);
}

FittedScorePointer make_relative_mahalanobis(const HeadModel& head, const FittedScoreOptions&) {
  return std::make_unique<Mahalanobis>(head, Background::subtracted);
}

}  // namespace bcr::scores
