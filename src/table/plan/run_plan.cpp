#include "src/table/plan/run_plan.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bcr::table {
namespace {

namespace fs = std::filesystem;

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

void add_once(std::vector<std::string>& list, const std::string& name) {
  if (!contains(list, name)) list.push_back(name);
}

std::string array_text(const std::vector<fs::path>& files) {
  std::string text;
  for (const fs::path& file : files) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", file.string());
  return "[" + text + "]";
}

class Planner {
 public:
  Planner(const TablePlan& table, const Request& request, const DataSets& sets)
      : request_(request), sets_(sets), scale_(table.scale(request.scale)) {
    plan_.table = table;
    require<ConfigError>(request.lambdas.size() != 1, "--lambda", "several weights to choose from", "one");
    plan_.is_tuned = request.lambdas.size() > 1;
  }

  RunPlan run() {
    choose_methods();
    choose_settings();
    const int trials = request_.trials.value_or(scale_.trials);
    for (int trial = 0; trial < trials; ++trial) {
      for (std::size_t s = 0; s < plan_.settings.size(); ++s) {
        for (const std::string& name : plan_.methods) add_method(s, plan_.table.method(name), trial);
      }
    }
    return std::move(plan_);
  }

 private:
  void choose_methods() {
    const bool all = contains(request_.methods, "all");
    // A name may have a comma and spaces; that of its folder has none.
    const auto is_meant = [&](const Method& method) {
      return contains(request_.methods, method.name) || contains(request_.methods, folder_name(method.name));
    };
    for (const std::string& name : request_.methods) {
      const auto has_folder = [&](const Method& method) { return folder_name(method.name) == name; };
      if (name != "all" && !std::ranges::any_of(plan_.table.methods, has_folder)) plan_.table.method(name);
    }
    for (const Method& method : plan_.table.methods) {
      const bool wanted = request_.methods.empty() ? !method.extra : all || is_meant(method);
      if (wanted) plan_.methods.push_back(method.name);
    }
  }

  void choose_settings() {
    for (const std::string& name : request_.only) plan_.table.setting(name);
    for (const Setting& setting : plan_.table.settings) {
      if (!request_.only.empty() && !contains(request_.only, setting.name)) continue;
      const auto data = find_data(setting);
      if (!data) continue;
      plan_.settings.push_back(setting.name);
      plan_.data.push_back(*data);
      for (const std::string& set : data->all_sets()) add_once(plan_.data_sets, set);
    }
  }

  void miss(const Setting& setting, const std::string& set) {
    add_once(plan_.missing, fmt::format("{}: {}", setting.title, sets_.missing_text(set)));
  }

  /// Nothing if the setting cannot be trained or tested with what is there, and that is to be left out. What is missing
  /// and may not be left out is planned as if it were there: the plan tells its cost.
  std::optional<SettingData> find_data(const Setting& setting) {
    const train::DataOptions options = read_config(setting).data;
    SettingData data{options.known_train.stem().string(), options.known_test.stem().string(), {}, {}, {}, {}};
    bool complete = true;
    for (const std::string& set : {data.known_train, data.known_test}) {
      if (sets_.find(set)) continue;
      miss(setting, set);
      complete = false;
    }
    const auto background = std::find_if(setting.background.begin(), setting.background.end(),
                                         [&](const Background& one) { return sets_.find(one.set).has_value(); });
    if (background == setting.background.end()) {
      for (const Background& one : setting.background) miss(setting, one.set);
      data.background = setting.background.front();
      complete = false;
    } else {
      data.background = *background;
    }
    add_unknown(setting, options, data);
    if (request_.missing == Request::Missing::refused) return data;
    return complete && !data.unknown_test.empty() ? std::optional(data) : std::nullopt;
  }

  void add_unknown(const Setting& setting, const train::DataOptions& options, SettingData& data) {
    std::vector<std::string> names = setting.unknown_files;
    if (names.empty()) {
      for (const fs::path& file : options.unknown_test) names.push_back(file.stem().string());
    }
    if (!setting.unknown.empty() && setting.unknown.size() != names.size())
      throw ConfigError(plan_.table.name + ", setting " + setting.name,
                        fmt::format("a name in `unknown` for each of {} unknown sets", names.size()),
                        std::to_string(setting.unknown.size()));
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool is_there = sets_.find(names[i]).has_value();
      const std::string& title = setting.unknown.empty() ? names[i] : setting.unknown[i];
      if (!is_there) miss(setting, names[i]);
      if (!is_there && request_.missing == Request::Missing::left_out) {
        data.left_out.push_back(title);
        continue;
      }
      data.unknown_test.push_back(names[i]);
      if (!setting.unknown.empty()) data.unknown.push_back(title);
    }
  }

