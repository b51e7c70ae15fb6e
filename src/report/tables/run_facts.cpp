#include "src/report/tables/run_facts.hpp"

#include "io/splits/split.hpp"
#include "losses/options.hpp"
#include "models/backbones/registry.hpp"
#include "src/core/error.hpp"
#include "src/report/plot/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

namespace bcr::report {

namespace {

namespace fs = std::filesystem;

std::optional<double> to_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// "cifar10" of "cifar10-3": the trial is no part of the setting.
std::string without_trial(std::string name) {
  const std::size_t dash = name.find_last_of("-_");
  const auto is_digit = [](const unsigned char letter) { return std::isdigit(letter) != 0; };
  const bool number = dash != std::string::npos && dash + 1 < name.size() &&
                      std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dash) + 1, name.end(), is_digit);
  if (number) name.resize(dash);
  return name;
}

std::string setting_of(const Run& run) {
  if (const std::string name = run.manifest.text("split.name"); !name.empty()) return name;
  const fs::path file = run.config_value("data.split");
  if (file.empty()) return {};
  try {
    if (fs::exists(file)) return io::read_split(file).name;
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch)
    // The split may have been replaced since the run; its name is then the best that is left.
  }
  return without_trial(file.stem().string());
}

std::string network_of(const Run& run) {
  std::string name = run.config_value("model.name");
  const ConfigValue* const model = run.config ? run.config->find("model") : nullptr;
  if (model == nullptr || !models::backbones().contains(name)) return name;
  try {
    models::BackboneOptions options;
    OptionReader reader(*model, "model");
    describe(reader, options);
    return models::backbones().find(name).title(options);
  } catch (const ConfigError&) {
    return name;  // a value that this version refuses
  }
}

/// What a softmax classifier without background term is called when it is read by this score.
std::string softmax_method(const std::string& score) {
  if (score == "openmax") return score;
  if (score == "aosr") return "AOSR";
  return score.empty() || score == "max_softmax" ? "softmax" : "softmax, " + score;
}

/// Openmax and AOSR are no trainings of their own but other readings of a softmax classifier; CROSR, CGDL and C2AE
/// are both.
std::string method_of(const Run& run, const std::string& score) {
  std::string loss = run.config_value("loss.name");
  if (loss == "none" && run.config_value("model.head.name") == "linear") return softmax_method(score);
  if (loss == "reconstruction") return score == "crosr" ? "CROSR" : "CROSR, " + score;
  if (loss == "cgdl") return score == "cgdl" ? "CGDL" : "CGDL, " + score;
  if (loss == "c2ae") return score == "c2ae" ? "C2AE" : "C2AE, " + score;
  if (loss == "class_inclusion") {
    const std::string terms = run.config_value("loss.inclusion.terms");
    if (terms == "known" || terms == "unknown") return "class_inclusion, " + terms;
  }
  return loss;
}

}  // namespace

RunFacts facts_of(const Run& run) {
  if (!run.trials.empty()) return facts_of(run.trials.front());
  RunFacts facts;
  facts.score = run.scores ? run.scores->default_score : (run.metrics ? run.metrics->default_score : "");
  facts.method = method_of(run, facts.score);
  facts.network = network_of(run);
  facts.setting = setting_of(run);
  facts.lambda = to_number(run.config_value("loss.lambda"));
  if (!facts.lambda && !run.log.steps.empty()) facts.lambda = run.log.steps.back().number("lambda");
  if (run.config_value("loss.name") == "none") facts.lambda.reset();
  facts.epochs = run.config_value("train.epochs");
  facts.mode = run.config_value("mode");
  facts.seed = run.config_value("seed");
  return facts;
}

std::string method_title(const std::string& method, const std::optional<double> lambda) {
  constexpr std::pair<const char*, const char*> titles[] = {
      {"class_inclusion, unknown", "Class inclusion, background term alone"},
      {"class_inclusion, known", "Class inclusion, known term alone"},
      {"softmax", "Softmax"},
      {"openmax", "Openmax"}};
  std::string title = losses::loss_title(method);
  if (title.empty()) title = method;
  for (const auto& [name, words] : titles) {
    if (method == name) title = words;
  }
  if (lambda) title += fmt::format(", λ = {}", number_text(*lambda));
  return title;
}

std::string trials_text(const Run& run) {
  if (run.trials.size() < 2) return {};
  const auto evaluated =
      std::count_if(run.trials.begin(), run.trials.end(), [](const Run& trial) { return trial.metrics.has_value(); });
  const auto all = static_cast<std::ptrdiff_t>(run.trials.size());
  return evaluated == all ? fmt::format("{} trials", all) : fmt::format("{} of {} trials evaluated", evaluated, all);
}

std::optional<metrics::TrialSummary> metric_of(const Run& run, const std::string& metric) {
  std::vector<double> values;
  const auto take = [&](const Run& one) {
    if (!one.metrics) return;
    if (const auto value = one.metrics->overall(metric)) values.push_back(*value);
  };
  for (const Run& trial : run.trials) take(trial);
  if (run.trials.empty()) take(run);
  if (values.empty()) return std::nullopt;
  return metrics::summarise_trials(values);
}

std::string summary_text(const std::optional<metrics::TrialSummary>& summary) {
  if (!summary) return "–";
  if (!summary->deviation) return fmt::format("{:.4f}", summary->mean);
  return fmt::format("{:.4f} ± {:.4f}", summary->mean, *summary->deviation);
}

}  // namespace bcr::report
