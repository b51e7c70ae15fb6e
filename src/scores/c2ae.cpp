#include "src/core/error.hpp"
#include "src/core/random.hpp"
#include "src/scores/fitted_scores.hpp"
#include "src/scores/pareto.hpp"

#include <algorithm>

// The decision of C2AE (Oza and Patel, "C2AE: Class conditioned auto-encoder for open-set recognition", CVPR 2019).
// docs/ c2ae.md says what the paper leaves open.

namespace bcr::scores {
namespace {

/// The place among so many, equally far apart, from the least error for the right class to the largest for another,
/// with the least chance to be wrong; the lowest of equals.
double best_threshold(const ParetoTail& match, const ParetoTail& opposite, const double unknown) {
  constexpr int places = 1000;
  const double low = match.smallest(), high = -opposite.smallest();
  double best = low, least = 2;
  for (int i = 0; i < places; ++i) {
    const double tau = Kokkos::fma(high - low, double(i) / (places - 1), low);
    const double wrong = (1 - unknown) * match.above(tau) + unknown * opposite.above(-tau);
    if (wrong < least) {
      least = wrong;
      best = tau;
    }
  }
  return best;
}

/// Minus the least error over the classes.
class C2ae final : public FittedScore {
 public:
  C2ae(const HeadModel& head, const C2aeSettings& settings) : head_(head), settings_(settings) {}

  int passes() const override { return 1; }
  bool reads_features() const override { return false; }
  void add(int, const SampleRows& rows) override {
    require_errors(rows);
    const auto classes = static_cast<std::int32_t>(head_.classes);
    for (std::size_t i = 0; i < rows.count; ++i) {
      const double* const errors = rows.class_error.data() + i * head_.classes;
      Random random(settings_.seed, Stream("c2ae/non_match"), 0, match_.size());
      const auto further = static_cast<std::int32_t>(random.below(std::uint64_t(std::max(classes - 1, 1))));
      match_.push_back(errors[rows.label[i]]);
      opposite_.push_back(-errors[(rows.label[i] + 1 + further) % classes]);
    }
  }
  void finish(int) override {
    if (match_.empty()) return;
    const ParetoTail match(match_, settings_.tail), opposite(opposite_, settings_.tail);
    has_tails_ = match.is_defined() && opposite.is_defined() && head_.classes > 1;
    threshold_ = has_tails_ ? best_threshold(match, opposite, settings_.unknown) : match.quantile(0.95);
    match_ = {};
    opposite_ = {};
  }
  std::string undefined() const override { return threshold_ > 0 ? "" : "training images are reconstructed without error"; }
  std::vector<std::string> remarks() const override {
    if (has_tails_) return {};
    return {"too few training images for the tails of their errors: the threshold is their quantile 0.95"};
  }

  void score(const SampleRows& rows, const std::span<double> dst) const override {
    require_errors(rows);
    for (std::size_t i = 0; i < rows.count; ++i) dst[i] = -least_error(rows, i);
  }

  bool decides() const override { return true; }
  void decide(const SampleRows& rows, const std::span<std::int32_t> dst) const override {
    require_errors(rows);
    for (std::size_t i = 0; i < rows.count; ++i)
      dst[i] = least_error(rows, i) > threshold_ ? static_cast<std::int32_t>(head_.classes)
                                                 : head_.best_class(rows.output_row(i));
  }

  FittedState state() const override {
    return FittedState({{"threshold", {1}, std::vector<double>{threshold_}}});
  }
  void restore(const FittedState& state) override {
    threshold_ = state.doubles("threshold", {1})[0];
    has_tails_ = true;
  }

 private:
  void require_errors(const SampleRows& rows) const {
    require<ShapeError>(rows.class_error.size() == rows.count * head_.classes, "score c2ae",
                        "errors of reconstructions for " + std::to_string(head_.classes) + " classes", "others");
  }
  double least_error(const SampleRows& rows, const std::size_t i) const {
    const double* const errors = rows.class_error.data() + i * head_.classes;
    return *std::min_element(errors, errors + head_.classes);
  }

  HeadModel head_;
  C2aeSettings settings_;
  std::vector<double> match_;     ///< errors for the right class
  std::vector<double> opposite_;  ///< minus those for another: the left tail of errors is the right one of these
  double threshold_ = 0;
  bool has_tails_ = false;
};

}  // namespace

FittedScorePointer make_c2ae(const HeadModel& head, const FittedScoreOptions& options) {
  return std::make_unique<C2ae>(head, options.c2ae);
}

}  // namespace bcr::scores
