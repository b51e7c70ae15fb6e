#ifndef BCR_SRC_TRAIN_DECISION_HPP
#define BCR_SRC_TRAIN_DECISION_HPP

#include "io/hdf5/scores_file.hpp"
#include "losses/scores/score.hpp"
#include "src/train/eval_options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bcr::train {

/// A classifier with C + 1 outcomes, fixed before the test images were seen.
struct Decision {
  std::string score;
  std::string rule;                 ///< one of metrics::all_decision_rules()
  std::optional<double> threshold;  ///< score < threshold is unknown; empty: the score's own rule
  std::string found;                ///< how it was found, for people

  std::string name() const { return score + "." + rule; }
};

/// What can be decided by a score: P_I = 1/2 where the score is a function of it; eval.recall of these known scores,
/// all of training or validation images (`origin` says which); tau for max_softmax; eval.threshold for the default
/// score.
std::vector<Decision> threshold_decisions(const std::string& score, const losses::ScoreShape& shape,
                                          const std::vector<double>& known, const std::string& origin,
                                          const EvalOptions& options, bool is_default);

/// The prediction where the score of a set is at least the threshold, else `classes`.
std::vector<std::int32_t> decide(const io::SetScores& set, const Decision& decision, std::int32_t classes);

}  // namespace bcr::train

#endif