  fs::path config(const std::string& name) const { return request_.configs / name; }

  train::RunOptions read_config(const Setting& setting) const {
    const std::vector<fs::path> files{config(setting.config)};
    return Config::load(files).read<train::RunOptions>();
  }

  void add_method(const std::size_t s, const Method& method, const int trial) {
    if (!method.can_run()) return;
    std::vector<double> lambdas = method.lambdas;
    if (plan_.is_tuned && method.tuned && lambdas.empty()) lambdas = request_.lambdas;
    if (lambdas.empty()) return add_reading(s, method, std::nullopt, trial);
    for (const double lambda : lambdas) add_reading(s, method, lambda, trial);
  }

  void add_reading(const std::size_t s, const Method& method, const std::optional<double> lambda, const int trial) {
    const Method& trained = method.trained_as.empty() ? method : plan_.table.method(method.trained_as);
    const Setting& setting = plan_.table.setting(plan_.settings[s]);
    const std::size_t home = home_of(s);
    const std::size_t training = add_training(home, trained, lambda, trial);
    const std::size_t evaluation = add_evaluation(s, home, training, method);
    plan_.readings.push_back({setting.name, method.name, lambda, trial, evaluation});
  }

  /// The place of the setting whose trainings are evaluated; its own if that one takes no part.
  std::size_t home_of(const std::size_t s) const {
    const std::string& other = plan_.table.setting(plan_.settings[s]).trained_as;
    const auto found = std::find(plan_.settings.begin(), plan_.settings.end(), other);
    return found == plan_.settings.end() ? s : static_cast<std::size_t>(found - plan_.settings.begin());
  }

  std::size_t add_training(const std::size_t s, const Method& method, const std::optional<double> lambda,
                           const int trial) {
    const Setting& setting = plan_.table.setting(plan_.settings[s]);
    Training training{setting.name, method.name, lambda, trial, {}, {config(setting.config)}, {}, {}};
    for (const std::string& more : scale_.configs) training.configs.push_back(config(more));
    const bool is_reduced = request_.scale != ScaleName::full && !method.reduced.empty();
    training.configs.push_back(config(is_reduced ? method.reduced : method.config));
    training.overrides = method.options;
    training.overrides.push_back("mode=" + request_.mode.value_or(scale_.mode));
    if (lambda && *lambda > 0) training.overrides.push_back(fmt::format("loss.lambda={}", *lambda));
    if (plan_.is_tuned) training.overrides.push_back(fmt::format("data.validation={}", validation_share));
    training.overrides.insert(training.overrides.end(), request_.overrides.begin(), request_.overrides.end());
    for (const std::string& one : data_overrides(s, trial)) training.overrides.push_back(one);
    training.overrides.push_back(fmt::format("seed={}", trial + 1));
    if (!method.begins_with.empty()) {
      const std::size_t first = add_training(s, plan_.table.method(method.begins_with), std::nullopt, trial);
      training.overrides.push_back(fmt::format("train.start_from={}", plan_.trainings[first].directory.string()));
    }
    if (request_.epochs) shorten(training, *request_.epochs);
    training.options = Config::load(training.configs, training.overrides).read<train::RunOptions>();
    train::require_consistent(training.options);
    if (training.options.loss.name != "none" && training.options.loss.lambda) training.lambda = training.options.loss.lambda;
    training.directory = directory_of(training);
    const auto same = std::find_if(plan_.trainings.begin(), plan_.trainings.end(), [&](const Training& other) {
      return other.directory == training.directory;
    });
    if (same != plan_.trainings.end()) return static_cast<std::size_t>(same - plan_.trainings.begin());
    add_split(s, trial);
    plan_.trainings.push_back(std::move(training));
    return plan_.trainings.size() - 1;
  }

  /// Lists lie beside the configurations.
  std::string without_text(const Background& background) const {
    std::string text;
    for (const std::string& word : background.without) {
      text += text.empty() ? "" : ",";
      text += word.starts_with('@') ? "@" + config(word.substr(1)).string() : word;
    }
    return text;
  }

  static void shorten(Training& training, const int epochs) {
    const auto options = Config::load(training.configs, training.overrides).read<train::RunOptions>();
    training.overrides.push_back(fmt::format("train.epochs={}", epochs));
    training.overrides.push_back(fmt::format("train.schedule_epochs={}", epochs));
    if (options.train.warmup_epochs >= epochs)
      training.overrides.push_back(fmt::format("train.warmup_epochs={}", epochs - 1));
  }

