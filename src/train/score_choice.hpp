#ifndef BCR_SRC_TRAIN_SCORE_CHOICE_HPP
#define BCR_SRC_TRAIN_SCORE_CHOICE_HPP

#include "io/hdf5/scores_file.hpp"
#include "losses/scores/score.hpp"

#include <string>
#include <vector>

namespace bcr::train {

/// The scores that an evaluation computes. Most are functions of one image's outputs and are computed with them
/// (losses/scores); openmax is fitted to the outputs of the training images, when all are known.
class ScoreChoice {
 public:
  /// The first of `asked` is the default score. Nothing asked for: all that fit, `default_score` in front. A
  /// ConfigError for a name that nobody knows, that does not fit the outputs, or that comes twice.
  ScoreChoice(std::vector<std::string> asked, const losses::ScoreShape& shape, const std::string& default_score);

  const std::vector<std::string>& names() const noexcept { return names_; }
  /// Those to be computed with the outputs; at least one, since they bring the predictions with them.
  const std::vector<std::string>& of_outputs() const noexcept { return of_outputs_; }
  bool has_openmax() const noexcept { return has_openmax_; }

  /// Puts the scores of a set in the order of names() and leaves out others.
  void arrange(io::SetScores& set) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::string> of_outputs_;
  bool has_openmax_ = false;
};

}  // namespace bcr::train

#endif
