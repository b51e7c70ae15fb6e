#include "src/report/run/run.hpp"

#include "src/core/config/toml.hpp"
#include "src/core/error.hpp"
#include "src/core/text_file.hpp"

#include <fmt/format.h>

namespace bcr::report {

namespace {

namespace fs = std::filesystem;

/// parse(text, name) of a file, if it is there; else a note.
template <class Parse>
void read_part(Run& run, const char* const file, const char* const who, const Parse& parse) {
  const fs::path path = run.directory / file;
  if (fs::exists(path)) {
    parse(path);
  } else {
    run.notes.push_back(fmt::format("There is no {} yet; {} writes it.", file, who));
  }
}

/// A configuration that bcr-train wrote and that is no TOML is a damaged file, not a wrong setting of the user.
ConfigValue parse_config(const std::string& text, const fs::path& path) {
  try {
    return parse_toml(text, path.string());
  } catch (const ConfigError& error) {
    throw IoError("read " + path.string(), "a configuration in TOML", error.what());
  }
}

/// What is there, and not quite what one would expect.
void add_remarks(Run& run) {
  if (run.log.torn_lines > 0) {
    const std::string lines = run.log.torn_lines == 1 ? "One line of train.jsonl is"
                                                      : fmt::format("{} lines of train.jsonl are", run.log.torn_lines);
    run.notes.push_back(lines + " no JSON and left out: a full disk may keep half a line.");
  }
  const std::string final_weights = run.manifest.text("sha256.final_weights");
  if (!run.metrics || run.metrics->from.weights_sha256.empty() || final_weights.empty()) return;
  if (run.metrics->from.weights_sha256 != final_weights) {
    run.notes.push_back(
        fmt::format("The metrics were made from {}, step {}, not from the final weights of the run, "
                    "step {}; bcr-eval makes them anew.",
                    run.metrics->from.checkpoint, run.metrics->from.step.value_or(0), run.manifest.text("steps")));
  }
}

std::vector<fs::path> trial_directories(const fs::path& directory) {
  std::vector<fs::path> found;
  for (int trial = 1; fs::is_directory(directory / fmt::format("trial-{}", trial)); ++trial) {
    found.push_back(directory / fmt::format("trial-{}", trial));
  }
  return found;
}

std::string own_name(const fs::path& directory) {
  const fs::path whole = fs::absolute(directory).lexically_normal();
  const fs::path name = whole.has_filename() ? whole.filename() : whole.parent_path().filename();
  return name.empty() ? directory.string() : name.string();
}

void read_parts(Run& run) {
  read_part(run, "config.resolved.toml", "bcr-train", [&](const fs::path& path) {
    run.config_text = read_text(path);
    run.config = parse_config(run.config_text, path);
  });
  read_part(run, "manifest.json", "bcr-train",
            [&](const fs::path& path) { run.manifest = bcr::run::parse_manifest(read_text(path), path.string()); });
  read_part(run, "train.jsonl", "bcr-train",
            [&](const fs::path& path) { run.log = bcr::run::parse_train_log(read_text(path), path.string()); });
  read_part(run, "metrics.json", "bcr-eval",
            [&](const fs::path& path) { run.metrics = bcr::run::parse_metrics(read_text(path), path.string()); });
  read_part(run, "scores.h5", "bcr-eval", [&](const fs::path& path) { run.scores = read_scores(path); });
}

}  // namespace

std::string Run::config_value(const std::string_view key) const {
  const ConfigValue* value = config ? &*config : nullptr;
  for (std::size_t begin = 0; value != nullptr && begin <= key.size();) {
    const std::size_t end = std::min(key.find('.', begin), key.size());
    value = value->find(key.substr(begin, end - begin));
    begin = end + 1;
  }
  if (value == nullptr) return {};
  const auto* const text = std::get_if<std::string>(&value->data);
  return text != nullptr ? *text : to_toml_text(*value);
}

std::vector<Point> series_of(const std::vector<LogRecord>& records, const std::string& key) {
  std::vector<Point> points;
  for (const LogRecord& record : records) {
    const auto value = record.number(key);
    auto at = record.number("epoch");
    if (!at) at = record.number("step");
    if (value && at) points.push_back({*at, *value});
  }
  return points;
}

Run read_run(const std::filesystem::path& directory) {
  if (!fs::is_directory(directory)) {
    throw IoError("read " + directory.string(), "a run directory", fs::exists(directory) ? "a file" : "nothing");
  }
  Run run;
  run.directory = directory;
  run.name = own_name(directory);
  for (const fs::path& trial : trial_directories(directory)) run.trials.push_back(read_run(trial));
  if (!run.trials.empty()) return run;  // what stands at the top is made from the trials
  read_parts(run);
  constexpr std::size_t parts = 5;
  if (run.notes.size() == parts) {
    throw IoError("read " + directory.string(), "a run directory, as bcr-train fills it", "none of its files");
  }
  add_remarks(run);
  if (run.scores) run.notes.insert(run.notes.end(), run.scores->notes.begin(), run.scores->notes.end());
  if (run.metrics && run.metrics->default_score.empty() && run.scores) {
    run.metrics->default_score = run.scores->default_score;
  }
  return run;
}

}  // namespace bcr::report
