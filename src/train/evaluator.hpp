#ifndef BCR_SRC_TRAIN_EVALUATOR_HPP
#define BCR_SRC_TRAIN_EVALUATOR_HPP

#include "src/run/metrics_file.hpp"
#include "src/train/checkpoint_policy.hpp"
#include "src/train/decision.hpp"
#include "src/train/experiment.hpp"
#include "src/train/fit_stage.hpp"
#include "src/train/open_set_test.hpp"
#include "src/train/score_choice.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bcr::train {

/// What a trained model says of the data of a run.
struct EvaluationResult {
  TestScores test;
  io::SetScores train_known;        ///< known training images, without augmentation
  std::optional<io::SetScores> validation;  ///< if the run kept out some
  std::vector<std::string> scores;  ///< names; the first is the default
  std::vector<Decision> decisions;
  int classes = 0;
  int features = 0;
  std::string outputs_sha256;
  run::ScoreTables seconds;  ///< what scores cost, as Metrics has it
};

/// Restores a model from a checkpoint, fits the scores that need it to the training images, and scores every set of the
/// data, in inference mode, all ranks together.
class Evaluator {
 public:
  /// `scores` as ScoreChoice takes them. A ConfigError if the checkpoint is of another model.
  Evaluator(const RunOptions& options, const OpenData& data, const FoundCheckpoint& found,
            std::vector<std::string> scores, const Log& log, comm::Communicator& ranks);

  EvaluationResult run();
  /// The parameters of the fitted scores, after run(): fitted.h5. Nothing is written if there are none.
  void write_fitted(const std::filesystem::path& path, const std::string& weights_sha256) const;

  const ModelPlan& plan() const noexcept { return plan_; }
  models::Model<Device, Real>& model() noexcept { return model_; }
  const Context<Device>& context() const noexcept { return context_; }
  std::vector<float> anchors() const;

 private:
  /// Labels, predictions and scores.
  io::SetScores scores_of(ModelBlocks& blocks, scores::SampleRows::Origin origin);
  /// What the network, each score and what they share cost.
  run::ScoreTables seconds_of(const InferenceTimes& times) const;
  void add_decisions(EvaluationResult& result) const;

  RunOptions options_;
  const OpenData& data_;
  Context<Device> context_;
  ModelPlan plan_;
  models::Model<Device, Real> model_;
  losses::ScoreShape shape_;
  ScoreChoice scores_;
  FittedScores fitted_;
  comm::Communicator& ranks_;
};

}  // namespace bcr::train

#endif
