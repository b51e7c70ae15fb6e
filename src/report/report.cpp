#include "src/report/report.hpp"

#include "src/core/error.hpp"
#include "src/report/figures/run_figures.hpp"
#include "src/report/plot/page.hpp"
#include "src/report/run_section.hpp"
#include "src/report/tables/run_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bcr::report {

namespace {

namespace fs = std::filesystem;

/// Runs of the same name are told apart by the path they were given by.
void make_names_unique(std::vector<Run>& runs) {
  std::vector<std::string> names;
  for (const Run& run : runs) names.push_back(run.name);
  for (Run& run : runs) {
    if (std::count(names.begin(), names.end(), run.name) > 1) run.name = run.directory.lexically_normal().string();
  }
}

void add_comparison(Page& page, const std::span<const Run> runs) {
  const RunComparison comparison = compare(runs);
  page.add(comparison_html(comparison));
  page.add(paper_results_html(comparison));
  Figures figures = comparison_figure(comparison);
  for (Figures more : {score_curve_comparison(runs), training_comparison(runs)}) {
    for (Figure& figure : more) figures.push_back(std::move(figure));
  }
  page.add_figures(figures, "");
}

void add_folded(Page& page, const Run& run, const std::string& title, const std::string& prefix,
                const char* const state) {
  page.add(fmt::format("<details class=\"run\"{}><summary><h2>{}</h2></summary>\n", state, escape(title)));
  add_run(page, run, prefix);
  page.add("</details>\n");
}

/// A run with trials: means first, then the trials side by side, then each of them.
void add_trials(Page& page, const Run& run, const std::string& prefix) {
  page.add(summary_line(run));
  page.add(summary_cards(run));
  page.add_heading(3, "Trials");
  page.add(comparison_html(compare(run.trials)));
  for (const Run& trial : run.trials) {
    add_folded(page, trial, run.name + ", " + trial.name, prefix + file_name(trial.name) + "-", "");
  }
}

void add_one(Page& page, const Run& run, const std::string& prefix) {
  if (run.trials.empty()) {
    add_run(page, run, prefix);
  } else {
    add_trials(page, run, prefix);
  }
}

void add_header(Page& page, const std::string& title, const std::string& line) {
  page.add(fmt::format("<header><p class=\"over\">bcr report</p><h1>{}</h1>{}</header>\n", escape(title), line));
}

}  // namespace

Page make_page(const std::span<const Run> runs) {
  if (runs.size() == 1) {
    Page page(runs[0].name + " · bcr report", "bcr-report");
    add_header(page, runs[0].name, "");
    add_one(page, runs[0], "");
    if (const std::string published = paper_results_html(compare(runs)); !published.empty()) page.add(published);
    return page;
  }
  Page page(fmt::format("{} runs · bcr report", runs.size()), "bcr-report");
  add_header(page, fmt::format("{} runs compared", runs.size()), "");
  add_comparison(page, runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    page.add(fmt::format("<details class=\"run\"{}><summary><h2>{}</h2></summary>\n", i == 0 ? " open" : "",
                         escape(runs[i].name)));
    add_one(page, runs[i], file_name(runs[i].name) + "-");
    page.add("</details>\n");
  }
  return page;
}

ReportResult write_report(const ReportOptions& options) {
  require<ConfigError>(!options.runs.empty(), "report", "at least one run directory", "none");
  std::vector<Run> runs;
  for (const fs::path& directory : options.runs) runs.push_back(read_run(directory));
  make_names_unique(runs);
  const fs::path out = !options.out.empty() ? options.out : (runs.size() == 1 ? runs[0].directory : fs::path("."));
  const Page page = make_page(runs);
  page.write(out / "report.html", out / "report");
  return {out / "report.html", page.files().size(), comparison_text(compare(runs))};
}

}  // namespace bcr::report
