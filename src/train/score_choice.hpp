#ifndef BCR_SRC_TRAIN_SCORE_CHOICE_HPP
#define BCR_SRC_TRAIN_SCORE_CHOICE_HPP

#include "io/hdf5/scores_file.hpp"
#include "losses/scores/score.hpp"
#include "src/scores/fitted_score.hpp"

#include <string>
#include <vector>

namespace bcr::train {

/// What a model of this shape gives besides features and outputs.
scores::ModelGives gives_of(const losses::ScoreShape& shape);

/// The scores that an evaluation computes. Most are functions of one image's outputs and are computed with them
/// (losses/scores); others are fitted to the training images first (src/scores).
class ScoreChoice {
 public:
  /// The first of `asked` is the default score. Nothing asked for: those that fit and cost little, `default_score` in
  /// front; "all": all that fit. A ConfigError for a name that nobody knows, that does not fit the outputs, or that
  /// comes twice.
  ScoreChoice(std::vector<std::string> asked, const losses::ScoreShape& shape, const std::string& default_score);

  /// Whether what is asked for may be computed from moved images, which takes a model that can move them.
  static bool may_move_images(const std::vector<std::string>& asked);

  const std::vector<std::string>& names() const noexcept { return names_; }
  /// Those to be computed with the outputs; at least one, since they bring the predictions with them.
  const std::vector<std::string>& of_outputs() const noexcept { return of_outputs_; }
  /// Those to be fitted.
  const std::vector<std::string>& fitted() const noexcept { return fitted_; }
  /// Whether a score was named by the user.
  bool is_asked_for(const std::string& name) const;

  /// Takes a score off the list: its fit did not define it.
  void leave_out(const std::string& name);
  /// Puts the scores of a set in the order of names() and leaves out others.
  void arrange(io::SetScores& set) const;

 private:
  std::vector<std::string> asked_;
  std::vector<std::string> names_;
  std::vector<std::string> of_outputs_;
  std::vector<std::string> fitted_;
};

}  // namespace bcr::train

#endif
