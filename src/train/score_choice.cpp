#include "src/train/score_choice.hpp"

#include "src/core/error.hpp"
#include "src/train/openmax_score.hpp"

#include <algorithm>
#include <utility>

namespace bcr::train {
namespace {

std::vector<std::string> all_that_fit(const losses::ScoreShape& shape, const std::string& first) {
  // Openmax keeps a mean of C logits for each of C classes: with very many of them it has to be asked for.
  constexpr int most_classes_of_openmax = 1000;
  std::vector<std::string> names{first};
  for (const losses::ScoreEntry& entry : losses::all_scores().entries())
    if (entry.fits_outputs(shape.outputs) && entry.name != first) names.push_back(entry.name);
  if (shape.outputs == losses::HeadOutputs::logits && shape.classes <= most_classes_of_openmax)
    names.emplace_back(OpenmaxScore::name);
  return names;
}

void require_known(const std::string& name) {
  if (name == OpenmaxScore::name || losses::all_scores().contains(name)) return;
  throw ConfigError("--scores", "names from " + losses::all_scores().name_list() + ", openmax", name);
}

}  // namespace

ScoreChoice::ScoreChoice(std::vector<std::string> asked, const losses::ScoreShape& shape,
                         const std::string& default_score)
    : names_(asked.empty() ? all_that_fit(shape, default_score) : std::move(asked)) {
  for (const std::string& name : names_) {
    require_known(name);
    require<ConfigError>(std::count(names_.begin(), names_.end(), name) == 1, "--scores", "each score once",
                         name + " twice");
    if (name == OpenmaxScore::name) {
      require<ConfigError>(shape.outputs == losses::HeadOutputs::logits, "score openmax",
                           "a head that gives logits, model.head.name = linear", "a head that gives squared distances");
      has_openmax_ = true;
    } else {
      of_outputs_.push_back(name);
    }
  }
  if (of_outputs_.empty()) of_outputs_.push_back(default_score);
}

void ScoreChoice::arrange(io::SetScores& set) const {
  decltype(set.scores) arranged;
  for (const std::string& name : names_) {
    const auto found =
        std::find_if(set.scores.begin(), set.scores.end(), [&](const auto& score) { return score.first == name; });
    require<ShapeError>(found != set.scores.end(), "ScoreChoice::arrange", "the score " + name, "none of that name");
    arranged.push_back(std::move(*found));
  }
  set.scores = std::move(arranged);
}

}  // namespace bcr::train
