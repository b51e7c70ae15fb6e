#include "src/train/decision.hpp"

#include "src/metrics/threshold.hpp"
#include "src/run/set_metrics.hpp"

#include <fmt/format.h>

namespace bcr::train {

std::vector<Decision> threshold_decisions(const std::string& score, const losses::ScoreShape& shape,
                                          const std::vector<double>& known, const std::string& origin,
                                          const EvalOptions& options, const bool is_default) {
  std::vector<Decision> decisions;
  if (losses::all_scores().contains(score)) {
    const losses::ScoreEntry& entry = losses::all_scores().find(score);
    if (entry.inclusion_boundary)
      decisions.push_back({score, "inclusion", entry.inclusion_boundary(shape), "P_I = 1/2"});
  }
  if (!known.empty())
    decisions.push_back({score, "recall", metrics::known_recall_threshold<double>(known, options.recall),
                         fmt::format("accepts {:g} % of {} {} images", 100 * options.recall, known.size(), origin)});
  if (score == "max_softmax") decisions.push_back({score, "tau", options.softmax_threshold, "eval.softmax_threshold"});
  if (is_default && options.threshold) decisions.push_back({score, "given", *options.threshold, "eval.threshold"});
  return decisions;
}

std::vector<std::int32_t> decide(const io::SetScores& set, const Decision& decision, const std::int32_t classes) {
  return run::decide(set, decision.score, *decision.threshold, classes);
}

}  // namespace bcr::train
