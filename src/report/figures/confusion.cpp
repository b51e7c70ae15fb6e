#include "src/report/figures/run_figures.hpp"

#include "src/metrics/confusion_matrix.hpp"
#include "src/report/plot/frame.hpp"
#include "src/report/plot/plots.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

namespace bcr::report {

namespace {

/// The unknown images of all sets in one list.
struct Unknown {
  std::vector<double> scores;
  std::vector<std::int32_t> predictions;
};

Unknown pooled(const RunScores& scores) {
  Unknown all;
  for (const ScoredSet& set : scores.unknown) {
    const auto list = set.scores.find(scores.default_score);
    if (list == set.scores.end()) continue;
    all.scores.insert(all.scores.end(), list->second.begin(), list->second.end());
    all.predictions.insert(all.predictions.end(), set.predictions.begin(), set.predictions.end());
  }
  return all;
}

HeatMap to_heat_map(const metrics::ConfusionMatrix& matrix, std::vector<std::string> names) {
  HeatMap map{"Confusion matrix", std::move(names), {}};
  const auto size = static_cast<std::int32_t>(map.names.size());
  for (std::int32_t i = 0; i < size; ++i) {
    map.counts.emplace_back();
    for (std::int32_t j = 0; j < size; ++j) map.counts.back().push_back(matrix(i, j));
  }
  return map;
}

}  // namespace

Figures confusion_figures(const Run& run) {
  if (!run.scores || run.scores->known.labels.empty()) return {};
  const RunScores& scores = *run.scores;
  const auto known = scores.known.scores.find(scores.default_score);
  if (known == scores.known.scores.end()) return {};
  const Unknown unknown = pooled(scores);
  const auto rules = rejection_rules(run);
  const bool open = !rules.empty() && !unknown.scores.empty();
  const metrics::OpenSetSamples<double> samples{static_cast<std::int32_t>(scores.classes()),
                                                known->second,
                                                scores.known.predictions,
                                                scores.known.labels,
                                                unknown.scores,
                                                unknown.predictions};
  const double threshold = open ? rules.front().score : -std::numeric_limits<double>::infinity();
  std::vector<std::string> names = scores.class_names;
  if (open) names.emplace_back("unknown");
  const std::string caption =
      open ? fmt::format(
                 "Share of each true class in percent, by row. Images with a score below {} ({}) are called "
                 "unknown; the unknown images of all sets stand in the last row.",
                 number_text(threshold), rules.front().name)
           : std::string("Share of each true class in percent, by row; nothing is rejected.");
  Figures figures;
  figures.push_back(
      {"confusion", caption, draw(to_heat_map(metrics::open_set_confusion(samples, threshold), std::move(names)))});
  return figures;
}

}  // namespace bcr::report
