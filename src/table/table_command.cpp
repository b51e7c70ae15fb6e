#include "src/table/table_command.hpp"

#include "src/core/atomic_file.hpp"
#include "src/core/config/codec.hpp"
#include "src/core/error.hpp"
#include "src/report/tables/text_columns.hpp"
#include "src/table/result/figures.hpp"
#include "src/table/result/table_page.hpp"
#include "src/table/result/table_text.hpp"
#include "src/table/work/cost.hpp"
#include "src/table/work/run_state.hpp"
#include "src/train/run_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdlib>
#include <numeric>
#include <thread>

namespace bcr::table {
namespace {

namespace fs = std::filesystem;

/// "table-1" of "1"; "table-3" of "lambda"; a file that ends in .toml is itself.
std::string plan_name(const std::string& given) {
  if (given == "lambda") return "table-3";
  if (given.size() == 1 && given[0] >= '1' && given[0] <= '6') return "table-" + given;
  return given;
}

TablePlan find_plan(const std::string& given, const fs::path& configs) {
  if (fs::path(given).extension() == ".toml") return read_table_plan(given);
  const fs::path file = configs / "tables" / (plan_name(given) + ".toml");
  if (!fs::exists(file) || plan_name(given) == "data")
    throw ConfigError("bcr-table", "1 to 6, lambda, ablations, figure-2, or a plan as a .toml file", given);
  return read_table_plan(file);
}

ScaleName parse_scale(const std::string& word) {
  for (const auto& [name, scale] : enum_names(ScaleName{}))
    if (name == word) return scale;
  throw ConfigError("--scale", "small, medium or full", word);
}

/// "train.epochs=3" of every key but those of [slurm].
std::vector<std::string> overrides_of(const Config& config) {
  std::vector<std::string> all;
  ConfigValue tree = config.tree();
  std::erase_if(std::get<ConfigValue::Table>(tree.data), [](const ConfigEntry& entry) { return entry.key == "slurm"; });
  constexpr std::string_view root = "all.";
  for (const auto& [key, value] : train::settings_of("all = " + to_toml_text(tree), "--config"))
    all.push_back(key.substr(root.size()) + "=" + value);
  return all;
}

std::vector<std::optional<run::Metrics>> metrics_of_all(const RunPlan& plan) {
  std::vector<std::optional<run::Metrics>> all;
  for (const Evaluation& one : plan.evaluations) all.push_back(metrics_of(one, plan.trainings[one.training]));
  return all;
}

/// Trainings that are not done, or not evaluated.
std::vector<std::size_t> open_trainings(const RunPlan& plan) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < plan.trainings.size(); ++i) {
    const Training& training = plan.trainings[i];
    const bool is_trained = state_of(training).stage == TrainingState::Stage::done;
    const bool is_done = is_trained && std::all_of(plan.evaluations.begin(), plan.evaluations.end(), [&](const auto& e) {
                           return e.training != i || metrics_of(e, training).has_value();
                         });
    if (!is_done) open.push_back(i);
  }
  return open;
}

std::size_t task_number(const std::string& task, const std::size_t count) {
  const char* const variable = std::getenv("SLURM_ARRAY_TASK_ID");
  const std::string text = task != "slurm" ? task : variable != nullptr ? variable : "";
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number >= count)
    throw ConfigError("--task", fmt::format("0 to {}, or slurm within an array job", count - 1), text);
  return number;
}

}  // namespace

void TableCommand::declare(CLI::App& parser) {
  parser.add_option("TABLE", name_, "1 to 6; lambda (Table 3), ablations, figure-2; or a plan, as a .toml file")->required();
  parser.add_option("--scale", scale_, "small (an hour of two cores), medium (a night of a workstation) or full (as "
                    "published); default small")
      ->type_name("NAME");
  parser.add_option("--only", only_, "these settings alone, such as cifar10")->delimiter(',')->type_name("NAME,...");
  parser.add_option("--methods", methods_, "these methods alone; all: also those that the paper's table lacks")
      ->delimiter(',')
      ->type_name("NAME,...");
  parser.add_option("--trials", trials_, "repetitions; default: those of the scale")->check(CLI::Range(1, 1000));
  parser.add_option("--epochs", epochs_, "of every training, with a schedule as long; default: those of the scale")->check(CLI::Range(1, 100000));
  parser.add_option("--lambda", lambdas_, "several weights of the background term, from which the accuracy on known "
                    "images that are kept out of training chooses")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->type_name("X,...");
  parser.add_option("--mode", mode_, "of the trainings; default: that of the scale")->type_name("strict|fast");
  parser.add_option("--data", data_, "where published files or HDF5 files lie; default: here")->type_name("DIR");
  parser.add_option("--out", out_, "data, runs and tables; tables of one --out share their runs; default: "
                    "tables/SCALE")
      ->type_name("DIR");
  parser.add_option("--threads", threads_, "of every program; default: all cores")->check(CLI::Range(1, 4096));
  parser.add_flag("--available", available_, "leave out the settings and unknown sets whose data are not there");
  parser.add_flag("--dry-run", dry_run_, "print the plan, what it would cost and what is missing, and do nothing");
  parser.add_option("--slurm", slurm_, "write a script for an array job that does the runs, and do none")
      ->type_name("FILE");
  parser.add_option("--task", task_, "do this run of the plan alone; slurm: that of the array job")
      ->type_name("N|slurm");
  parser.add_option("--n", dimensions_, "figure-2: dimensions of the feature; default 128")
      ->delimiter(',')
      ->check(CLI::Range(1, 100000))
      ->type_name("N,...");
  parser.add_option("--configs", configs_, "folder of the configurations; default: that of this installation")
      ->type_name("DIR");
}

