#include "src/metrics/confusion_matrix.hpp"

#include "src/core/error.hpp"

#include <string>
#include <string_view>

namespace bcr::metrics {

namespace {

constexpr std::string_view operation = "open-set samples";

void check_length(const std::string_view what, const std::size_t expected, const std::size_t received) {
  if (expected == received) return;
  throw ShapeError(operation, std::to_string(expected) + " " + std::string(what), std::to_string(received));
}

void check_classes(const std::string_view what, const std::span<const std::int32_t> values,
                   const std::int32_t classes) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] >= 0 && values[i] < classes) continue;
    throw ShapeError(operation, std::string(what) + " in [0, " + std::to_string(classes) + ")",
                     std::to_string(values[i]) + " at index " + std::to_string(i));
  }
}

template <class T>
void check_scores(const std::string_view what, const std::span<const T> scores) {
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] == scores[i]) continue;
    throw NumericsError(operation, std::string(what) + " that are numbers", "NaN at index " + std::to_string(i));
  }
}

double ratio(const std::uint64_t numerator, const std::uint64_t denominator) {
  return denominator == 0 ? 0.0 : static_cast<double>(numerator) / static_cast<double>(denominator);
}

double mean_of_f1(const ConfusionMatrix& matrix) {
  double sum = 0;
  for (std::int32_t c = 0; c < matrix.classes(); ++c) {
    sum += ratio(2 * matrix(c, c), matrix.truths(c) + matrix.predictions(c));
  }
  return sum / matrix.classes();
}

double harmonic_of_means(const ConfusionMatrix& matrix) {
  double precision = 0;
  double recall = 0;
  for (std::int32_t c = 0; c < matrix.classes(); ++c) {
    precision += ratio(matrix(c, c), matrix.predictions(c) + 1);
    recall += ratio(matrix(c, c), matrix.truths(c) + 1);
  }
  precision /= matrix.classes();
  recall /= matrix.classes();
  if (precision + recall == 0) return 0;
  return 2 * precision * recall / (precision + recall);
}

}  // namespace

ConfusionMatrix::ConfusionMatrix(const std::int32_t classes) : classes_(classes) {
  require<ShapeError>(classes > 0, "ConfusionMatrix", "at least one class", std::to_string(classes));
  const auto count = static_cast<std::size_t>(classes);
  hits_.assign(count, 0);
  truths_.assign(count, 0);
  predictions_.assign(count, 0);
}

void ConfusionMatrix::add(const std::int32_t truth, const std::int32_t prediction) {
  const bool inside = truth >= 0 && truth < classes_ && prediction >= 0 && prediction < classes_;
  if (!inside) {
    throw ShapeError("ConfusionMatrix::add", "classes in [0, " + std::to_string(classes_) + ")",
                     "truth " + std::to_string(truth) + ", prediction " + std::to_string(prediction));
  }
  ++truths_[static_cast<std::size_t>(truth)];
  ++predictions_[static_cast<std::size_t>(prediction)];
  if (truth == prediction) {
    ++hits_[static_cast<std::size_t>(truth)];
  } else {
    ++misses_[place(truth, prediction)];
  }
}

template <class T>
void check(const OpenSetSamples<T>& samples) {
  require<ShapeError>(samples.classes > 0, operation, "at least one known class", std::to_string(samples.classes));
  check_length("known predictions", samples.known_scores.size(), samples.known_predictions.size());
  check_length("known labels", samples.known_scores.size(), samples.known_labels.size());
  check_length("unknown predictions", samples.unknown_scores.size(), samples.unknown_predictions.size());
  check_classes("known predictions", samples.known_predictions, samples.classes);
  check_classes("known labels", samples.known_labels, samples.classes);
  check_classes("unknown predictions", samples.unknown_predictions, samples.classes);
  check_scores("known scores", samples.known_scores);
  check_scores("unknown scores", samples.unknown_scores);
}

template <class T>
ConfusionMatrix open_set_confusion(const OpenSetSamples<T>& samples, const double threshold) {
  check(samples);
  require<NumericsError>(threshold == threshold, "open_set_confusion", "a threshold that is a number", "NaN");
  const std::int32_t unknown = samples.classes;
  ConfusionMatrix matrix(samples.classes + 1);
  for (std::size_t i = 0; i < samples.known_scores.size(); ++i) {
    const bool accepted = static_cast<double>(samples.known_scores[i]) >= threshold;
    matrix.add(samples.known_labels[i], accepted ? samples.known_predictions[i] : unknown);
  }
  for (std::size_t i = 0; i < samples.unknown_scores.size(); ++i) {
    const bool accepted = static_cast<double>(samples.unknown_scores[i]) >= threshold;
    matrix.add(unknown, accepted ? samples.unknown_predictions[i] : unknown);
  }
  return matrix;
}

double macro_f1(const ConfusionMatrix& matrix, const F1Definition definition) {
  return definition == F1Definition::mean_of_f1 ? mean_of_f1(matrix) : harmonic_of_means(matrix);
}

template void check<float>(const OpenSetSamples<float>&);
template void check<double>(const OpenSetSamples<double>&);
template ConfusionMatrix open_set_confusion<float>(const OpenSetSamples<float>&, double);
template ConfusionMatrix open_set_confusion<double>(const OpenSetSamples<double>&, double);

}  // namespace bcr::metrics
