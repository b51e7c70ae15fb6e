#include "src/predict/rejection.hpp"

#include "src/core/error.hpp"
#include "src/metrics/threshold.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace bcr::predict {
namespace {

std::string name_of(const Rule rule) {
  for (const auto& [name, value] : enum_names(rule))
    if (value == rule) return std::string(name);
  return "";
}

bool needs_calibration(const Rule rule) {
  return rule == Rule::conformal || rule == Rule::class_conformal || rule == Rule::recall;
}

std::optional<double> inclusion_boundary(const std::string& score, const losses::ScoreShape& shape) {
  const losses::ScoreEntry& entry = losses::all_scores().find(score);
  if (!entry.inclusion_boundary) return std::nullopt;
  return entry.inclusion_boundary(shape);
}

Rule chosen_rule(const RejectionOptions& options, const bool calibrated, const bool has_inclusion,
                 const std::string& file) {
  if (options.rule) return *options.rule;
  if (options.threshold) return Rule::given;
  if (calibrated) return Rule::conformal;
  if (has_inclusion) return Rule::inclusion;
  throw ConfigError("predict with " + file,
                    "thresholds: a run with data.validation, a distance head, --threshold, or --rule never",
                    "a linear head without scores of validation images");
}

/// The scores of all validation images, or those of each guessed class.
std::vector<metrics::Conformal> groups_of(const io::Calibration& calibration, const Rule rule, const int classes) {
  std::vector<metrics::Conformal> groups;
  if (calibration.empty()) return groups;
  if (rule != Rule::class_conformal) return {metrics::Conformal(calibration.scores)};
  for (std::int32_t c = 0; c < classes; ++c) {
    std::vector<double> scores;
    for (std::size_t i = 0; i < calibration.scores.size(); ++i)
      if (calibration.predictions[i] == c) scores.push_back(calibration.scores[i]);
    groups.emplace_back(scores);
  }
  return groups;
}

}  // namespace

Rejection::Rejection(const RejectionOptions& options, const io::Calibration& calibration, const std::string& score,
                     const losses::ScoreShape& shape, const std::string& file) {
  if (!(options.alpha > 0 && options.alpha < 1))
    throw ConfigError("--alpha", "a share between 0 and 1", fmt::format("{}", options.alpha));
  if (options.threshold && std::isnan(*options.threshold)) throw ConfigError("--threshold", "a number", "nan");
  const auto boundary = inclusion_boundary(score, shape);
  rule_ = chosen_rule(options, !calibration.empty(), boundary.has_value(), file);
  const std::string operation = "--rule " + name_of(rule_);
  require<ConfigError>(!options.threshold || rule_ == Rule::given, "--threshold", "--rule given", operation);
  if (needs_calibration(rule_) && calibration.empty())
    throw ConfigError(operation, "scores of validation images: train with data.validation",
                      "none in checkpoint " + file);
  require<IoError>(calibration.empty() || calibration.score == score, "checkpoint " + file,
                   "validation images with the score " + score, calibration.score);
  groups_ = groups_of(calibration, rule_, shape.classes);

  const std::size_t count = calibration.scores.size();
  switch (rule_) {
    case Rule::conformal:
    case Rule::class_conformal:
      for (const metrics::Conformal& group : groups_) thresholds_.push_back(group.threshold(options.alpha));
      found_ = fmt::format("rejects at most {:g} % of known images{}, by {} validation images", 100 * options.alpha,
                           rule_ == Rule::conformal ? "" : " of each guessed class", count);
      break;
    case Rule::recall:
      thresholds_ = {metrics::known_recall_threshold<double>(calibration.scores, 1 - options.alpha)};
      found_ = fmt::format("accepts {:g} % of {} validation images", 100 * (1 - options.alpha), count);
      break;
    case Rule::inclusion:
      if (!boundary) throw ConfigError(operation, "a score that is a function of P_I", score);
      thresholds_ = {*boundary};
      found_ = "P_I = 1/2";
      break;
    case Rule::given:
      if (!options.threshold) throw ConfigError(operation, "--threshold", "none");
      thresholds_ = {*options.threshold};
      found_ = "--threshold";
      break;
    case Rule::never:
      thresholds_ = {-std::numeric_limits<double>::infinity()};
      found_ = "rejects nothing";
      break;
  }
}

double Rejection::threshold(const std::int32_t guess) const {
  return thresholds_[rule_ == Rule::class_conformal ? static_cast<std::size_t>(guess) : 0];
}

const metrics::Conformal& Rejection::group_of(const std::int32_t guess) const {
  return groups_[rule_ == Rule::class_conformal ? static_cast<std::size_t>(guess) : 0];
}

std::optional<double> Rejection::p_value(const double score, const std::int32_t guess) const {
  if (groups_.empty()) return std::nullopt;
  return group_of(guess).p_value(score);
}

}  // namespace bcr::predict
