#ifndef BCR_SRC_TRAIN_EVALUATOR_HPP
#define BCR_SRC_TRAIN_EVALUATOR_HPP

#include "src/train/checkpoint_policy.hpp"
#include "src/train/experiment.hpp"
#include "src/train/open_set_test.hpp"
#include "src/train/openmax_score.hpp"
#include "src/train/score_choice.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bcr::train {

/// A threshold of each kind for one score.
struct ScoreThresholds {
  std::string score;
  metrics::RejectionThresholds rejection;
};

/// What a trained model says of the data of a run.
struct EvaluationResult {
  TestScores test;
  io::SetScores train_known;  ///< known training images, without augmentation
  std::optional<io::SetScores> validation;  ///< if the run kept out some
  std::vector<ScoreThresholds> thresholds;
  std::vector<std::string> scores;  ///< names; the first is the default
  std::optional<OpenmaxScore> openmax;  ///< if it is one of them
  int classes = 0;
  int features = 0;
  std::string outputs_sha256;
};

/// Restores a model from a checkpoint and shows it every set of the data, in inference mode, all ranks together.
class Evaluator {
 public:
  /// `scores` as ScoreChoice takes them. A ConfigError if the checkpoint is of another model.
  Evaluator(const RunOptions& options, const OpenData& data, const FoundCheckpoint& found,
            std::vector<std::string> scores, const Log& log, comm::Communicator& ranks);

  EvaluationResult run();

  const ModelPlan& plan() const noexcept { return plan_; }
  models::Model<Device, Real>& model() noexcept { return model_; }
  const Context<Device>& context() const noexcept { return context_; }
  std::vector<float> anchors() const;

 private:
  void add_openmax(EvaluationResult& result) const;

  RunOptions options_;
  const OpenData& data_;
  Context<Device> context_;
  ModelPlan plan_;
  models::Model<Device, Real> model_;
  ScoreChoice scores_;
  comm::Communicator& ranks_;
};

/// The thresholds of a score: P_I = 1/2 where the score is a function of it, and 95 % recall of these known scores.
metrics::RejectionThresholds rejection_thresholds(const std::string& score, const losses::ScoreShape& shape,
                                                  const std::vector<double>& train_known);

}  // namespace bcr::train

#endif
