#include "src/table/result/figures.hpp"

#include "src/report/figures/run_figures.hpp"
#include "src/report/plot/plots.hpp"
#include "src/table/result/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bcr::table {
namespace {

using report::Figures;
using report::Point;
using report::Series;
using report::Stroke;

constexpr double without_background = 0;

struct Curves {
  Series ours;
  Series published;
};

/// The value without a background term stands at the left edge of the logarithmic axis.
double on_axis(const double lambda, const double smallest) {
  return lambda > without_background ? lambda : smallest / 4;
}

double smallest_lambda(const Results& results) {
  double smallest = HUGE_VAL;
  for (const Place& place : results.places) {
    if (place.key.lambda && *place.key.lambda > 0) smallest = std::min(smallest, *place.key.lambda);
  }
  return smallest;
}

/// The places of one curve, by lambda.
std::vector<const Place*> sweep_of(const Results& results, const std::string& setting, const std::string& method,
                                   const std::string& metric) {
  std::vector<const Place*> sweep;
  for (const Place& place : results.places) {
    const bool wanted = place.key.setting == setting && place.shown_as == method && place.key.metric == metric &&
                        place.key.unknown.empty() && place.key.lambda;
    if (wanted) sweep.push_back(&place);
  }
  std::sort(sweep.begin(), sweep.end(), [](const auto* a, const auto* b) { return *a->key.lambda < *b->key.lambda; });
  return sweep;
}

Curves curves_of(const std::vector<const Place*>& sweep, const std::string& title, const std::size_t colour,
                 const double smallest) {
  Curves curves{{title, {}, colour, Stroke::marked}, {title + ", paper (faint)", {}, colour, Stroke::faint}};
  for (const Place* const place : sweep) {
    const double x = on_axis(*place->key.lambda, smallest);
    if (place->published) curves.published.points.push_back({x, *place->published});
    if (!place->ours) continue;
    const double mean = place->ours->mean;
    curves.ours.points.push_back({x, mean});
    if (place->ours->deviation)
      curves.ours.whiskers.push_back({x, mean - *place->ours->deviation, mean + *place->ours->deviation});
  }
  return curves;
}

std::vector<std::string> methods_shown(const Results& results) {
  std::vector<std::string> methods;
  for (const Place& place : results.places) {
    if (std::find(methods.begin(), methods.end(), place.shown_as) == methods.end()) methods.push_back(place.shown_as);
  }
  return methods;
}

report::Drawing draw_sweep(const Results& results, const TablePlan& table, const std::string& setting,
                           const std::string& metric) {
  const double smallest = smallest_lambda(results);
  std::vector<Series> series;
  std::vector<double> lambdas, values;
  std::string title;
  for (const std::string& method : methods_shown(results)) {
    const auto sweep = sweep_of(results, setting, method, metric);
    if (sweep.empty()) continue;
    title = title_of("metric", *sweep.front(), table);
    Curves curves = curves_of(sweep, title_of("method", *sweep.front(), table), series.size() / 2, smallest);
    for (const auto* const one : {&curves.ours, &curves.published}) {
      for (const Point& point : one->points) {
        lambdas.push_back(point.x);
        values.push_back(point.y);
      }
      for (const report::Whisker& whisker : one->whiskers) values.insert(values.end(), {whisker.low, whisker.high});
    }
    series.push_back(std::move(curves.ours));
    series.push_back(std::move(curves.published));
  }
  return report::draw(report::LinePlot{table.setting(setting).title + ": " + title + " against λ",
                                       report::covering("λ", lambdas, report::Scale::logarithmic),
                                       report::covering(title, values), std::move(series), {}, {}});
}

}  // namespace

Figures lambda_curves(const Results& results, const TablePlan& table) {
  Figures figures;
  if (smallest_lambda(results) == HUGE_VAL) return figures;
  std::vector<std::string> settings;
  for (const Place& place : results.places) {
    const bool is_new = std::find(settings.begin(), settings.end(), place.key.setting) == settings.end();
    if (is_new) settings.push_back(place.key.setting);
  }
  for (const std::string& setting : settings) {
    for (const std::string& metric : table.metrics) {
      figures.push_back({fmt::format("lambda-{}-{}", setting, metric),
                         "Dots: ours, bars one standard deviation. Faint: the paper. Left of all others: without a "
                         "background term (λ = 0).",
                         draw_sweep(results, table, setting, metric)});
    }
  }
  return figures;
}

Figures comparison_dots(const Results& results, const TablePlan& table) {
  Figures figures;
  if (smallest_lambda(results) != HUGE_VAL) return figures;
  for (const std::string& metric : table.metrics) {
    report::DotPlot plot{"", "", {}, {{"bcr", {}}, {"paper", {}}}};
    for (const Place& place : results.places) {
      if (place.key.metric != metric || (!place.ours && !place.published)) continue;
      std::string row;
      for (const char* const dimension : {"setting", "unknown", "method"}) {
        const std::string title = title_of(dimension, place, table);
        if (!title.empty()) row += (row.empty() ? "" : ", ") + title;
      }
      plot.title = plot.x_label = title_of("metric", place, table);
      plot.rows.push_back(row);
      using Dot = report::DotPlot::Dot;
      plot.series[0].dots.push_back(
          place.ours ? std::optional(Dot{place.ours->mean, place.ours->deviation.value_or(0)}) : std::nullopt);
      plot.series[1].dots.push_back(place.published ? std::optional(Dot{*place.published, 0}) : std::nullopt);
    }
    if (!plot.rows.empty()) {
      figures.push_back({"compared-" + report::file_name(metric), "Bars: one standard deviation.", report::draw(plot)});
    }
  }
  return figures;
}

Figures inclusion_curves(const std::span<const int> dimensions) {
  constexpr int samples = 400;
  const double furthest = 1.6 * std::sqrt(*std::max_element(dimensions.begin(), dimensions.end()));
  std::vector<Series> series{{"P_H", {}, 0}};
  for (const int n : dimensions) series.push_back({fmt::format("P_I, n = {}", n), {}, series.size()});
  for (int i = 0; i <= samples; ++i) {
    const double distance = furthest * i / samples;
    series[0].points.push_back({distance, report::hypersphere_probability(distance)});
    for (std::size_t k = 0; k < dimensions.size(); ++k)
      series[k + 1].points.push_back({distance, report::inclusion_probability(dimensions[k], distance)});
  }
  Figures figures;
  figures.push_back({"figure-2",
                     "P_I = Q(n/2, D²/2), the probability of inclusion, and P_H = exp(1 − √(D² + 1)) of the "
                     "hypersphere classifier, against the distance D of a feature to its anchor.",
                     report::draw(report::LinePlot{"P_I and P_H against the distance",
                                                   {"distance D", 0, furthest},
                                                   {"probability", 0, 1.02},
                                                   std::move(series),
                                                   {},
                                                   {}})});
  return figures;
}

std::string inclusion_csv(const std::span<const int> dimensions) {
  std::string text = "D,P_H";
  for (const int n : dimensions) text += fmt::format(",P_I n={}", n);
  text += "\n";
  const double furthest = std::ceil(1.6 * std::sqrt(*std::max_element(dimensions.begin(), dimensions.end())));
  for (int half = 0; half <= 2 * furthest; ++half) {
    const double distance = half / 2.0;
    text += fmt::format("{:g},{:.6g}", distance, report::hypersphere_probability(distance));
    for (const int n : dimensions) text += fmt::format(",{:.6g}", report::inclusion_probability(n, distance));
    text += "\n";
  }
  return text;
}

}  // namespace bcr::table
