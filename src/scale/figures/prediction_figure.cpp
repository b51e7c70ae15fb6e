#include "src/scale/figures/study_page.hpp"

#include "src/report/plot/plots.hpp"

#include <fmt/format.h>

namespace bcr::scale {
namespace {

struct Kind {
  const char* word;
  std::vector<PredictedPoint> StudyPrediction::*points;
  SweepKind measured;
};

void add_measured(report::LinePlot& plot, const std::span<const MeasuredSeries> all, const SweepKind kind) {
  for (const MeasuredSeries& series : all) {
    if (series.kind != kind) continue;
    const std::size_t colour = series.mode == nn::Mode::fast ? 1 : 0;
    report::Series dots{fmt::format("{}, measured", mode_name(series.mode)), {}, colour, report::Stroke::dots, {}};
    for (const SeriesPoint& entry : series.points) dots.points.push_back({double(entry.value), entry.efficiency.value});
    plot.series.push_back(std::move(dots));
  }
}

report::Figure figure_of(const std::span<const StudyPrediction> predictions, const NetworkOptions& network,
                         const std::span<const MeasuredSeries> measured, const Kind& kind) {
  report::LinePlot plot{.title = fmt::format("PREDICTION: {} scaling over ranks", kind.word),
                        .x = {},
                        .y = {},
                        .series = {},
                        .guides = {},
                        .reference = {}};
  for (const StudyPrediction& prediction : predictions) {
    const std::size_t colour = prediction.mode == nn::Mode::fast ? 1 : 0;
    report::Series line{
        fmt::format("{}, predicted", mode_name(prediction.mode)), {}, colour, report::Stroke::strong, {}};
    for (const PredictedPoint& point : prediction.*kind.points)
      line.points.push_back({double(point.ranks), point.efficiency});
    plot.series.push_back(std::move(line));
  }
  add_measured(plot, measured, kind.measured);
  plot.x = {"ranks", 0.9, 1.1 * network.most_ranks, report::Scale::binary};
  plot.y = {"efficiency", 0, 1.05, report::Scale::linear};
  return {fmt::format("prediction-{}", kind.word),
          fmt::format("Nothing of the lines was measured on more than one rank: messages of {} µs latency and {} "
                      "GB/s, {} % of the backward pass hiding messages, gradients joined by {}.",
                      network.latency_us, network.bandwidth_gbs, 100 * network.overlap,
                      network.join == Join::tree ? "a tree" : "exchange"),
          report::draw(plot)};
}

}  // namespace

report::Figures prediction_figures(const std::span<const StudyPrediction> predictions, const NetworkOptions& network,
                                   const std::span<const MeasuredSeries> measured) {
  if (predictions.empty()) return {};
  return {figure_of(predictions, network, measured, {"strong", &StudyPrediction::strong, SweepKind::strong_ranks}),
          figure_of(predictions, network, measured, {"weak", &StudyPrediction::weak, SweepKind::weak_ranks})};
}

}  // namespace bcr::scale
