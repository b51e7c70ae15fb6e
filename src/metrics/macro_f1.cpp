#include "src/metrics/macro_f1.hpp"

namespace bcr::metrics {

namespace {

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

double macro_f1(const ConfusionMatrix& matrix, const F1Definition definition) {
  return definition == F1Definition::mean_of_f1 ? mean_of_f1(matrix) : harmonic_of_means(matrix);
}

}  // namespace bcr::metrics
