#include "src/scale/figures/study_page.hpp"

#include "src/report/plot/page.hpp"

#include <fmt/format.h>

namespace bcr::scale {
namespace {

using report::escape;
using report::Page;

void add_header(Page& page, const StudyResult& result) {
  const Point* const any = result.points.empty() ? nullptr : &result.points.begin()->second.point;
  page.add(fmt::format(
      "<header><p class=\"over\">bcr scaling study</p><h1>{}</h1><p class=\"line\"><b>{}</b>{}</p></header>\n",
      escape(result.options.study.title), escape(result.machine),
      any == nullptr ? std::string() : fmt::format(", bcr {}, {}", escape(any->version), escape(any->date))));
}

void add_section(Page& page, const std::string& title, const std::string& note, const report::Figures& figures) {
  if (figures.empty()) return;
  page.add_heading(3, title);
  if (!note.empty()) page.add_note(note);
  page.add_figures(figures, "");
}

std::string model_text(const StudyPrediction& prediction) {
  return fmt::format("{}: {:.3g} ms + {:.4g} ms per image ({} batch sizes), gradients of {:.3g} MB.",
                     mode_name(prediction.mode), 1e3 * prediction.compute.fixed, 1e3 * prediction.compute.per_image,
                     prediction.samples, 1e-6 * prediction.gradient_bytes);
}

void add_prediction(Page& page, const StudyResult& result, const std::span<const MeasuredSeries> series,
                    const std::span<const StudyPrediction> predictions) {
  if (predictions.empty()) return;
  std::string note =
      "A model, not a measurement. Every rank is taken to be as fast as the one measured, and messages not "
      "to meet on the way. ";
  for (const StudyPrediction& prediction : predictions) note += model_text(prediction) + " ";
  add_section(page, "Prediction for larger machines", note,
              prediction_figures(predictions, result.options.predict, series));
  page.add(fmt::format("<details><summary>Predicted numbers</summary>{}</details>\n", prediction_html(predictions)));
}

}  // namespace

Page study_page(const StudyResult& result, const std::span<const MeasuredSeries> series,
                const std::span<const StudyPrediction> predictions,
                const std::span<const ProblemPortability> portability) {
  Page page(result.options.study.title + " · bcr scaling study", "bcr-scale");
  add_header(page, result);
  page.add(failures_html(result.failed));
  add_section(page, "More threads, more ranks", "", growth_figures(series));
  add_section(page, "Larger problems", "", size_figures(series));
  add_section(page, "Inside a step", "", point_figures(result));
  page.add_heading(3, "All points");
  page.add_note(
      "Medians with 95 % confidence intervals. Peak and bandwidth are what the same threads reached in loops of "
      "fma and triad, timed in turn with the steps.");
  page.add(points_html(result));
  page.add(fmt::format("<details><summary>Times of the parts of a step</summary>{}</details>\n", regions_html(result)));
  add_section(page, "Performance portability",
              "PP is the harmonic mean of the efficiencies over all platforms, and 0 if one of them is missing.",
              cascade_figures(portability));
  page.add(portability_html(portability));
  add_prediction(page, result, series, predictions);
  return page;
}

}  // namespace bcr::scale
