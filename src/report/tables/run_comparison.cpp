#include "src/report/tables/run_comparison.hpp"

#include "src/metrics/registry.hpp"
#include "src/report/plot/frame.hpp"
#include "src/report/plot/plots.hpp"
#include "src/report/tables/paper_results.hpp"
#include "src/report/tables/text_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bcr::report {

namespace {

void mark_best(RunComparison& comparison) {
  if (comparison.rows.size() < 2) return;
  for (std::size_t c = 0; c < comparison.columns.size(); ++c) {
    RunComparison::Cell* best = nullptr;
    for (RunComparison::Row& row : comparison.rows) {
      RunComparison::Cell& cell = row.cells[c];
      if (cell.value && (best == nullptr || cell.value->mean > best->value->mean)) best = &cell;
    }
    if (best != nullptr) best->rank = RunComparison::Rank::best;
  }
}

RunComparison::Row make_row(const Run& run, const std::vector<RunComparison::Column>& columns) {
  RunComparison::Row row{run.name, facts_of(run), trials_text(run), {}};
  const auto beside = paper_result_beside(row.facts.setting, row.facts.method, row.facts.lambda, row.facts.network);
  for (const RunComparison::Column& column : columns) {
    RunComparison::Cell cell{metric_of(run, column.metric), std::nullopt};
    if (beside && beside->metrics.contains(column.metric)) cell.published = beside->metrics.at(column.metric);
    row.cells.push_back(cell);
  }
  return row;
}

std::string cell_html(const RunComparison::Cell& cell) {
  std::string html = "<td>";
  const std::string text = summary_text(cell.value);
  html += cell.rank == RunComparison::Rank::best ? fmt::format("<strong>{}</strong>", text) : text;
  if (cell.published) html += fmt::format("<span class=\"paper\">paper {:.3f}</span>", *cell.published);
  return html + "</td>";
}

std::string row_title(const RunComparison::Row& row) {
  std::string words = method_title(row.facts.method, row.facts.lambda);
  if (!row.facts.network.empty()) words += " · " + row.facts.network;
  if (!row.facts.epochs.empty()) words += fmt::format(" · {} epochs", row.facts.epochs);
  if (!row.trials.empty()) words += " · " + row.trials;
  return words;
}

}  // namespace

RunComparison compare(const std::span<const Run> runs) {
  RunComparison comparison;
  for (const metrics::Metric& metric : metrics::all_metrics().entries()) {
    if (metric.shown != metrics::Shown::summary) continue;
    const RunComparison::Column column{metric.name, metric.title, metric.definition};
    const bool any = std::any_of(runs.begin(), runs.end(),
                                 [&](const Run& run) { return metric_of(run, column.metric).has_value(); });
    if (any) comparison.columns.push_back(column);
  }
  for (const Run& run : runs) {
    comparison.rows.push_back(make_row(run, comparison.columns));
    const std::string& setting = comparison.rows.back().facts.setting;
    auto& settings = comparison.settings;
    if (std::find(settings.begin(), settings.end(), setting) == settings.end() && !paper_results(setting).empty()) {
      settings.push_back(setting);
    }
  }
  mark_best(comparison);
  return comparison;
}

std::string comparison_html(const RunComparison& comparison) {
  if (comparison.columns.empty()) return "<p class=\"note\">No run has been evaluated yet.</p>\n";
  std::string html = "<div class=\"scroll\"><table class=\"numbers\"><thead><tr><th scope=\"col\">run</th>";
  for (const auto& column : comparison.columns) {
    html += fmt::format("<th scope=\"col\" title=\"{}\">{}</th>", escape(column.tip), escape(column.title));
  }
  html += "</tr></thead><tbody>\n";
  for (const auto& row : comparison.rows) {
    html += fmt::format("<tr><th scope=\"row\">{}<span class=\"facts\">{}</span></th>", escape(row.name),
                        escape(row_title(row)));
    for (const auto& cell : row.cells) html += cell_html(cell);
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string comparison_text(const RunComparison& comparison) {
  std::vector<std::vector<std::string>> lines{{"run", "method"}};
  for (const auto& column : comparison.columns) lines[0].push_back(column.title);
  for (const auto& row : comparison.rows) {
    lines.push_back({row.name, method_title(row.facts.method, row.facts.lambda)});
    for (const auto& cell : row.cells) {
      lines.back().push_back(summary_text(cell.value) +
                             (cell.published ? fmt::format(" (paper {:.3f})", *cell.published) : ""));
    }
  }
  return text_columns(lines);
}

std::string paper_results_html(const RunComparison& comparison) {
  std::string html;
  for (const std::string& setting : comparison.settings) {
    html += fmt::format(
        "<details><summary>All that the paper prints for {}</summary><div class=\"scroll\"><table "
        "class=\"numbers\"><thead><tr><th scope=\"col\">method</th><th scope=\"col\">network</th>"
        "<th scope=\"col\">unknown set</th><th scope=\"col\">accuracy</th><th scope=\"col\">AUROC</th>"
        "<th scope=\"col\">CCR at FPR 0.1</th><th scope=\"col\">macro-F1</th>"
        "<th scope=\"col\">where</th></tr></thead><tbody>\n",
        escape(setting));
    for (const PaperResult& result : paper_results(setting)) {
      html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td>",
                          escape(method_title(result.method, result.lambda)), escape(result.network),
                          escape(result.unknown));
      for (const char* const metric : {"accuracy", "auroc", "ccr_fpr_1e-1", "macro_f1"}) {
        const auto value = std::find_if(result.metrics.begin(), result.metrics.end(),
                                        [&](const auto& entry) { return entry.first.starts_with(metric); });
        html +=
            value == result.metrics.end() ? std::string("<td>–</td>") : fmt::format("<td>{:.3f}</td>", value->second);
      }
      html += fmt::format("<td>{}</td></tr>\n", escape(result.table));
    }
    html += "</tbody></table></div></details>\n";
  }
  if (!html.empty()) html += fmt::format("<p class=\"note\">Paper: {}.</p>\n", escape(paper_citation()));
  return html;
}

Figures comparison_figure(const RunComparison& comparison) {
  DotPlot plot{"AUROC and CCR of the runs", "", {}, {}};
  const std::pair<const char*, const char*> shown[] = {{"auroc", "AUROC"}, {"ccr_fpr_1e-1", "CCR at FPR 0.1"}};
  for (const auto& row : comparison.rows) plot.rows.push_back(row.name);
  for (const auto& [metric, title] : shown) {
    for (std::size_t c = 0; c < comparison.columns.size(); ++c) {
      if (comparison.columns[c].metric != metric) continue;
      DotPlot::Series series{title, {}};
      for (const auto& row : comparison.rows) {
        const auto& value = row.cells[c].value;
        series.dots.push_back(value ? std::optional(DotPlot::Dot{value->mean, value->deviation.value_or(0)})
                                    : std::nullopt);
      }
      plot.series.push_back(std::move(series));
    }
  }
  Figures figures;
  if (comparison.rows.size() < 2 || plot.series.empty()) return figures;
  figures.push_back(
      {"runs", "AUROC and CCR at FPR 0.1 of every run; bars show one standard deviation over trials.", draw(plot)});
  return figures;
}

}  // namespace bcr::report
