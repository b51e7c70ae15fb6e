#include "src/table/result/run_list.hpp"

#include "models/backbones/registry.hpp"
#include "src/core/csv.hpp"
#include "src/core/text_file.hpp"
#include "src/metrics/trials.hpp"
#include "src/report/plot/frame.hpp"
#include "src/report/plot/page.hpp"
#include "src/report/tables/run_facts.hpp"
#include "src/run/manifest_file.hpp"
#include "src/run/run_directory.hpp"
#include "src/scale/study/study_result.hpp"
#include "src/table/result/table_text.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

namespace bcr::table {
namespace {

using report::escape;

std::string number(const std::optional<double>& value, const int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "";
}

std::string stage_text(const RunLine& run) {
  switch (run.state.stage) {
    case TrainingState::Stage::done:
      return run.logits_sha256.empty() ? "trained" : "evaluated";
    case TrainingState::Stage::begun:
      return fmt::format("{} of {} epochs", run.state.epochs, run.epochs);
    case TrainingState::Stage::absent:
      break;
  }
  return "planned";
}

std::string mean_text(const std::vector<double>& values) {
  if (values.empty()) return "–";
  return fmt::format("{:.1f} s", metrics::summarise_trials(values).mean);
}

}  // namespace

std::vector<RunLine> list_runs(const RunPlan& plan, const std::vector<std::optional<run::Metrics>>& metrics) {
  std::vector<RunLine> runs;
  for (std::size_t i = 0; i < plan.evaluations.size(); ++i) {
    const Evaluation& evaluation = plan.evaluations[i];
    const Training& training = plan.trainings[evaluation.training];
    const models::BackboneOptions& backbone = training.options.model.backbone;
    RunLine run;
    run.setting = evaluation.setting;
    run.method = training.method;
    run.lambda = training.lambda;
    run.trial = training.trial;
    run.directory = training.directory.string();
    run.network = models::backbones().find(backbone.name).title(backbone);
    run.mode = scale::mode_name(training.options.mode);
    run.epochs = training.options.train.epochs;
    if (train::draws_background(training.options) && !training.options.data.background_train.empty())
      run.background = training.options.data.background_train.front().stem().string();
    run.state = state_of(training);
    run.evaluation_seconds = read_evaluation_seconds(evaluation.directory);
    const run::RunDirectory directory(training.directory);
    if (std::filesystem::exists(directory.manifest())) {
      const auto manifest = bcr::run::parse_manifest(read_text(directory.manifest()), directory.manifest().string());
      run.weights_sha256 = manifest.text("sha256.final_weights");
      run.machine = manifest.text("machine.cpu");
    }
    if (metrics[i]) run.logits_sha256 = metrics[i]->test_logits_sha256;
    runs.push_back(std::move(run));
  }
  return runs;
}

std::string runs_csv(const std::vector<RunLine>& runs) {
  std::string text =
      "setting,method,lambda,trial,network,background,mode,epochs,state,seconds_per_epoch,evaluation_seconds,"
      "final_weights_sha256,test_logits_sha256,directory\n";
  for (const RunLine& run : runs) {
    const std::string lambda = run.lambda ? fmt::format("{:g}", *run.lambda) : "";
    const std::vector<std::string> fields{run.setting, run.method, lambda, std::to_string(run.trial + 1), run.network,
                                          run.background, run.mode, std::to_string(run.epochs), stage_text(run),
                                          number(run.state.epoch_seconds, 3), number(run.evaluation_seconds, 3),
                                          run.weights_sha256, run.logits_sha256, run.directory};
    for (std::size_t i = 0; i < fields.size(); ++i) text += (i == 0 ? "" : ",") + csv_field(fields[i]);
    text += "\n";
  }
  return text;
}

std::string times_html(const std::vector<RunLine>& runs, const TablePlan& table) {
  struct Times {
    std::string facts;
    std::vector<double> epochs;
    std::vector<double> evaluations;
  };
  std::map<std::string, Times> by_row;
  std::vector<std::string> rows;
  for (const RunLine& run : runs) {
    const std::string row =
        fmt::format("{}, {}", table.setting(run.setting).title, report::method_title(run.method, run.lambda));
    if (!by_row.contains(row)) rows.push_back(row);
    Times& times = by_row[row];
    times.facts = fmt::format("{}, {} epochs, {}", run.network, run.epochs, run.mode);
    if (run.state.epoch_seconds) times.epochs.push_back(*run.state.epoch_seconds);
    if (run.evaluation_seconds) times.evaluations.push_back(*run.evaluation_seconds);
  }
  std::string html =
      "<div class=\"scroll\"><table class=\"numbers\"><thead><tr><th scope=\"col\">run</th><th scope=\"col\">an "
      "epoch</th><th scope=\"col\">an evaluation</th></tr></thead><tbody>\n";
  for (const std::string& row : rows) {
    const Times& times = by_row[row];
    html += fmt::format("<tr><th scope=\"row\">{}<span class=\"facts\">{}</span></th><td>{}</td><td>{}</td></tr>\n",
                        escape(row), escape(times.facts), mean_text(times.epochs), mean_text(times.evaluations));
  }
  return html + "</tbody></table></div>\n";
}

std::string runs_html(const std::vector<RunLine>& runs, const TablePlan& table) {
  std::string html =
      "<details><summary>All runs, with their hashes</summary><div class=\"scroll\"><table><thead><tr>"
      "<th scope=\"col\">setting</th><th scope=\"col\">method</th><th scope=\"col\">trial</th><th scope=\"col\">state</th>"
      "<th scope=\"col\">SHA-256 of the final weights</th><th scope=\"col\">directory</th></tr></thead><tbody>\n";
  for (const RunLine& run : runs) {
    html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code></td><td>{}</td></tr>\n",
                        escape(table.setting(run.setting).title), escape(report::method_title(run.method, run.lambda)),
                        run.trial + 1, escape(stage_text(run)), escape(run.weights_sha256.substr(0, 16)),
                        escape(run.directory));
  }
  return html + "</tbody></table></div></details>\n";
}

}  // namespace bcr::table
