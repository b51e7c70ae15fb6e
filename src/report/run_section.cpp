#include "src/report/run_section.hpp"

#include "src/report/figures/confusion.hpp"
#include "src/report/figures/examples.hpp"
#include "src/report/figures/feature_map.hpp"
#include "src/report/figures/inclusion_figure.hpp"
#include "src/report/figures/score_curves.hpp"
#include "src/report/figures/score_histogram.hpp"
#include "src/report/figures/training.hpp"
#include "src/report/plot/markup.hpp"
#include "src/report/tables/summary.hpp"

#include <fmt/format.h>

#include <utility>

namespace bcr::report {

namespace {

void append(Figures& figures, Figures more) {
  for (Figure& figure : more) figures.push_back(std::move(figure));
}

void add_section(Page& page, const char* const title, const Figures& figures, const std::string& prefix) {
  if (figures.empty()) return;
  page.add_heading(3, title);
  page.add_figures(figures, prefix);
}

void add_scores(Page& page, const Run& run, const std::string& prefix) {
  if (!run.scores) return;
  Figures open = score_curves(*run.scores);
  append(open, score_histograms(run));
  append(open, inclusion_figure(*run.scores));
  add_section(page, "Known against unknown", open, prefix);
  Figures classes = confusion_figures(run);
  append(classes, feature_map(*run.scores));
  add_section(page, "Classes and features", classes, prefix);
  if (const std::string sheets = example_sheets(*run.scores); !sheets.empty()) {
    page.add_heading(3, "Best and worst decisions");
    page.add("<div class=\"sheets\">\n" + sheets + "</div>\n");
  }
}

std::string manifest_html(const ManifestEntries& manifest) {
  std::string html = "<div class=\"scroll\"><table class=\"words\"><tbody>\n";
  for (const auto& [key, value] : manifest.entries) {
    html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape(key), escape(value));
  }
  return html + "</tbody></table></div>\n";
}

void add_records(Page& page, const Run& run) {
  if (run.config_text.empty() && run.manifest.entries.empty()) return;
  page.add_heading(3, "How it was made");
  if (!run.config_text.empty()) {
    page.add(fmt::format("<details><summary>Configuration</summary><pre>{}</pre></details>\n", escape(run.config_text)));
  }
  if (!run.manifest.entries.empty()) {
    page.add("<details><summary>Manifest: versions, machine, data, hashes</summary>" + manifest_html(run.manifest) +
             "</details>\n");
  }
}

}  // namespace

void add_run(Page& page, const Run& run, const std::string& prefix) {
  page.add(summary_line(run));
  page.add(summary_cards(run));
  for (const std::string& note : run.notes) page.add_note(note);
  add_section(page, "Training", training_figures(run.log), prefix);
  add_scores(page, run, prefix);
  if (run.metrics) {
    if (const std::string table = metrics_table(*run.metrics); !table.empty()) {
      page.add_heading(3, "All numbers");
      page.add(table);
    }
    page.add(reference_table(*run.metrics));
  }
  add_records(page, run);
}

}  // namespace bcr::report