int TableCommand::threads() const {
  return threads_ > 0 ? threads_ : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

Request TableCommand::request(const Config& config) const {
  Request request;
  request.scale = parse_scale(scale_);
  request.only = only_;
  request.methods = methods_;
  request.lambdas = lambdas_;
  request.trials = trials_;
  request.overrides = overrides_of(config);
  request.epochs = epochs_;
  request.mode = mode_;
  request.missing = available_ ? Request::Missing::left_out : Request::Missing::refused;
  request.configs = fs::absolute(configs_.empty() ? find_configs(own_program("bcr-table")) : configs_);
  request.out = fs::absolute(out_.empty() ? fs::path("tables") / scale_ : out_).lexically_normal();
  return request;
}

Outcome TableCommand::run(const Config& config, const CommandContext& context) const {
  if (name_ == "figure-2") return draw_figure_2(context);
  const Request wanted = request(config);
  return run_table(find_plan(name_, wanted.configs), wanted, config, context);
}

Outcome TableCommand::run_table(const TablePlan& table, const Request& request, const Config& config,
                                const CommandContext& context) const {
  const DataSets sets(request.configs, data_);
  const RunPlan plan = plan_runs(table, request, sets);
  const WorkContext work{Programs::beside(own_program("bcr-table")), threads(), context.log, context.stop};
  if (dry_run_) {
    fmt::print("{}", plan_text(plan, work));
    return Outcome::done;
  }
  for (const std::string& sentence : plan.missing) context.log.warning("table", "missing: {}", sentence);
  if (!plan.missing.empty() && request.missing == Request::Missing::refused)
    throw IoError("bcr-table " + name_, "all data of the table below --data, or --only SETTING, or --available for what "
                  "is there", fmt::format("{} data sets less: {}", plan.missing.size(), plan.missing.front()));
  require<IoError>(!plan.trainings.empty(), "bcr-table " + name_, "data for one setting at least", "none");
  if (!slurm_.empty()) return write_script(plan, sets, request, config, work);
  WorkResult result;
  if (!task_.empty()) {
    result = run_trainings(plan, {task_number(task_, plan.trainings.size())}, work);
    return result.is_stopped ? Outcome::stopped : result.failures.empty() ? Outcome::done : Outcome::failed;
  }
  if (const auto open = open_trainings(plan); !open.empty()) {
    context.log.info("table", "\n{}", plan_text(plan, work));
    result.is_stopped = context.stop() || !prepare_data(plan, sets, request.out, work);
    if (!result.is_stopped) result = run_trainings(plan, open, work);
  }
  write(plan, request, context);
  for (const std::string& failure : result.failures) context.log.error("table", "{}", failure);
  if (result.is_stopped) context.log.info("table", "stopped; the same command goes on");
  return result.is_stopped ? Outcome::stopped : result.failures.empty() ? Outcome::done : Outcome::failed;
}

void TableCommand::write(const RunPlan& plan, const Request& request, const CommandContext& context) const {
  const auto metrics = metrics_of_all(plan);
  const Results results = gather(plan, metrics);
  const auto runs = list_runs(plan, metrics);
  const TableReport report{plan, results, runs, scale_, same_command("bcr-table", request).text()};
  const fs::path page = write_table(report, request.out);
  fmt::print("{}\n{}\n", plain_text(results, plan.table), legend_text());
  for (const std::string& note : notes_of(report)) fmt::print("{}\n", note);
  fmt::print("{}\n", page.string());
  std::fflush(stdout);
  context.log.info("table", "{} of {} results; {}", results.evaluated, plan.readings.size(), page.string());
}

std::string TableCommand::plan_text(const RunPlan& plan, const WorkContext& work) const {
  StepTimes times(measure_by_scale(work.programs.scale, work.threads, work.log, work.stop));
  std::vector<TrainingState> states;
  for (const Training& training : plan.trainings) {
    states.push_back(state_of(training));
    if (states.back().step_seconds)
      times.learn(training, plan.table.setting(training.setting), *states.back().step_seconds);
  }
  std::vector<std::vector<std::string>> rows{{"run", "setting", "method", "lambda", "trial", "epochs", "state", "to do"}};
  double seconds = 0;
  std::vector<std::string> sources;
  for (std::size_t i = 0; i < plan.trainings.size() && !work.stop(); ++i) {
    const Training& training = plan.trainings[i];
    Cost cost = times.cost_of(training, plan.table.setting(training.setting), states[i]);
    const auto evaluations = std::count_if(plan.evaluations.begin(), plan.evaluations.end(), [&](const auto& e) {
      return e.training == i && !metrics_of(e, training);
    });
    cost.evaluation_seconds *= static_cast<double>(evaluations);
    seconds += cost.seconds();
    const bool is_done = states[i].stage == TrainingState::Stage::done;
    const std::string source = source_text(cost.source);
    if (!is_done && std::find(sources.begin(), sources.end(), source) == sources.end()) sources.push_back(source);
    rows.push_back({std::to_string(i), training.setting, training.method,
                    training.lambda ? fmt::format("{:g}", *training.lambda) : "", std::to_string(training.trial + 1),
                    std::to_string(training.options.train.epochs),
                    is_done ? evaluations == 0 ? "evaluated" : "trained"
                    : states[i].stage == TrainingState::Stage::begun ? fmt::format("{} epochs", states[i].epochs)
                                                                     : "planned",
                    cost.source == Cost::Source::unknown ? "?" : duration_text(cost.seconds())});
  }
  std::string text = report::text_columns(rows);
  text += fmt::format("{} trainings, {} evaluations with {} thread{}: about {} to do ({}).\n", plan.trainings.size(),
                      plan.evaluations.size(), work.threads, work.threads == 1 ? "" : "s", duration_text(seconds),
                      sources.empty() ? "nothing to train" : fmt::format("steps {}", fmt::join(sources, "; ")));
  for (const std::string& sentence : plan.missing) text += "missing: " + sentence + "\n";
  return text;
}

Command TableCommand::same_command(const std::string& program, const Request& request) const {
  std::vector<std::string> words{program, name_, "--scale", scale_};
  const auto add_list = [&words](const char* const option, const auto& list) {
    if (!list.empty()) words.insert(words.end(), {option, fmt::format("{}", fmt::join(list, ","))});
  };
  add_list("--only", only_);
  add_list("--methods", methods_);
  add_list("--lambda", lambdas_);
  if (trials_) words.insert(words.end(), {"--trials", std::to_string(*trials_)});
  if (epochs_) words.insert(words.end(), {"--epochs", std::to_string(*epochs_)});
  if (mode_) words.insert(words.end(), {"--mode", *mode_});
  for (const std::string& one : request.overrides) words.push_back("--" + one);
  words.insert(words.end(), {"--data", fs::absolute(data_).lexically_normal().string(), "--out", request.out.string()});
  if (available_) words.push_back("--available");
  return {words, {}};
}

Outcome TableCommand::write_script(const RunPlan& plan, const DataSets& sets, const Request& request,
                                   const Config& config, const WorkContext& work) const {
  const auto slurm = config.section("slurm").read<scale::SlurmOptions>();
  if (!prepare_data(plan, sets, request.out, work)) return Outcome::stopped;
  const std::string same = same_command("bcr-table", request).text();
  Command task = same_command(work.programs.table, request);
  task.words.insert(task.words.end(), {"--configs", request.configs.string(), "--threads", std::to_string(work.threads),
                                       "--task", "slurm"});
  scale::Allocation allocation;
  allocation.largest = {1, work.threads};
  write_file(slurm_, scale::batch_script(slurm, allocation, task,
                                         {.name = "bcr-" + plan.table.name,
                                          .array = static_cast<int>(plan.trainings.size()),
                                          .note = "Submit it again after a time-out: runs go on where they stopped. "
                                                  "Then `" + same + "` prints the table."}));
  work.log.info("table", "sbatch {}: {} runs; then {}", slurm_.string(), plan.trainings.size(), same);
  return Outcome::done;
}

Outcome TableCommand::draw_figure_2(const CommandContext& context) const {
  const fs::path out = fs::absolute(out_.empty() ? fs::path("tables") : out_).lexically_normal();
  std::error_code error;
  fs::create_directories(out, error);
  if (error) throw IoError("make " + out.string(), "a directory", error.message());
  const std::string csv = inclusion_csv(dimensions_);
  write_file(out / "figure-2.csv", csv);
  report::Page page("Figure 2 · bcr table", "bcr-table");
  page.add("<header><p class=\"over\">bcr table</p><h1>Figure 2: the probability of inclusion</h1></header>\n");
  page.add_figures(inclusion_curves(dimensions_), "");
  page.write(out / "figure-2.html", out / "figure-2-plots");
  fmt::print("{}", csv);
  context.log.info("table", "{}", (out / "figure-2.html").string());
  return Outcome::done;
}

}  // namespace bcr::table
