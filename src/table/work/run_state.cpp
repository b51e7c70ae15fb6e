#include "src/table/work/run_state.hpp"

#include "io/hdf5/data_file.hpp"
#include "io/splits/set_names.hpp"
#include "src/core/atomic_file.hpp"
#include "src/core/config/codec.hpp"
#include "src/core/config/toml.hpp"
#include "src/core/error.hpp"
#include "src/core/text_file.hpp"
#include "src/run/manifest_file.hpp"
#include "src/run/run_directory.hpp"
#include "src/run/train_log.hpp"
#include "src/train/run_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::table {
namespace {

namespace fs = std::filesystem;

constexpr const char* seconds_file = "evaluation.toml";

/// Keys that change no result, or that a run resolves by itself.
bool may_differ(const std::string& key) {
  return train::is_a_place(key) || key == "data.mean" || key == "data.std" || key == "train.log_every" ||
         key == "train.eval_batch" || key == "model.vocabulary" || key.starts_with("eval.");
}

/// Data may be found elsewhere, but under the names that bcr-table gives them.
void require_same_data(const Training& training, const run::RunDirectory& directory) {
  const auto names = [](const train::DataOptions& data) {
    std::string names = data.known_train.stem().string();
    for (const fs::path& file : data.background_train) names += ", " + file.stem().string();
    return names;
  };
  const auto there =
      Config::parse(read_text(directory.config()), directory.config().string()).read<train::RunOptions>();
  if (names(there.data) != names(training.options.data))
    throw ConfigError("the run in " + directory.path().string(),
                      fmt::format("training data {}, as this table wants them", names(training.options.data)),
                      names(there.data) + "; give another --out, or remove that run");
}

void require_same_options(const Training& training, const run::RunDirectory& directory) {
  if (!fs::exists(directory.config())) return;
  require_same_data(training, directory);
  const auto there = train::settings_of(read_text(directory.config()), directory.config().string());
  for (const auto& [key, value] : train::settings_of(to_toml(training.options), "the plan")) {
    const auto found = there.find(key);
    if (found == there.end() || found->second == value || may_differ(key)) continue;
    throw ConfigError("the run in " + directory.path().string(), fmt::format("{} = {}, as this table wants it", key, value),
                      found->second + "; give another --out, or remove that run");
  }
}

/// The epochs of a resume begin with the steps that were lost: a median does not see them.
std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Whether the unknown sets are those that are planned: by their names and classes, which the hash of the split stands
/// for, and by the digests of their samples. What of that is no longer here cannot be compared.
bool has_planned_sets(const Evaluation& evaluation, const run::Metrics& metrics) {
  if (!fs::exists(evaluation.split)) return metrics.sets.size() == std::max<std::size_t>(1, evaluation.unknown.size());
  const io::Split split = io::read_split(evaluation.split);
  const std::vector<std::string> names = io::unknown_set_names(split);
  const auto is_named = [](const std::string& name, const run::Metrics::UnknownSet& set) { return name == set.name; };
  if (metrics.from.split_hash != io::split_hash(split) ||
      !std::equal(names.begin(), names.end(), metrics.sets.begin(), metrics.sets.end(), is_named))
    return false;
  for (std::size_t i = 0; i < std::min(names.size(), evaluation.unknown_files.size()); ++i) {
    const fs::path& file = evaluation.unknown_files[i];
    if (!fs::exists(file)) continue;
    const auto found = metrics.from.data_sha256.find("unknown_" + names[i]);
    const std::vector<std::string> here{io::open_data_file(file)->info().sha256};
    if (found == metrics.from.data_sha256.end() || found->second != here) return false;
  }
  return true;
}

}  // namespace

TrainingState state_of(const Training& training) {
  const run::RunDirectory directory(training.directory);
  TrainingState state;
  if (!fs::exists(directory.log())) return state;
  require_same_options(training, directory);
  const run::TrainLog log = run::parse_train_log(read_text(directory.log()), directory.log().string());
  state.stage = log.end_reason == "done" ? TrainingState::Stage::done : TrainingState::Stage::begun;
  std::vector<double> seconds, of_steps;
  std::int64_t before = 0;
  for (const run::LogRecord& epoch : log.epochs) {
    state.epochs = epoch.number("epoch").value_or(state.epochs);
    state.steps = static_cast<std::int64_t>(epoch.number("step").value_or(0));
    if (const auto took = epoch.number("seconds"); took && state.steps > before) {
      seconds.push_back(*took);
      of_steps.push_back(*took / static_cast<double>(state.steps - before));
    }
    before = state.steps;
  }
  state.epoch_seconds = median(seconds);
  state.step_seconds = median(of_steps);
  return state;
}

std::optional<run::Metrics> metrics_of(const Evaluation& evaluation, const Training& training) {
  const run::RunDirectory directory(evaluation.directory);
  const run::RunDirectory trained(training.directory);
  if (!fs::exists(directory.metrics()) || !fs::exists(trained.manifest())) return std::nullopt;
  const auto manifest = run::parse_manifest(read_text(trained.manifest()), trained.manifest().string());
  auto metrics = run::parse_metrics(read_text(directory.metrics()), directory.metrics().string());
  if (metrics.from.weights_sha256 != manifest.text("sha256.final_weights")) return std::nullopt;
  if (!has_planned_sets(evaluation, metrics)) return std::nullopt;
  for (const std::string& score : evaluation.scores) {
    if (!metrics.average.contains(score)) return std::nullopt;
  }
  return metrics;
}

void write_evaluation_seconds(const fs::path& directory, const double seconds) {
  write_file(directory / seconds_file, fmt::format("seconds = {:.3f}\n", seconds));
}

std::optional<double> read_evaluation_seconds(const fs::path& directory) {
  const fs::path file = directory / seconds_file;
  if (!fs::exists(file)) return std::nullopt;
  double seconds = 0;
  const ConfigValue tree = read_toml(file);
  const ConfigValue* const value = tree.find("seconds");
  if (value == nullptr || !codec::decode(*value, seconds)) return std::nullopt;
  return seconds;
}

}  // namespace bcr::table
