#include "src/report/figures/run_figures.hpp"

#include "kernels/gamma/incomplete_gamma.hpp"
#include "src/report/plot/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bcr::report {

namespace {

constexpr int samples = 240;
constexpr std::size_t bins = 60;

/// D of each image from its score -D^2.
std::vector<double> distances_of(const ScoredSet& set) {
  std::vector<double> distances;
  const auto list = set.scores.find("min_distance");
  if (list == set.scores.end()) return distances;
  for (const double score : list->second) distances.push_back(std::sqrt(std::max(-score, 0.0)));
  return distances;
}

void add_shade(std::vector<Series>& series, const std::string& name, const std::vector<double>& distances,
               const Axis& axis, const std::size_t colour) {
  if (distances.empty()) return;
  const auto shares = histogram_shares(distances, axis, bins);
  const double highest = *std::max_element(shares.begin(), shares.end());
  series.push_back({name, histogram_outline(shares, axis, 1.25 * highest), colour, Stroke::shade});
}

}  // namespace

double inclusion_probability(const double dimension, const double distance) {
  return kernels::incomplete_gamma(dimension / 2, distance * distance / 2).q();
}

double hypersphere_probability(const double distance) {
  return std::exp(1 - std::sqrt(distance * distance + 1));
}

Figures inclusion_figure(const RunScores& scores) {
  if (scores.anchors.width == 0) return {};
  const auto n = static_cast<double>(scores.anchors.width);
  std::vector<std::vector<double>> lists(2);
  lists[0] = distances_of(scores.known);
  for (const ScoredSet& set : scores.unknown) {
    const auto more = distances_of(set);
    lists[1].insert(lists[1].end(), more.begin(), more.end());
  }
  Axis x = histogram_range("distance D to the nearest anchor", lists, 0.01);
  x.low = 0;
  x.high = std::min(std::max(x.high, 1.8 * std::sqrt(n)), 6 * std::sqrt(n));
  Series inclusion{"P_I", {}, 0};
  Series hypersphere{"P_H", {}, 1};
  for (int i = 0; i <= samples; ++i) {
    const double distance = x.high * i / samples;
    inclusion.points.push_back({distance, inclusion_probability(n, distance)});
    hypersphere.points.push_back({distance, hypersphere_probability(distance)});
  }
  std::vector<Series> series;
  add_shade(series, "known images", lists[0], x, 0);
  add_shade(series, "unknown images", lists[1], x, 1);
  series.push_back(std::move(inclusion));
  series.push_back(std::move(hypersphere));
  Figures figures;
  figures.push_back(
      {"inclusion",
       fmt::format("Probability of inclusion P_I = Q(n/2, D²/2) for n = {} and the hypersphere classifier's "
                   "P_H = exp(1 − √(D² + 1)), as in Figure 2 of the paper. Shaded: where the test images "
                   "lie, each heap scaled to the same height.",
                   scores.anchors.width),
       draw(LinePlot{"P_I and P_H against distance", x, {"probability", 0, 1.02}, std::move(series), {}, {}})});
  return figures;
}

}  // namespace bcr::report
