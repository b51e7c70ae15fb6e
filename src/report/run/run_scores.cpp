#include "src/report/run/run_scores.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bcr::report {

namespace {

/// One with a NaN is left out with a note.
std::map<std::string, std::vector<double>> ranked_scores(const io::SetScores& set, const std::string& group,
                                                         std::vector<std::string>& notes) {
  std::map<std::string, std::vector<double>> lists;
  for (const auto& [name, values] : set.scores) {
    if (std::any_of(values.begin(), values.end(), [](const double value) { return std::isnan(value); })) {
      notes.push_back(fmt::format("The score {} holds values that are not numbers in {} and is left out.", name, group));
    } else {
      lists.emplace(name, values);
    }
  }
  return lists;
}

Rows rows_of(const std::vector<float>& values, const std::size_t count) {
  return {count == 0 ? 0 : values.size() / count, values};
}

ScoredSet scored_set(const io::SetScores& set, const std::string& name, const std::string& group,
                     std::vector<std::string>& notes) {
  return {name, set.labels, set.predictions, ranked_scores(set, group, notes),
          rows_of(set.features, set.predictions.size())};
}

}  // namespace

RunScores read_scores(const std::filesystem::path& path) {
  io::ScoresFile file = io::read_scores_file(path);
  RunScores scores;
  if (!file.is_checked)
    scores.notes.push_back("An early program wrote scores.h5: nothing tells if it is what was written.");
  scores.default_score = file.default_score;
  scores.class_names = file.class_names;
  scores.known = scored_set(file.known, "known", "/known", scores.notes);
  for (const auto& [name, set] : file.unknown)
    scores.unknown.push_back(scored_set(set, name, "/unknown/" + name, scores.notes));
  scores.anchors = rows_of(file.anchors, scores.classes());
  scores.train_scores = ranked_scores(file.train_known, "/train_known/score", scores.notes);
  scores.examples = std::move(file.examples);
  if (scores.anchors.width != 0 && scores.known.features.width != 0 &&
      scores.anchors.width != scores.known.features.width) {
    throw IoError(fmt::format("read {}:/anchors", path.string()), fmt::format("{} columns", scores.known.features.width),
                  std::to_string(scores.anchors.width));
  }
  return scores;
}

}  // namespace bcr::report
