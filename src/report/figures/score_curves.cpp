#include "src/report/figures/run_figures.hpp"

#include "src/metrics/accuracy.hpp"
#include "src/report/plot/plots.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace bcr::report {

namespace {

using metrics::OpenSetScores;
using metrics::ScoreSweep;

std::vector<Point> sweep_points(const ScoreSweep& sweep, const std::span<const std::int32_t> accepted) {
  std::vector<Point> points;
  if (sweep.known() == 0 || sweep.unknown() == 0) return points;
  for (std::size_t i = 0; i < accepted.size(); ++i) {
    points.push_back({static_cast<double>(sweep.unknown_above()[i]) / sweep.unknown(),
                      static_cast<double>(accepted[i]) / sweep.known()});
  }
  return points;
}

/// The default score of known images against those of `unknown`; nothing if a part is not there.
std::optional<ScoreSweep> sweep_of(const RunScores& scores, const std::span<const ScoredSet> unknown) {
  const auto known = scores.known.scores.find(scores.default_score);
  if (known == scores.known.scores.end() || scores.known.labels.empty()) return std::nullopt;
  std::vector<double> others;
  for (const ScoredSet& set : unknown) {
    const auto list = set.scores.find(scores.default_score);
    if (list != set.scores.end()) others.insert(others.end(), list->second.begin(), list->second.end());
  }
  if (others.empty()) return std::nullopt;
  const auto correct = metrics::correctness(scores.known.predictions, scores.known.labels);
  return ScoreSweep(OpenSetScores<double>{known->second, correct, others});
}

struct CurvePair {
  std::vector<Series> roc;
  std::vector<Series> oscr;
  double least_fpr = 1;  ///< the smallest rate above 0 that can be seen

  void add(const std::string& name, const ScoreSweep& sweep) {
    const std::size_t colour = roc.size();
    roc.push_back({name, roc_points(sweep), colour});
    oscr.push_back({name, oscr_points(sweep), colour});
    least_fpr = std::min(least_fpr, 1.0 / sweep.unknown());
  }
};

Figures draw_pair(const CurvePair& curves, const std::string& prefix) {
  Figures figures;
  if (curves.roc.empty()) return figures;
  const double low = std::clamp(std::pow(10.0, std::floor(std::log10(curves.least_fpr) + 1e-9)), 1e-4, 0.1);
  figures.push_back(
      {prefix + "roc",
       "ROC: known images accepted against unknown images accepted, over all thresholds. The area is AUROC.",
       draw(LinePlot{"ROC curve",
                     {"unknown images accepted", 0, 1},
                     {"known images accepted", 0, 1},
                     curves.roc,
                     {},
                     std::pair{Point{0, 0}, Point{1, 1}}})});
  figures.push_back({prefix + "oscr",
                     "OSCR: known images accepted and classified right, against unknown images accepted (logarithmic). "
                     "Its value at 0.1 is what the paper prints as OSCR.",
                     draw(LinePlot{"OSCR curve",
                                   {"unknown images accepted", low, 1, Scale::logarithmic},
                                   {"known images right", 0, 1},
                                   curves.oscr,
                                   {{0.1, "FPR 0.1"}},
                                   {}})});
  return figures;
}

}  // namespace

std::vector<Point> roc_points(const ScoreSweep& sweep) {
  return sweep_points(sweep, sweep.known_above());
}

std::vector<Point> oscr_points(const ScoreSweep& sweep) {
  return sweep_points(sweep, sweep.correct_above());
}

Figures score_curves(const RunScores& scores) {
  CurvePair curves;
  for (const ScoredSet& set : scores.unknown) {
    if (const auto sweep = sweep_of(scores, std::span(&set, 1))) curves.add(set.name, *sweep);
  }
  return draw_pair(curves, "");
}

Figures score_curve_comparison(const std::span<const Run> runs) {
  CurvePair curves;
  for (const Run& run : runs) {
    const Run& shown = run.trials.empty() ? run : run.trials.front();
    if (!shown.scores) continue;
    const std::string name = run.trials.empty() ? run.name : run.name + ", trial 1";
    if (const auto sweep = sweep_of(*shown.scores, shown.scores->unknown)) curves.add(name, *sweep);
  }
  return curves.roc.size() < 2 ? Figures() : draw_pair(curves, "runs-");
}

}  // namespace bcr::report
