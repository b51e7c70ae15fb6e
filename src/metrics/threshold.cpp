#include "src/metrics/threshold.hpp"

#include "src/core/error.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <vector>

namespace bcr::metrics {

namespace {

/// Sum of C + 1 numbers of which one changes at a time.
class SumTree {
 public:
  explicit SumTree(const std::size_t leaves) : first_leaf_(std::bit_ceil(leaves)), nodes_(2 * first_leaf_, 0.0) {}

  void set(const std::size_t leaf, const double value) {
    std::size_t node = first_leaf_ + leaf;
    nodes_[node] = value;
    for (node /= 2; node >= 1; node /= 2) nodes_[node] = nodes_[2 * node] + nodes_[2 * node + 1];
  }
  double sum() const { return nodes_[1]; }

 private:
  std::size_t first_leaf_;
  std::vector<double> nodes_;
};

/// True positives, and 2 TP + FP + FN = samples of the class + samples given the class.
struct ClassCount {
  std::int64_t right = 0;
  std::int64_t truths_and_predictions = 0;

  double f1() const {
    if (truths_and_predictions == 0) return 0;
    return static_cast<double>(2 * right) / static_cast<double>(truths_and_predictions);
  }
};

struct Sample {
  double score;
  std::int32_t truth;
  std::int32_t prediction;
};

template <class T>
std::vector<Sample> by_descending_score(const OpenSetSamples<T>& samples) {
  std::vector<Sample> sorted;
  sorted.reserve(samples.known_scores.size() + samples.unknown_scores.size());
  for (std::size_t i = 0; i < samples.known_scores.size(); ++i) {
    sorted.push_back(
        {static_cast<double>(samples.known_scores[i]), samples.known_labels[i], samples.known_predictions[i]});
  }
  for (std::size_t i = 0; i < samples.unknown_scores.size(); ++i) {
    sorted.push_back({static_cast<double>(samples.unknown_scores[i]), samples.classes, samples.unknown_predictions[i]});
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Sample& a, const Sample& b) { return a.score > b.score; });
  return sorted;
}

/// Per-class counts and the sum of F1 while samples go over from "unknown" to their prediction one by one.
class AcceptingClassifier {
 public:
  AcceptingClassifier(const std::vector<Sample>& samples, const std::int32_t classes)
      : unknown_(static_cast<std::size_t>(classes)), counts_(unknown_ + 1), f1_(unknown_ + 1) {
    for (const Sample& sample : samples) {
      ++counts_[static_cast<std::size_t>(sample.truth)].truths_and_predictions;
      ++counts_[unknown_].truths_and_predictions;
      if (sample.truth == classes) ++counts_[unknown_].right;
    }
    for (std::size_t c = 0; c <= unknown_; ++c) f1_.set(c, counts_[c].f1());
  }

  void accept(const Sample& sample) {
    const auto prediction = static_cast<std::size_t>(sample.prediction);
    --counts_[unknown_].truths_and_predictions;
    if (static_cast<std::size_t>(sample.truth) == unknown_) --counts_[unknown_].right;
    ++counts_[prediction].truths_and_predictions;
    if (sample.truth == sample.prediction) ++counts_[prediction].right;
    f1_.set(prediction, counts_[prediction].f1());
    f1_.set(unknown_, counts_[unknown_].f1());
  }

  double macro_f1() const { return f1_.sum() / static_cast<double>(unknown_ + 1); }

 private:
  std::size_t unknown_;
  std::vector<ClassCount> counts_;
  SumTree f1_;
};

}  // namespace

template <class T>
double known_recall_threshold(const std::span<const T> known_scores, const double recall) {
  require<ShapeError>(!known_scores.empty(), "known_recall_threshold", "at least one known score", "none");
  if (!(recall > 0 && recall <= 1)) {
    throw NumericsError("known_recall_threshold", "a recall in (0, 1]", std::to_string(recall));
  }
  std::vector<double> scores(known_scores.begin(), known_scores.end());
  const auto nan = std::find_if(scores.begin(), scores.end(), [](const double s) { return s != s; });
  if (nan != scores.end()) {
    throw NumericsError("known_recall_threshold", "scores that are numbers",
                        "NaN at index " + std::to_string(nan - scores.begin()));
  }
  const auto n = static_cast<double>(scores.size());
  auto k = static_cast<std::size_t>(recall * n);
  while (k > 1 && static_cast<double>(k - 1) / n >= recall) --k;
  while (k < 1 || static_cast<double>(k) / n < recall) ++k;
  const auto place = scores.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(scores.begin(), place, scores.end(), [](const double a, const double b) { return a > b; });
  return *place;
}

template <class T>
OracleThreshold oracle_f1_threshold(const OpenSetSamples<T>& samples) {
  check(samples);
  const std::vector<Sample> sorted = by_descending_score(samples);
  require<ShapeError>(!sorted.empty(), "oracle_f1_threshold", "at least one sample", "none");
  AcceptingClassifier classifier(sorted, samples.classes);
  OracleThreshold best{std::numeric_limits<double>::infinity(), classifier.macro_f1()};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    classifier.accept(sorted[i]);
    if (i + 1 < sorted.size() && sorted[i + 1].score == sorted[i].score) continue;
    if (classifier.macro_f1() > best.macro_f1) best = {sorted[i].score, classifier.macro_f1()};
  }
  return best;
}

template double known_recall_threshold<float>(std::span<const float>, double);
template double known_recall_threshold<double>(std::span<const double>, double);
template OracleThreshold oracle_f1_threshold<float>(const OpenSetSamples<float>&);
template OracleThreshold oracle_f1_threshold<double>(const OpenSetSamples<double>&);

}  // namespace bcr::metrics
