#include "src/train/known_thresholds.hpp"

#include "src/metrics/threshold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bcr::train {

std::optional<io::FoundThreshold> inclusion_threshold(const std::string& score, const losses::ScoreShape& shape) {
  const losses::ScoreEntry& entry = losses::all_scores().find(score);
  if (!entry.inclusion_boundary) return std::nullopt;
  return io::FoundThreshold{.rule = "inclusion",
                            .score = score,
                            .alpha = std::nullopt,
                            .values = {entry.inclusion_boundary(shape)},
                            .found = "P_I = 1/2"};
}

io::FoundThreshold recall_threshold(const io::Calibration& calibration, const double alpha) {
  return {.rule = "recall",
          .score = calibration.score,
          .alpha = alpha,
          .values = {metrics::known_recall_threshold<double>(calibration.scores, 1 - alpha)},
          .found = fmt::format("accepts {:g} % of {} validation images", 100 * (1 - alpha), calibration.scores.size())};
}

io::FoundThreshold conformal_threshold(const io::Calibration& calibration, const double alpha) {
  return {.rule = "conformal",
          .score = calibration.score,
          .alpha = alpha,
          .values = {metrics::Conformal(calibration.scores).threshold(alpha)},
          .found = fmt::format("rejects at most {:g} % of known images, by {} validation images", 100 * alpha,
                               calibration.scores.size())};
}

io::FoundThreshold class_conformal_threshold(const io::Calibration& calibration, const int classes,
                                             const double alpha) {
  io::FoundThreshold found{.rule = "class-conformal",
                           .score = calibration.score,
                           .alpha = alpha,
                           .values = {},
                           .found = fmt::format("rejects at most {:g} % of known images of each guessed class, by {} "
                                                "validation images",
                                                100 * alpha, calibration.scores.size())};
  for (const metrics::Conformal& group : conformal_of_classes(calibration, classes))
    found.values.push_back(group.threshold(alpha));
  return found;
}

std::vector<metrics::Conformal> conformal_of_classes(const io::Calibration& calibration, const int classes) {
  std::vector<metrics::Conformal> groups;
  for (std::int32_t c = 0; c < classes; ++c) {
    std::vector<double> scores;
    for (std::size_t i = 0; i < calibration.scores.size(); ++i)
      if (calibration.predictions[i] == c) scores.push_back(calibration.scores[i]);
    groups.emplace_back(scores);
  }
  return groups;
}

std::vector<io::FoundThreshold> known_thresholds(const io::Calibration& calibration, const std::string& score,
                                                 const losses::ScoreShape& shape) {
  std::vector<io::FoundThreshold> thresholds;
  if (auto inclusion = inclusion_threshold(score, shape)) thresholds.push_back(std::move(*inclusion));
  const bool numbers = std::none_of(calibration.scores.begin(), calibration.scores.end(),
                                    [](const double value) { return std::isnan(value); });
  if (calibration.empty() || !numbers) return thresholds;  // whoever predicts is told of the NaN
  thresholds.push_back(recall_threshold(calibration, usual_alpha));
  thresholds.push_back(conformal_threshold(calibration, usual_alpha));
  const auto groups = conformal_of_classes(calibration, shape.classes);
  if (std::all_of(groups.begin(), groups.end(), [](const auto& group) { return group.least_p_value() <= usual_alpha; }))
    thresholds.push_back(class_conformal_threshold(calibration, shape.classes, usual_alpha));
  return thresholds;
}

}  // namespace bcr::train
