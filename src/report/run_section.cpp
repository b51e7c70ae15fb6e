#include "src/report/run_section.hpp"

#include "src/metrics/registry.hpp"
#include "src/report/figures/run_figures.hpp"
#include "src/report/plot/frame.hpp"
#include "src/report/tables/paper_results.hpp"
#include "src/report/tables/run_facts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

namespace bcr::report {

namespace {

std::string card(const std::string& title, const std::string& value, const std::string& small, const std::string& tip) {
  return fmt::format("<div class=\"card\"><h4>{}</h4><p class=\"value\">{}</p>{}<p class=\"tip\">{}</p></div>\n",
                     escape(title), value, small.empty() ? "" : fmt::format("<p class=\"paper\">{}</p>", small),
                     escape(tip));
}

std::string duration(const double seconds) {
  const long long whole = std::llround(seconds);
  if (whole < 100) return fmt::format("{} s", whole);
  if (whole < 6000) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

double sum_of(const std::vector<LogRecord>& records, const std::string& key) {
  double sum = 0;
  for (const LogRecord& record : records) sum += record.number(key).value_or(0);
  return sum;
}

std::string end_of(const TrainLog& log) {
  if (log.empty()) return {};
  if (log.end_reason == "done") return "finished";
  if (log.end_reason == "not finite") return "<strong class=\"bad\">stopped: a number was not finite</strong>";
  return log.end_reason.empty() ? "<strong class=\"bad\">not ended yet</strong>"
                                : fmt::format("<strong class=\"bad\">{}</strong>", escape(log.end_reason));
}

/// Those that a table of scores shows; the accuracy, which no score changes, stands elsewhere.
std::vector<metrics::Metric> table_columns() {
  std::vector<metrics::Metric> columns;
  for (const metrics::Metric& metric : metrics::all_metrics().entries())
    if (metric.shown != metrics::Shown::file && metric.name != "accuracy") columns.push_back(metric);
  return columns;
}

/// The metrics of one score against one set as a row.
std::string metrics_row(const std::string& set, const std::string& score, const NumberTable& values,
                        const std::string& default_score) {
  std::string html = fmt::format("<tr{}><th scope=\"row\">{}</th><td class=\"word\">{}</td>",
                                 score == default_score ? " class=\"main\"" : "", escape(set), escape(score));
  for (const metrics::Metric& metric : table_columns()) {
    const auto found = values.find(metric.name);
    html += found == values.end() ? std::string("<td>–</td>") : fmt::format("<td>{:.4f}</td>", found->second);
  }
  return html + "</tr>\n";
}

}  // namespace

std::string summary_cards(const Run& run) {
  const RunFacts facts = facts_of(run);
  const auto beside = paper_result_beside(facts.setting, facts.method, facts.lambda, facts.network);
  std::string html;
  for (const metrics::Metric& metric : metrics::all_metrics().entries()) {
    if (metric.shown != metrics::Shown::summary) continue;
    const auto value = metric_of(run, metric.name);
    if (!value) continue;
    std::string shown = fmt::format("{:.4f}", value->mean);
    if (value->deviation) shown += fmt::format("<small> ± {:.4f}</small>", *value->deviation);
    const bool printed = beside && beside->metrics.contains(metric.name);
    html += card(metric.title, shown, printed ? fmt::format("paper {:.3f}", beside->metrics.at(metric.name)) : "",
                 metric.definition);
  }
  if (!html.empty()) html = "<div class=\"cards\">\n" + html + "</div>\n";
  if (beside) {
    html += fmt::format(
        "<p class=\"note\">The paper’s numbers are means of five trials of {} on {} ({}), with ImageNet as background; "
        "they are to be compared with runs of that recipe.</p>\n",
        escape(beside->network), escape(beside->setting), escape(beside->table));
  }
  return html;
}

std::string summary_line(const Run& run) {
  const RunFacts facts = facts_of(run);
  std::vector<std::string> parts;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) parts.push_back(text);
  };
  if (!facts.method.empty()) add("<b>" + escape(method_title(facts.method, facts.lambda)) + "</b>");
  add(escape(facts.network));
  if (!facts.setting.empty()) add("split " + escape(facts.setting));
  if (!facts.mode.empty()) add(escape(facts.mode) + " mode");
  if (run.trials.size() > 1) {
    add(trials_text(run));
  } else if (!facts.seed.empty()) {
    add("seed " + escape(facts.seed));
  }
  if (!run.log.epochs.empty()) {
    std::string training = fmt::format("{} epochs", run.log.epochs.size());
    if (const double seconds = sum_of(run.log.epochs, "seconds"); seconds > 0) training += " in " + duration(seconds);
    add(training);
    const auto rate = run.log.epochs.back().number("images_per_second");
    if (rate) add(fmt::format("{:.0f} images/s", *rate));
    const auto share = run.log.epochs.back().number("share_of_peak");
    if (share) add(fmt::format("{:.0f} % of the fma peak", 100 * *share));
  }
  if (run.log.resumes != 0) add(fmt::format("resumed {} times", run.log.resumes));
  add(end_of(run.log));
  if (run.metrics && run.metrics->validation_accuracy)
    add(fmt::format("accuracy on validation images {:.4f}", *run.metrics->validation_accuracy));
  if (!facts.score.empty()) add("score <code>" + escape(facts.score) + "</code>");
  std::string html;
  for (const std::string& part : parts) html += (html.empty() ? "" : " · ") + part;
  return html.empty() ? html : "<p class=\"line\">" + html + "</p>\n";
}

std::string metrics_table(const RunMetrics& metrics) {
  if (metrics.sets.empty()) return {};
  std::string html =
      "<div class=\"scroll\"><table class=\"numbers\"><thead><tr><th scope=\"col\">unknown set</th><th scope=\"col\" "
      "class=\"word\">score</th>";
  for (const auto& metric : table_columns())
    html += fmt::format("<th scope=\"col\" title=\"{}\">{}</th>", escape(metric.definition), escape(metric.title));
  html += "</tr></thead><tbody>\n";
  for (const RunMetrics::UnknownSet& set : metrics.sets) {
    for (const auto& [score, values] : set.scores) html += metrics_row(set.name, score, values, metrics.default_score);
  }
  if (metrics.sets.size() > 1) {
    for (const auto& [score, values] : metrics.average) {
      html += metrics_row("average", score, values, metrics.default_score);
    }
  }
  return html + "</tbody></table></div>\n";
}

std::string reference_table(const RunMetrics& metrics) {
  if (metrics.reference.empty()) return {};
  std::string html =
      "<table class=\"numbers small\"><thead><tr><th scope=\"col\">largest difference to the "
      "double-precision reference</th><th scope=\"col\"></th></tr></thead><tbody>\n";
  for (const auto& [name, value] : metrics.reference) {
    html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape(name), number_text(value, 3));
  }
  return html + "</tbody></table>\n";
}

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
    page.add(
        fmt::format("<details><summary>Configuration</summary><pre>{}</pre></details>\n", escape(run.config_text)));
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
