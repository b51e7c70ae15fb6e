#include "src/report/figures/thresholds.hpp"

#include "src/metrics/threshold.hpp"

namespace bcr::report {

namespace {

constexpr const char* recall_name = "95 % of known";

std::string display_name(const std::string& key) {
  if (key == "inclusion") return "P_I = ½";
  if (key == "known_recall_95") return recall_name;
  return key;
}

}  // namespace

std::vector<RejectionRule> rejection_rules(const Run& run) {
  std::vector<RejectionRule> rules;
  if (run.metrics) {
    const auto found = run.metrics->thresholds.find(run.scores ? run.scores->default_score : run.metrics->default_score);
    if (found != run.metrics->thresholds.end()) {
      for (const auto& [key, value] : found->second) rules.push_back({display_name(key), value});
    }
  }
  if (!rules.empty() || !run.scores) return rules;
  const auto train = run.scores->train_scores.find(run.scores->default_score);
  if (train != run.scores->train_scores.end() && !train->second.empty()) {
    rules.push_back({recall_name, metrics::known_recall_threshold(std::span<const double>(train->second))});
  }
  return rules;
}

}  // namespace bcr::report
