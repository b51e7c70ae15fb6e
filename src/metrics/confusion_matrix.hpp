#ifndef BCR_SRC_METRICS_CONFUSION_MATRIX_HPP
#define BCR_SRC_METRICS_CONFUSION_MATRIX_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
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
    if (truth == prediction) return hits_[static_cast<std::size_t>(truth)];
    const auto found = misses_.find(place(truth, prediction));
    return found == misses_.end() ? 0 : found->second;
  }

  /// Samples of that true class (row sum) and samples given that class (column sum).
  std::uint64_t truths(const std::int32_t truth) const { return truths_[static_cast<std::size_t>(truth)]; }
  std::uint64_t predictions(const std::int32_t prediction) const {
    return predictions_[static_cast<std::size_t>(prediction)];
  }

 private:
  static std::uint64_t place(const std::int32_t truth, const std::int32_t prediction) {
    return static_cast<std::uint64_t>(truth) << 32 | static_cast<std::uint64_t>(prediction);
  }

  std::int32_t classes_;
  std::vector<std::uint64_t> hits_;
  std::vector<std::uint64_t> truths_;
  std::vector<std::uint64_t> predictions_;
  std::unordered_map<std::uint64_t, std::uint64_t> misses_;  ///< only those that occur: 21,841 classes would need 4 GB
};

/// ShapeError if lengths differ or a label or prediction is no class; NumericsError for a NaN score.
template <class T>
void check(const OpenSetSamples<T>& samples);

/// The (C + 1) x (C + 1) matrix of the classifier that answers "unknown" when score < threshold and its closed-set
/// prediction otherwise. Checks the samples.
template <class T>
ConfusionMatrix open_set_confusion(const OpenSetSamples<T>& samples, double threshold);

enum class F1Definition {
  /// F1_c = 2 TP_c / (2 TP_c + FP_c + FN_c), 0 where that is 0 / 0; the unweighted mean over all classes of the matrix.
  /// scikit-learn's f1_score(labels = all classes, average = "macro", zero_division = 0); what AOSR reports.
  mean_of_f1,
  /// Harmonic mean of mean precision and mean recall, with TP_c / (TP_c + FP_c + 1) and TP_c / (TP_c + FN_c + 1); 0 if
  /// both vanish. The published script of CGDL.
  harmonic_of_means
};

/// Macro-averaged F measure. Pass the (C + 1) x (C + 1) matrix of open_set_confusion for the open-set number.
double macro_f1(const ConfusionMatrix& matrix, F1Definition definition = F1Definition::mean_of_f1);

}  // namespace bcr::metrics

#endif
