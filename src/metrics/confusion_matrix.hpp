#ifndef BCR_SRC_METRICS_CONFUSION_MATRIX_HPP
#define BCR_SRC_METRICS_CONFUSION_MATRIX_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bcr::metrics {

/// Classified samples of an open-set test: labels 0 ... classes - 1 for the known ones, none for the unknown ones,
/// a closed-set prediction and a score (higher = more known) for all. Spans of one kind have the same length.
template <class T>
struct OpenSetSamples {
  std::int32_t classes = 0;
  std::span<const T> known_scores;
  std::span<const std::int32_t> known_predictions;
  std::span<const std::int32_t> known_labels;
  std::span<const T> unknown_scores;
  std::span<const std::int32_t> unknown_predictions;
};

/// Counts by (true class, predicted class). For open sets there are C + 1 classes, the last being "unknown".
class ConfusionMatrix {
 public:
  explicit ConfusionMatrix(std::int32_t classes);

  std::int32_t classes() const { return classes_; }
  void add(std::int32_t truth, std::int32_t prediction);
  std::uint64_t operator()(std::int32_t truth, std::int32_t prediction) const {
    return counts_[place(truth, prediction)];
  }

  /// Samples of that true class (row sum) and samples given that class (column sum).
  std::uint64_t truths(std::int32_t truth) const;
  std::uint64_t predictions(std::int32_t prediction) const;

 private:
  std::size_t place(const std::int32_t truth, const std::int32_t prediction) const {
    return static_cast<std::size_t>(truth) * static_cast<std::size_t>(classes_) + static_cast<std::size_t>(prediction);
  }

  std::int32_t classes_;
  std::vector<std::uint64_t> counts_;
};

/// ShapeError if lengths differ or a label or prediction is no class; NumericsError for a NaN score.
template <class T>
void check(const OpenSetSamples<T>& samples);

/// The (C + 1) x (C + 1) matrix of the classifier that answers "unknown" when score < threshold and its closed-set
/// prediction otherwise. Checks the samples.
template <class T>
ConfusionMatrix open_set_confusion(const OpenSetSamples<T>& samples, double threshold);

}  // namespace bcr::metrics

#endif
