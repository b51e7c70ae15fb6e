#include "src/predict/rejection.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

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

/// That of the checkpoint, if it is for this share.
std::optional<io::FoundThreshold> stored_threshold(const io::Checkpoint& checkpoint, const Rule rule,
                                                   const double alpha, const std::string& score, const int classes,
                                                   const std::string& file) {
  for (const io::FoundThreshold& stored : checkpoint.thresholds) {
    if (stored.rule != name_of(rule) || (stored.alpha && *stored.alpha != alpha)) continue;
    const std::size_t expected = rule == Rule::class_conformal ? static_cast<std::size_t>(classes) : 1;
    require<IoError>(stored.score == score, "checkpoint " + file, "a threshold of the score " + score, stored.score);
    require<IoError>(stored.values.size() == expected, "checkpoint " + file,
                     fmt::format("{} thresholds in /thresholds/{}", expected, stored.rule),
                     std::to_string(stored.values.size()));
    return stored;
  }
  return std::nullopt;
}

io::FoundThreshold find_threshold(const RejectionOptions& options, const Rule rule, const io::Calibration& calibration,
                                  const std::string& score, const losses::ScoreShape& shape) {
  const std::string operation = "--rule " + name_of(rule);
  const auto single = [&](const double value, const char* const found) {
    return io::FoundThreshold{
        .rule = name_of(rule), .score = score, .alpha = std::nullopt, .values = {value}, .found = found};
  };
  switch (rule) {
    case Rule::conformal: return train::conformal_threshold(calibration, options.alpha);
    case Rule::class_conformal: return train::class_conformal_threshold(calibration, shape.classes, options.alpha);
    case Rule::recall: return train::recall_threshold(calibration, options.alpha);
    case Rule::inclusion: {
      auto found = train::inclusion_threshold(score, shape);
      if (!found) throw ConfigError(operation, "a score that is a function of P_I", score);
      return std::move(*found);
    }
    case Rule::given:
      if (!options.threshold) throw ConfigError(operation, "--threshold", "none");
      return single(*options.threshold, "--threshold");
    case Rule::never: break;
  }
  return single(-std::numeric_limits<double>::infinity(), "rejects nothing");
}

}  // namespace

Rejection::Rejection(const RejectionOptions& options, const io::Checkpoint& checkpoint, const std::string& score,
                     const losses::ScoreShape& shape, const std::string& file) {
  const io::Calibration& calibration = checkpoint.calibration;
  if (!(options.alpha > 0 && options.alpha < 1))
    throw ConfigError("--alpha", "a share between 0 and 1", fmt::format("{}", options.alpha));
  if (options.threshold && std::isnan(*options.threshold)) throw ConfigError("--threshold", "a number", "nan");
  rule_ = chosen_rule(options, !calibration.empty(), train::inclusion_threshold(score, shape).has_value(), file);
  const std::string operation = "--rule " + name_of(rule_);
  require<ConfigError>(!options.threshold || rule_ == Rule::given, "--threshold", "--rule given", operation);
  require<IoError>(calibration.empty() || calibration.score == score, "checkpoint " + file,
                   "validation images with the score " + score, calibration.score);
  if (needs_calibration(rule_) && calibration.empty())
    throw ConfigError(operation, "scores of validation images: train with data.validation",
                      "none in checkpoint " + file);
  if (!calibration.empty()) {
    groups_ = rule_ == Rule::class_conformal ? train::conformal_of_classes(calibration, shape.classes)
                                             : std::vector{metrics::Conformal(calibration.scores)};
  }
  auto found = stored_threshold(checkpoint, rule_, options.alpha, score, shape.classes, file);
  if (!found) found = find_threshold(options, rule_, calibration, score, shape);
  thresholds_ = std::move(found->values);
  found_ = std::move(found->found);
}

double Rejection::threshold(const std::int32_t guess) const {
  return thresholds_[group(guess)];
}

std::optional<double> Rejection::p_value(const double score, const std::int32_t guess) const {
  if (groups_.empty()) return std::nullopt;
  return groups_[group(guess)].p_value(score);
}

}  // namespace bcr::predict
