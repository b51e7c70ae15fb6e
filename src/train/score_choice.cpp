#include "src/train/score_choice.hpp"

#include "src/core/error.hpp"

#include <algorithm>
#include <utility>

namespace bcr::train {
namespace {

enum class Cost { little, any };

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::count(names.begin(), names.end(), name) > 0;
}

std::vector<std::string> all_that_fit(const losses::ScoreShape& shape, const std::string& first, const Cost cost) {
  std::vector<std::string> names{first};
  for (const losses::ScoreEntry& entry : losses::all_scores().entries())
    if (entry.fits_outputs(shape.outputs) && entry.name != first) names.push_back(entry.name);
  for (const scores::FittedScoreEntry& entry : scores::all_fitted_scores().entries())
    if (entry.fits_outputs(shape.outputs) && entry.has_what_it_needs(gives_of(shape)) &&
        (cost == Cost::any || static_cast<std::size_t>(shape.classes) <= entry.unasked_classes))
      names.push_back(entry.name);
  return names;
}

/// Whether a score is fitted; a ConfigError if it cannot be computed from such outputs.
bool check(const std::string& name, const losses::ScoreShape& shape) {
  const bool fitted = scores::all_fitted_scores().contains(name);
  if (!fitted && !losses::all_scores().contains(name))
    throw ConfigError(
        "--scores",
        "all, or names from " + losses::all_scores().name_list() + ", " + scores::all_fitted_scores().name_list(),
        name);
  const bool fits = fitted ? scores::all_fitted_scores().find(name).fits_outputs(shape.outputs)
                           : losses::all_scores().find(name).fits_outputs(shape.outputs);
  if (!fits)
    throw ConfigError("score " + name,
                      shape.outputs == losses::HeadOutputs::logits
                          ? "a head that gives squared distances, model.head.name = distance"
                          : "a head that gives logits, model.head.name = linear",
                      "a head that gives " + std::string(kernels::name_of(shape.outputs)));
  return fitted;
}

}  // namespace

scores::ModelGives gives_of(const losses::ScoreShape& shape) {
  return {.latent = shape.latents > 0,
          .moved_outputs = shape.moves_images,
          .gaussian = shape.is_gaussian,
          .conditioned = shape.is_conditioned};
}

ScoreChoice::ScoreChoice(std::vector<std::string> asked, const losses::ScoreShape& shape,
                         const std::string& default_score)
    : asked_(std::move(asked)) {
  if (asked_.empty() || asked_ == std::vector<std::string>{"all"}) {
    names_ = all_that_fit(shape, default_score, asked_.empty() ? Cost::little : Cost::any);
    asked_.clear();
  } else {
    names_ = asked_;
  }
  for (const std::string& name : names_) {
    require<ConfigError>(std::count(names_.begin(), names_.end(), name) == 1, "--scores", "each score once",
                         name + " twice");
    (check(name, shape) ? fitted_ : of_outputs_).push_back(name);
  }
  if (of_outputs_.empty()) of_outputs_.push_back(default_score);
}

bool ScoreChoice::may_move_images(const std::vector<std::string>& asked) {
  const auto moves = [](const std::string& name) {
    return scores::all_fitted_scores().contains(name) &&
           scores::all_fitted_scores().find(name).needs == scores::FittedScoreEntry::Needs::moved_outputs;
  };
  return asked == std::vector<std::string>{"all"} || std::any_of(asked.begin(), asked.end(), moves);
}

bool ScoreChoice::is_asked_for(const std::string& name) const {
  return has(asked_, name);
}

void ScoreChoice::leave_out(const std::string& name) {
  std::erase(names_, name);
  std::erase(fitted_, name);
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