  fs::path directory_of(const Training& training) const {
    std::string name = folder_name(training.method);
    if (training.lambda && *training.lambda > 0) name += fmt::format("-{:g}", *training.lambda);
    if (plan_.is_tuned) name += "-validated";
    return request_.out / "runs" / training.setting / name / fmt::format("trial-{}", training.trial + 1);
  }

  std::size_t add_evaluation(const std::size_t s, const std::size_t home, const std::size_t training,
                             const Method& method) {
    const SettingData& data = plan_.data[s];
    fs::path directory = plan_.trainings[training].directory;
    if (s != home) {
      directory = request_.out / "runs" / plan_.settings[s] / directory.parent_path().filename() / directory.filename();
      add_split(s, plan_.trainings[training].trial);
    }
    const auto same = std::find_if(plan_.evaluations.begin(), plan_.evaluations.end(),
                                   [&](const Evaluation& other) { return other.directory == directory; });
    if (same != plan_.evaluations.end()) {
      if (!method.score.empty()) add_once(same->scores, method.score);
      return static_cast<std::size_t>(same - plan_.evaluations.begin());
    }
    Evaluation evaluation{training,
                          plan_.settings[s],
                          directory,
                          {},
                          {},
                          data.unknown,
                          split_file(s, plan_.trainings[training].trial),
                          files_of(data.unknown_test)};
    if (!method.score.empty()) evaluation.scores.push_back(method.score);
    evaluation.overrides = {"data.split=" + evaluation.split.string(),
                            "data.unknown_test=" + array_text(evaluation.unknown_files)};
    plan_.evaluations.push_back(std::move(evaluation));
    return plan_.evaluations.size() - 1;
  }

  std::vector<fs::path> files_of(const std::vector<std::string>& names) const {
    std::vector<fs::path> files;
    for (const std::string& name : names) files.push_back(file_of_set(sets_, name, request_.out));
    return files;
  }

  std::vector<std::string> data_overrides(const std::size_t s, const int trial) const {
    const SettingData& data = plan_.data[s];
    return {"data.split=" + split_file(s, trial).string(),
            "data.known_train=" + file_of_set(sets_, data.known_train, request_.out).string(),
            "data.known_test=" + file_of_set(sets_, data.known_test, request_.out).string(),
            "data.background_train=" + array_text(files_of({data.background.set})),
            "data.unknown_test=" + array_text(files_of(data.unknown_test))};
  }

  fs::path split_file(const std::size_t s, const int trial) const {
    const Setting& setting = plan_.table.setting(plan_.settings[s]);
    const std::string number = setting.split == "whole" ? "" : fmt::format("-{}", trial);
    return request_.out / "splits" / fmt::format("{}{}.toml", setting.name, number);
  }

  void add_split(const std::size_t s, const int trial) {
    const Setting& setting = plan_.table.setting(plan_.settings[s]);
    const SettingData& data = plan_.data[s];
    const fs::path file = split_file(s, trial);
    const auto same = [&](const PlannedSplit& other) { return other.file == file; };
    if (std::any_of(plan_.splits.begin(), plan_.splits.end(), same)) return;
    const auto path = [&](const std::string& set) { return file_of_set(sets_, set, request_.out).string(); };
    PlannedSplit split{file, {setting.split, "--data", path(data.known_train)}};
    if (setting.split != "whole") split.words.insert(split.words.end(), {"--trial", std::to_string(trial)});
    if (data.unknown_test != std::vector{data.known_test}) {
      split.words.push_back("--unknown");
      for (const std::string& set : data.unknown_test) split.words.push_back(path(set));
    }
    split.words.insert(split.words.end(), {"--background", path(data.background.set)});
    if (!data.background.without.empty())
      split.words.insert(split.words.end(), {"--without", without_text(data.background)});
    plan_.splits.push_back(std::move(split));
  }

  const Request& request_;
  const DataSets& sets_;
  const Scale& scale_;
  RunPlan plan_;
};

}  // namespace

std::vector<std::string> SettingData::all_sets() const {
  std::vector<std::string> all{known_train};
  add_once(all, known_test);
  add_once(all, background.set);
  for (const std::string& set : unknown_test) add_once(all, set);
  return all;
}

fs::path file_of_set(const DataSets& sets, const std::string& name, const fs::path& out) {
  const fs::path made = out / "data" / (name + ".h5");
  if (fs::exists(made)) return made;
  const auto found = sets.find(name);
  return found && found->is_ready() ? found->ready : made;
}

std::string folder_name(const std::string& method) {
  std::string name;
  for (const char letter : method) {
    if (letter == ',') continue;
    name += letter == ' ' || letter == '_' ? '-' : letter;
  }
  return name;
}

RunPlan plan_runs(const TablePlan& table, const Request& request, const DataSets& sets) {
  return Planner(table, request, sets).run();
}

}  // namespace bcr::table
