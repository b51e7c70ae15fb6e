#include "src/table/result/table_page.hpp"

#include "src/core/atomic_file.hpp"
#include "src/report/plot/frame.hpp"
#include "src/report/tables/paper_results.hpp"
#include "src/report/tables/run_facts.hpp"
#include "src/table/result/figures.hpp"
#include "src/table/result/shape.hpp"
#include "src/table/result/table_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace bcr::table {
namespace {

using report::escape;
using report::Page;

std::string join_facts(const std::set<std::string>& facts) {
  return fmt::format("{}", fmt::join(facts, ", "));
}

/// "WRN-10-1, 8 epochs, mode fast; 8 of 8 runs evaluated".
std::string facts_line(const TableReport& report) {
  std::set<std::string> networks, epochs, modes;
  for (const RunLine& run : report.runs) {
    networks.insert(run.network);
    epochs.insert(std::to_string(run.epochs));
    modes.insert(run.mode);
  }
  std::vector<std::string> settings;
  for (const std::string& name : report.plan.settings) settings.push_back(report.plan.table.setting(name).title);
  return fmt::format("{}. Scale {}: {}, {} epochs, mode {}. {} of {} results are there.", fmt::join(settings, ", "),
                     report.scale, join_facts(networks), join_facts(epochs), join_facts(modes), report.results.evaluated,
                     report.plan.readings.size());
}

void add_header(Page& page, const TableReport& report) {
  const TablePlan& table = report.plan.table;
  page.add(fmt::format("<header><p class=\"over\">bcr table</p><h1>{}: {}</h1><p class=\"line\">{}</p></header>\n",
                       escape(table.paper == "text" ? "In the text" : table.paper), escape(table.title),
                       escape(facts_line(report))));
}

std::string choice_text(const LambdaChoice& choice, const TablePlan& table) {
  std::string tried;
  for (const auto& [lambda, accuracy] : choice.validation_accuracy) {
    tried += fmt::format("{}{} ({})", tried.empty() ? "" : ", ", report::number_text(lambda), value_text(accuracy));
  }
  return fmt::format("{}, {}: λ = {}, of {}; chosen by the accuracy on known images that were kept out of training.",
                     table.setting(choice.setting).title, report::method_title(choice.method, std::nullopt),
                     report::number_text(choice.lambda), tried);
}

}  // namespace

std::vector<std::string> notes_of(const TableReport& report) {
  std::vector<std::string> notes;
  const TablePlan& table = report.plan.table;
  for (std::size_t s = 0; s < report.plan.settings.size(); ++s) {
    const SettingData& data = report.plan.data[s];
    const std::string& title = table.setting(report.plan.settings[s]).title;
    std::string background = fmt::format("{}: the background is {}", title, data.background.set);
    if (!data.background.without.empty()) {
      background += fmt::format(" without {}", fmt::join(data.background.without, ", "));
    }
    notes.push_back(background + ".");
    if (!data.left_out.empty())
      notes.push_back(fmt::format("{}: {} not at hand; the average is over the others, and the paper's is not beside it.",
                                  title, fmt::join(data.left_out, ", ")));
  }
  for (const LambdaChoice& choice : report.results.choices) notes.push_back(choice_text(choice, table));
  return notes;
}

Page table_page(const TableReport& report) {
  const TablePlan& table = report.plan.table;
  Page page(fmt::format("{} · bcr table", table.paper == "text" ? table.title : table.paper), "bcr-table");
  add_header(page, report);
  page.add(html_text(report.results, table));
  page.add_note(legend_text());
  for (const std::string& note : notes_of(report)) page.add_note(note);
  auto figures = lambda_curves(report.results, table);
  for (auto& figure : comparison_dots(report.results, table)) figures.push_back(std::move(figure));
  if (!figures.empty()) page.add_heading(3, "As pictures");
  page.add_figures(figures, "");
  page.add_heading(3, "Times");
  page.add_note("The paper: 28 s an epoch and 6.5 s an evaluation, CIFAR-10 of Setting 1 with its full recipe on two GPUs.");
  page.add(times_html(report.runs, table));
  page.add_heading(3, "Runs");
  page.add(fmt::format("<p class=\"note\">Made by <code>{}</code>; the same command goes on where it stopped.</p>\n",
                       escape(report.command)));
  page.add(runs_html(report.runs, table));
  page.add_note("Paper: " + report::paper_citation() + ".");
  return page;
}

std::filesystem::path write_table(const TableReport& report, const std::filesystem::path& out) {
  const TablePlan& table = report.plan.table;
  std::string text = fmt::format("{}: {}\n{}\n\n{}\n{}\n", table.paper, table.title, facts_line(report),
                                 plain_text(report.results, table), legend_text());
  for (const std::string& note : notes_of(report)) text += note + "\n";
  write_file(out / (table.name + ".txt"), text);
  write_file(out / (table.name + ".csv"), csv_text(report.results, table));
  write_file(out / (table.name + ".tex"), latex_text(report.results, table));
  write_file(out / (table.name + "-runs.csv"), runs_csv(report.runs));
  const std::filesystem::path page = out / (table.name + ".html");
  table_page(report).write(page, out / (table.name + "-plots"));
  return page;
}

}  // namespace bcr::table
