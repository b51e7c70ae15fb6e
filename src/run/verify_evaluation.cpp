#include "src/run/verify_evaluation.hpp"

#include "io/splits/set_names.hpp"
#include "src/core/error.hpp"
#include "src/run/set_metrics.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace bcr::run {
namespace {

constexpr const char* metrics_file = "metrics.json";
constexpr const char* scores_file = "scores.h5";

/// Sums of other compilers may be rounded otherwise; all metrics are of the order of one.
constexpr double rounding = 1e-12;

std::string text_of(const std::optional<double> value) {
  return value ? fmt::format("{:.17g}", *value) : "none";
}

/// A table of numbers beside the same computed again. Infinite numbers are words in the file, and absent when read.
class TableCheck {
 public:
  void compare(const std::string& place, const NumberTable& file, const NumberTable& again) {
    for (const auto& [metric, value] : file) {
      const auto found = again.find(metric);
      if (found == again.end()) {
        unknown_.push_back(place + metric);
      } else {
        compare(place + metric, value, found->second);
      }
    }
    for (const auto& [metric, value] : again)
      if (std::isfinite(value) && !file.contains(metric)) missing_.push_back(place + metric);
  }

  void compare(const std::string& name, const std::optional<double> file, const std::optional<double> again) {
    ++compared_;
    const bool same = file && again ? std::abs(*file - *again) <= rounding : file.has_value() == again.has_value();
    if (!same) wrong_.push_back(fmt::format("{}: expected {}, received {}", name, text_of(again), text_of(file)));
  }

  /// Scores that stand on one side alone are numbers that nothing supports.
  void compare(const std::string& place, const ScoreTables& file, const ScoreTables& again) {
    std::set<std::string> names;
    for (const ScoreTables* const tables : {&file, &again})
      for (const auto& [score, values] : *tables) names.insert(score);
    for (const std::string& score : names) {
      const auto in_file = file.find(score), computed = again.find(score);
      if (in_file == file.end() || computed == again.end()) {
        wrong_.push_back(fmt::format("{}{}: expected in both files, received in {} alone", place, score,
                                     in_file == file.end() ? scores_file : metrics_file));
      } else {
        compare(place + score + ".", in_file->second, computed->second);
      }
    }
  }

  void tell(Findings& findings) const {
    for (const std::string& one : wrong_) findings.wrong(metrics_file, "does not follow from scores.h5: " + one);
    if (!unknown_.empty())
      findings.unknown(metrics_file,
                       fmt::format("has numbers that this program does not know: {}", fmt::join(unknown_, ", ")));
    if (!missing_.empty())
      findings.unknown(metrics_file,
                       fmt::format("lacks numbers that follow from scores.h5: {}", fmt::join(missing_, ", ")));
    if (wrong_.empty() && compared_ > 0)
      findings.right(metrics_file, fmt::format("follows from scores.h5: {} numbers computed again", compared_));
  }

