#include "src/run/set_metrics.hpp"

#include "src/core/error.hpp"
#include "src/core/sha256.hpp"
#include "src/metrics/accuracy.hpp"
#include "src/metrics/registry.hpp"

#include <algorithm>
#include <array>

namespace bcr::run {
namespace {

/// The entry of that name in a list of scores or of decisions.
template <class List>
const auto& values_of(const List& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.first == name; });
  require<ShapeError>(found != list.end(), "answers of a set", name, "none of that name");
  return found->second;
}

NumberTable metric_values(const metrics::Evaluation& evaluation) {
  NumberTable values;
  for (const metrics::MetricValue& entry : metrics::evaluate_all_metrics(evaluation))
    if (entry.value) values[entry.metric->name] = *entry.value;
  return values;
}

/// Of each metric, over the sets that define it.
ScoreTables average_of(const std::vector<Metrics::UnknownSet>& sets) {
  ScoreTables average;
  std::map<std::string, std::map<std::string, int>> defined;  // in how many sets
  for (const auto& [set, scores] : sets)
    for (const auto& [score, values] : scores)
      for (const auto& [metric, value] : values) {
        average[score][metric] += value;
        ++defined[score][metric];
      }
  for (auto& [score, values] : average)
    for (auto& [metric, value] : values) value /= defined[score][metric];
  return average;
}

}  // namespace

metrics::Evaluation evaluate_set(const io::SetScores& known, const io::SetScores* const unknown,
                                 const std::string& score, const int classes) {
  metrics::OpenSetSamples<double> samples{.classes = classes,
                                          .known_scores = values_of(known.scores, score),
                                          .known_predictions = known.predictions,
                                          .known_labels = known.labels,
                                          .unknown_scores = {},
                                          .unknown_predictions = {}};
  std::vector<metrics::Decided> decisions;
  if (unknown != nullptr) {
    samples.unknown_scores = values_of(unknown->scores, score);
    samples.unknown_predictions = unknown->predictions;
    for (const auto& [name, answers] : known.decisions)
      if (name.starts_with(score + "."))
        decisions.push_back({name.substr(score.size() + 1), answers, values_of(unknown->decisions, name)});
  }
  return metrics::evaluate<double>(samples, decisions);
}

Metrics metrics_of_answers(const io::SetScores& known, const std::vector<NamedScores>& unknown,
                           const std::optional<io::SetScores>& validation, const int classes) {
  Metrics metrics;
  metrics.accuracy = metrics::accuracy(known.predictions, known.labels);
  if (validation) metrics.validation_accuracy = metrics::accuracy(validation->predictions, validation->labels);
  const auto of_set = [&](const io::SetScores* const set) {
    ScoreTables by_score;
    for (const auto& [score, values] : known.scores)
      by_score[score] = metric_values(evaluate_set(known, set, score, classes));
    return by_score;
  };
  for (const auto& [name, set] : unknown) metrics.sets.push_back({name, of_set(&set)});
  metrics.average = unknown.empty() ? of_set(nullptr) : average_of(metrics.sets);
  return metrics;
}

std::vector<std::int32_t> decide(const io::SetScores& set, const std::string& score, const double threshold,
                                 const std::int32_t classes) {
  const std::vector<double>& values = values_of(set.scores, score);
  std::vector<std::int32_t> answers = set.predictions;
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (!(values[i] >= threshold)) answers[i] = classes;
  return answers;
}

std::string outputs_sha256(const std::vector<const io::SetScores*>& sets, const std::size_t columns) {
  Sha256 hash;
  for (const io::SetScores* const set : sets) {
    const std::array<std::size_t, 2> extents{set->count(), columns};
    update_with_array(hash, "float32", extents, std::as_bytes(std::span(set->outputs)));
  }
  return to_hex(hash.digest());
}

}  // namespace bcr::run
