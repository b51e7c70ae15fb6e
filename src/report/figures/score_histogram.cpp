#include "src/report/figures/run_figures.hpp"

#include "losses/scores/score.hpp"
#include "src/metrics/registry.hpp"
#include "src/metrics/threshold.hpp"
#include "src/report/plot/plots.hpp"
#include "src/scores/fitted_score.hpp"

#include <fmt/format.h>

#include <array>

namespace bcr::report {
namespace {

std::string display_name(const std::string& rule) {
  return metrics::all_decision_rules().contains(rule) ? metrics::all_decision_rules().find(rule).title : rule;
}

}  // namespace

std::vector<RejectionRule> rejection_rules(const Run& run) {
  std::vector<RejectionRule> rules;
  if (run.metrics) {
    const auto found =
        run.metrics->decisions.find(run.scores ? run.scores->default_score : run.metrics->default_score);
    if (found != run.metrics->decisions.end()) {
      for (const auto& [rule, decision] : found->second)
        if (decision.threshold) rules.push_back({display_name(rule), *decision.threshold});
    }
  }
  if (!rules.empty() || !run.scores) return rules;
  const auto train = run.scores->train_scores.find(run.scores->default_score);
  if (train != run.scores->train_scores.end() && !train->second.empty()) {
    rules.push_back({display_name("recall"), metrics::known_recall_threshold(std::span<const double>(train->second))});
  }
  return rules;
}

namespace {

constexpr double cut = 0.005;  ///< share at each end that the first and last bar take in

std::string score_label(const std::string& score) {
  if (losses::all_scores().contains(score)) return "score: " + losses::all_scores().find(score).title;
  if (scores::all_fitted_scores().contains(score)) return "score: " + scores::all_fitted_scores().find(score).title;
  return "score: " + score;
}

}  // namespace

Figures score_histograms(const Run& run) {
  Figures figures;
  if (!run.scores) return figures;
  const RunScores& scores = *run.scores;
  const auto known = scores.known.scores.find(scores.default_score);
  if (known == scores.known.scores.end() || known->second.empty()) return figures;
  std::vector<Guide> guides;
  for (const RejectionRule& rule : rejection_rules(run)) guides.push_back({rule.score, rule.name});
  for (const ScoredSet& set : scores.unknown) {
    const auto list = set.scores.find(scores.default_score);
    if (list == set.scores.end() || list->second.empty()) continue;
    const std::array<std::vector<double>, 2> lists{known->second, list->second};
    const HistogramPlot plot{fmt::format("Scores of known images and of {}", set.name),
                             histogram_range(score_label(scores.default_score), lists, cut),
                             {{"known", known->second, 0}, {"unknown: " + set.name, list->second, 1}},
                             guides};
    figures.push_back({"scores-" + file_name(set.name),
                       "Higher means more known. Left of a dashed line images are called unknown; the outermost bars "
                       "hold what lies beyond the plot.",
                       draw(plot)});
  }
  return figures;
}

}  // namespace bcr::report
