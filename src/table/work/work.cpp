#include "src/table/work/work.hpp"

#include "src/core/error.hpp"
#include "src/table/work/run_state.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>

namespace bcr::table {
namespace {

namespace fs = std::filesystem;

constexpr auto no_limit = std::chrono::hours(24 * 366);
/// A training saves at the end of its step; a large network on a slow disk takes its time.
constexpr auto time_to_save = std::chrono::seconds(300);
constexpr int usage_exit = 2;
constexpr int data_exit = 3;
constexpr int stopped_exit = 5;

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError("make " + folder.string(), "a directory", error.message());
}

/// The exit code of a program; nothing if it was told to stop.
std::optional<int> run(const Command& command, const WorkContext& context) {
  try {
    const int code = run_process(command, no_limit, context.stop, time_to_save).exit_code;
    if (code == stopped_exit || context.stop()) return std::nullopt;
    if (code == usage_exit) throw ConfigError(command.text(), "exit code 0", "2 and the message above");
    if (code == data_exit) throw IoError(command.text(), "exit code 0", "3 and the message above");
    return code;
  } catch (const Error&) {
    if (context.stop()) return std::nullopt;
    throw;
  }
}

/// False if it was stopped.
bool run_or_throw(const Command& command, const WorkContext& context) {
  const auto code = run(command, context);
  if (code && *code != 0) throw IoError(command.text(), "exit code 0", std::to_string(*code));
  return code.has_value();
}

std::string name_of(const Training& training) {
  const std::string lambda = training.lambda ? fmt::format(", lambda {:g}", *training.lambda) : "";
  return fmt::format("{}, {}{}, trial {}", training.setting, training.method, lambda, training.trial + 1);
}

void add_overrides(std::vector<std::string>& words, const std::vector<std::string>& overrides) {
  for (const std::string& one : overrides) words.push_back("--" + one);
}

/// Trains one and evaluates it; a sentence if it failed, nothing if it was stopped.
class Job {
 public:
  Job(const RunPlan& plan, const std::size_t place, const WorkContext& context)
      : plan_(plan), place_(place), training_(plan.trainings[place]), context_(context) {}

  enum class End { done, failed, stopped };

  End run_all(std::string& failure) const {
    if (state_of(training_).stage != TrainingState::Stage::done) {
      make_folder(training_.directory.parent_path());
      const auto code = run(training_command(training_, context_), context_);
      if (!code) return End::stopped;
      if (*code != 0) {
        failure = fmt::format("{}: bcr-train ended with exit code {}", name_of(training_), *code);
        return End::failed;
      }
    }
    for (const Evaluation& evaluation : plan_.evaluations) {
      if (evaluation.training != place_) continue;
      if (const End end = evaluate(evaluation, failure); end != End::done) return end;
    }
    return End::done;
  }

 private:
  End evaluate(const Evaluation& evaluation, std::string& failure) const {
    if (metrics_of(evaluation, training_)) return End::done;
    make_folder(evaluation.directory);
    const auto begin = std::chrono::steady_clock::now();
    const auto code = run(evaluation_command(evaluation, training_, context_), context_);
    if (!code) return End::stopped;
    if (*code != 0) {
      failure = fmt::format("{}: bcr-eval ended with exit code {}", name_of(training_), *code);
      return End::failed;
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    write_evaluation_seconds(evaluation.directory, seconds.count());
    return End::done;
  }

  const RunPlan& plan_;
  std::size_t place_;
  const Training& training_;
  const WorkContext& context_;
};

}  // namespace

Programs Programs::beside(const std::string& bcr_table) {
  const fs::path folder = fs::path(bcr_table).parent_path();
  const auto at = [&](const char* const name) { return folder.empty() ? name : (folder / name).string(); };
  return {at("bcr-data"), at("bcr-train"), at("bcr-eval"), at("bcr-scale"), bcr_table};
}

Command training_command(const Training& training, const WorkContext& context) {
  std::vector<std::string> words{context.programs.train};
  for (const fs::path& config : training.configs) words.insert(words.end(), {"--config", config.string()});
  add_overrides(words, training.overrides);
  words.insert(words.end(), {"--out", training.directory.string(), "--resume", "auto",
                             fmt::format("--kokkos-num-threads={}", context.threads)});
  return {words, {}};
}

Command evaluation_command(const Evaluation& evaluation, const Training& training, const WorkContext& context) {
  std::vector<std::string> words{context.programs.eval, training.directory.string(), "--overwrite", "--log", "warning"};
  if (evaluation.directory != training.directory)
    words.insert(words.end(), {"--out", evaluation.directory.string()});
  if (!evaluation.scores.empty()) {
    std::string list;
    for (const std::string& score : evaluation.scores) list += (list.empty() ? "" : ",") + score;
    words.insert(words.end(), {"--scores", list});
  }
  add_overrides(words, evaluation.overrides);
  words.push_back(fmt::format("--kokkos-num-threads={}", context.threads));
  return {words, {}};
}

Command import_command(const DataSet& set, const FoundSet& found, const fs::path& file, const WorkContext& context) {
  std::vector<std::string> words{context.programs.data, "--log", "warning", "import", set.format};
  for (const fs::path& source : found.sources) words.push_back(source.string());
  words.insert(words.end(), {"-o", file.string()});
  words.insert(words.end(), set.options.begin(), set.options.end());
  return {words, {}};
}

bool prepare_data(const RunPlan& plan, const DataSets& sets, const fs::path& out, const WorkContext& context) {
  for (const std::string& name : plan.data_sets) {
    const fs::path file = file_of_set(sets, name, out);
    const auto found = sets.find(name);
    if (fs::exists(file) || !found) continue;
    const DataSet& set = sets.describe_set(name);
    context.log.info("table", "importing {}", set.title);
    make_folder(file.parent_path());
    if (!run_or_throw(import_command(set, *found, file, context), context)) return false;
  }
  for (const PlannedSplit& split : plan.splits) {
    make_folder(split.file.parent_path());
    std::vector<std::string> words{context.programs.data, "--log", "warning", "split"};
    words.insert(words.end(), split.words.begin(), split.words.end());
    words.insert(words.end(), {"-o", split.file.string()});
    if (!run_or_throw({words, {}}, context)) return false;
  }
  return true;
}

WorkResult run_trainings(const RunPlan& plan, const std::vector<std::size_t>& places, const WorkContext& context) {
  WorkResult result;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Training& training = plan.trainings[places[i]];
    if (context.stop()) {
      result.is_stopped = true;
      return result;
    }
    context.log.info("table", "{} of {}: {}", i + 1, places.size(), name_of(training));
    std::string failure;
    const Job::End end = Job(plan, places[i], context).run_all(failure);
    if (end == Job::End::stopped) {
      result.is_stopped = true;
      return result;
    }
    if (end == Job::End::done) continue;
    context.log.error("table", "{}", failure);
    result.failures.push_back(failure);
  }
  return result;
}

}  // namespace bcr::table