 private:
  std::size_t compared_ = 0;
  std::vector<std::string> wrong_, unknown_, missing_;
};

std::vector<const io::SetScores*> sets_in_order(const Metrics& metrics, const io::ScoresFile& scores) {
  std::vector<const io::SetScores*> list{&scores.known};
  for (const Metrics::UnknownSet& set : metrics.sets)
    for (const auto& [name, answers] : scores.unknown)
      if (name == set.name) list.push_back(&answers);
  return list;
}

std::vector<std::string> set_names(const Metrics& metrics) {
  std::vector<std::string> names;
  for (const Metrics::UnknownSet& set : metrics.sets) names.push_back(set.name);
  return names;
}

std::vector<std::string> set_names(const io::ScoresFile& scores) {
  std::vector<std::string> names;
  for (const auto& [name, set] : scores.unknown) names.push_back(name);
  return names;
}

/// Lists in any order: HDF5 sorts them.
std::string sorted_text(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

void compare_numbers(const Metrics& metrics, const io::ScoresFile& scores, Findings& findings) {
  const auto classes = static_cast<int>(scores.class_names.size());
  const Metrics again = metrics_of_answers(scores.known, scores.unknown, scores.validation, classes);
  TableCheck check;
  check.compare("accuracy", metrics.accuracy, again.accuracy);
  check.compare("validation.accuracy", metrics.validation_accuracy, again.validation_accuracy);
  for (const Metrics::UnknownSet& set : metrics.sets)
    for (const Metrics::UnknownSet& other : again.sets)
      if (set.name == other.name) check.compare("sets." + set.name + ".", set.scores, other.scores);
  check.compare("average.", metrics.average, again.average);
  check.tell(findings);
}

/// Every stored answer is what its threshold makes of its score.
void compare_decisions(const Metrics& metrics, const io::ScoresFile& scores, Findings& findings) {
  const auto classes = static_cast<std::int32_t>(scores.class_names.size());
  std::size_t thresholds = 0, wrong = 0;
  for (const auto& [score, rules] : metrics.decisions)
    for (const auto& [rule, decision] : rules) {
      if (!decision.threshold) continue;
      ++thresholds;
      const std::string name = score + "." + rule;
      for (const io::SetScores* const set : sets_in_order(metrics, scores)) {
        const auto stored = std::find_if(set->decisions.begin(), set->decisions.end(),
                                         [&](const auto& entry) { return entry.first == name; });
        if (stored != set->decisions.end() && stored->second == decide(*set, score, *decision.threshold, classes))
          continue;
        ++wrong;
        findings.wrong(scores_file,
                       fmt::format("decision {} is not what the threshold {:.17g} of metrics.json makes of its score",
                                   name, *decision.threshold));
        break;
      }
    }
  if (thresholds > 0 && wrong == 0)
    findings.right(scores_file, fmt::format("has the answers of {} thresholds of metrics.json", thresholds));
}

void compare_outputs(const Metrics& metrics, const io::ScoresFile& scores, Findings& findings) {
  const std::vector<const io::SetScores*> sets = sets_in_order(metrics, scores);
  const bool all = std::all_of(sets.begin(), sets.end(), [](const auto* set) { return !set->outputs.empty(); });
  if (!all || scores.known.count() == 0 || metrics.test_logits_sha256.empty())
    return findings.unknown(scores_file, "has no outputs beside the digest of the test logits");
  findings.expect(metrics_file, "names the digest of the outputs in scores.h5",
                  outputs_sha256(sets, scores.known.outputs.size() / scores.known.count()), metrics.test_logits_sha256);
}

/// The classes of the samples of an unknown set are among those of the split, by their names.
void compare_unknown_classes(const std::string& name, const io::SetScores& set, const io::ClassChoice& choice,
                             Findings& findings) {
  if (set.class_names.empty()) return findings.unknown(scores_file, name + " does not name its classes");
  const std::vector<std::string> chosen = io::chosen_classes(choice, set.class_names, scores_file);
  for (const std::int32_t label : set.labels) {
    const std::string& received = set.class_names[static_cast<std::size_t>(label)];
    if (std::find(chosen.begin(), chosen.end(), received) != chosen.end()) continue;
    return findings.wrong(
        scores_file, fmt::format("{}: expected classes that the split calls unknown, received {}", name, received));
  }
  findings.right(scores_file, name + " has classes that the split calls unknown");
}

}  // namespace

void compare_with_scores(const Metrics& metrics, const io::ScoresFile& scores, Findings& findings) {
  findings.expect(scores_file, "have the default score of metrics.json", metrics.default_score, scores.default_score);
  const std::string sets = sorted_text(set_names(metrics)), answered = sorted_text(set_names(scores));
  findings.expect(scores_file, "have the unknown sets of metrics.json", sets, answered);
  if (sets != answered) return;
  if (scores.known.count() == 0) return findings.unknown(scores_file, "have no labels; an early program wrote them");
  try {
    compare_numbers(metrics, scores, findings);
    compare_decisions(metrics, scores, findings);
    compare_outputs(metrics, scores, findings);
  } catch (const Error& error) {
    findings.wrong(scores_file, fmt::format("cannot be what metrics.json was made from: {}", error.what()));
  }
}

void compare_with_split(const Metrics& metrics, const io::ScoresFile& scores, const io::Checkpoint& checkpoint,
                        Findings& findings) {
  findings.expect(scores_file, "have the classes of the checkpoint",
                  fmt::format("{}", fmt::join(checkpoint.class_names, ", ")),
                  fmt::format("{}", fmt::join(scores.class_names, ", ")));
  if (metrics.from.split_hash != checkpoint.split_hash)
    return findings.unknown(metrics_file, fmt::format("were made with another split, of hash {}: other unknown classes "
                                                      "were asked for",
                                                      metrics.from.split_hash));
  findings.right(metrics_file, "were made with the split of the checkpoint");
  if (checkpoint.split.empty()) return findings.unknown(metrics_file, "the checkpoint has but the hash of its split");
  try {
    const io::Split split = io::parse_split(checkpoint.split, metrics.from.checkpoint);
    const std::vector<std::string> names = io::unknown_set_names(split);
    for (const auto& [name, set] : scores.unknown) {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end())
        findings.wrong(scores_file, fmt::format("{}: expected an unknown set of the split, {}, received another", name,
                                                fmt::join(names, ", ")));
      else
        compare_unknown_classes(name, set, split.unknown[std::size_t(found - names.begin())], findings);
    }
  } catch (const Error& error) {
    findings.wrong(scores_file, error.what());
  }
}

}  // namespace bcr::run
