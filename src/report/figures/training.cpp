#include "src/report/figures/run_figures.hpp"

#include "src/report/plot/plots.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace bcr::report {

namespace {

struct Curve {
  std::string name;
  std::string key;
};

std::vector<double> values_of(const std::vector<Series>& series, double Point::*const coordinate) {
  std::vector<double> values;
  for (const Series& one : series) {
    for (const Point& point : one.points) values.push_back(point.*coordinate);
  }
  return values;
}

Axis epoch_axis(const std::vector<Series>& series) {
  Axis axis = covering("epoch", values_of(series, &Point::x), Scale::linear, Margin::none);
  axis.low = std::min(axis.low, 0.0);
  return axis;
}

/// Curves of the steps, faint, below those of the epochs; the steps alone where no epoch has ended yet.
std::vector<Series> step_and_epoch_series(const TrainLog& log, const std::vector<Curve>& curves) {
  std::vector<Series> faint;
  std::vector<Series> strong;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    auto steps = series_of(log.steps, curves[i].key);
    auto epochs = series_of(log.epochs, curves[i].key);
    if (epochs.size() < 2) {
      if (!steps.empty()) strong.push_back({curves[i].name, std::move(steps), i});
      continue;
    }
    if (!steps.empty()) faint.push_back({"", std::move(steps), i, Stroke::faint});
    strong.push_back({curves[i].name, std::move(epochs), i});
  }
  faint.insert(faint.end(), strong.begin(), strong.end());
  return faint;
}

/// Whether a series says anything: the parts of a loss that has none are 0 throughout.
bool all_zero(const std::vector<Point>& points) {
  return std::all_of(points.begin(), points.end(), [](const Point& point) { return point.y == 0; });
}

std::vector<Curve> curves_with_values(const TrainLog& log, std::vector<Curve> curves) {
  std::erase_if(curves, [&](const Curve& curve) {
    return all_zero(series_of(log.steps, curve.key)) && all_zero(series_of(log.epochs, curve.key));
  });
  return curves;
}

/// Logarithmic if all values are positive and span more than two decades.
Scale scale_for(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return !values.empty() && *low > 0 && *high > 100 * *low ? Scale::logarithmic : Scale::linear;
}

void add_figure(Figures& figures, const std::string& file, const std::string& title, const std::string& y_label,
                const std::string& caption, std::vector<Series> series, const std::optional<Scale> scale = {}) {
  if (series.empty()) return;
  const std::vector<double> y = values_of(series, &Point::y);
  const Axis x_axis = epoch_axis(series);
  const Axis y_axis = covering(y_label, y, scale.value_or(scale_for(y)));
  figures.push_back({file, caption, draw(LinePlot{title, x_axis, y_axis, std::move(series), {}, {}})});
}

std::vector<Series> quality_series(const TrainLog& log) {
  std::vector<Series> series = step_and_epoch_series(log, {{"accuracy in training", "loss.accuracy"}});
  const std::vector<Curve> curves{
      {"test accuracy", "accuracy"}, {"AUROC", "auroc"}, {"CCR at FPR 0.1", "ccr_fpr_1e-1"}};
  for (std::size_t i = 0; i < curves.size(); ++i) {
    auto points = series_of(log.evaluations, curves[i].key);
    if (points.empty()) continue;
    series.push_back({curves[i].name, points, i + 1});
    series.push_back({"", std::move(points), i + 1, Stroke::dots});
  }
  if (auto points = series_of(log.validations, "accuracy"); !points.empty())
    series.push_back({"validation accuracy", std::move(points), curves.size() + 1});
  return series;
}

/// Only a head with anchors logs them; elsewhere the distances mean nothing.
bool has_anchors(const TrainLog& log) {
  return !series_of(log.steps, "anchors.separation").empty();
}

void add_distances(Figures& figures, const TrainLog& log) {
  add_figure(figures, "distances", "Distance to the nearest anchor over epochs", "D² / n to the nearest anchor",
             "How far known and background images lie from their nearest anchor; the boundary P_I = ½ is near 1.",
             step_and_epoch_series(log, {{"known", "loss.known_nearest"}, {"background", "loss.background_nearest"}}));
  add_figure(figures, "inclusion-rate", "Background images inside a class over epochs", "share of background images",
             "Share of background images with P_I above ½, which the background loss drives out.",
             step_and_epoch_series(log, {{"", "loss.inclusion_rate"}}));
}

}  // namespace

Figures training_figures(const TrainLog& log) {
  Figures figures;
  add_figure(figures, "loss", "Loss over epochs", "loss",
             "The loss and its parts: strong lines are means over an epoch, faint ones single steps.",
             step_and_epoch_series(log, curves_with_values(log, {{"total", "loss.total"},
                                                                 {"classification", "loss.classification"},
                                                                 {"background, known", "loss.background_known"},
                                                                 {"background, unknown", "loss.background_unknown"}})));
  add_figure(figures, "accuracy", "Accuracy over epochs", "share",
             "Accuracy on training batches, and what the evaluations during the training found.", quality_series(log));
  if (has_anchors(log)) add_distances(figures, log);
  add_figure(figures, "speed", "Speed over epochs", "images per second", "Images trained on per second.",
             step_and_epoch_series(log, {{"", "images_per_second"}}));
  add_figure(figures, "learning-rate", "Learning rate over epochs", "learning rate", "The schedule as it was run.",
             step_and_epoch_series(log, {{"", "lr"}}), Scale::linear);
  return figures;
}

Figures training_comparison(const std::span<const Run> runs) {
  std::vector<Series> series;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto points = series_of(runs[i].log.evaluations, "auroc");
    if (!points.empty()) series.push_back({runs[i].name, std::move(points), i});
  }
  Figures figures;
  const bool curves =
      std::any_of(series.begin(), series.end(), [](const Series& one) { return one.points.size() > 1; });
  if (series.size() < 2 || !curves) return figures;
  add_figure(figures, "auroc-by-epoch", "AUROC over epochs", "AUROC", "AUROC found while the runs trained.",
             std::move(series));
  return figures;
}

}  // namespace bcr::report
