#ifndef BCR_SRC_TRAIN_FIT_STAGE_HPP
#define BCR_SRC_TRAIN_FIT_STAGE_HPP

#include "src/scores/fitted_score.hpp"
#include "src/train/experiment.hpp"
#include "src/train/open_set_test.hpp"
#include "src/train/score_choice.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace bcr::train {

/// The last layer of a model, on the host.
scores::HeadModel head_model(const models::Model<Device, Real>& model, const losses::ScoreShape& shape);

/// The images of a set as a trained model sees them, block after block, as often as wanted. All ranks compute, and all
/// see every block: the same bits whatever their number. Blocks are kept while they fit into a gigabyte, then computed
/// again.
class ModelBlocks {
 public:
  /// All must outlive this.
  ModelBlocks(const Context<Device>& context, const Dataset& images, const OpenData& data,
              const DataOptions& options, Inference<Device, Real>& inference, Keep keep, comm::Communicator& ranks);

  void for_each(const std::function<void(const io::SetScores&)>& function);

 private:
  io::SetScores compute(std::size_t block);

  const Context<Device>& context_;
  const Dataset& images_;
  const OpenData& data_;
  const DataOptions& options_;
  Inference<Device, Real>& inference_;
  Keep keep_;
  comm::Communicator& ranks_;
  std::size_t block_;  ///< images
  std::map<std::size_t, io::SetScores> kept_;
  std::size_t kept_bytes_ = 0;
};

/// The fitted scores of an evaluation.
class FittedScores {
 public:
  FittedScores() = default;
  FittedScores(const ScoreChoice& choice, const scores::HeadModel& head, const scores::FittedScoreOptions& options);

  bool empty() const noexcept { return scores_.empty(); }
  bool read_features() const;
  /// Whether some read more than features and outputs.
  bool read_more() const;
  /// Whether some read the outputs of moved images.
  bool move_images() const;
  /// Shows the training images to all of them; as many passes as the one that wants most. Afterwards scores that the
  /// data do not define are taken off, and off the choice, with a warning; a NumericsError if one was asked for.
  void fit(ModelBlocks& training, ScoreChoice& choice, const Log& log);

  /// Appends to the scores of a set whose outputs and features are there.
  void add_to(io::SetScores& set, scores::SampleRows::Origin origin);
  /// Seconds that fitting a score took, and since then scoring so many images, by name.
  struct Times {
    double fitting = 0;
    double scoring = 0;
    std::size_t images = 0;
  };
  const std::map<std::string, Times>& times() const noexcept { return times_; }
  /// Those with a rule of their own.
  std::vector<std::string> deciding() const;
  std::vector<std::int32_t> decide(const std::string& name, const io::SetScores& set) const;

  /// The parameters of all, under the weights that they were fitted to: fitted.h5 of a run.
  void write(const std::filesystem::path& path, const std::string& weights_sha256) const;
  /// Instead of fit(). An IoError if the file lacks a score, or was fitted to other weights.
  void read(const std::filesystem::path& path, const std::string& weights_sha256);

 private:
  std::vector<std::pair<std::string, std::unique_ptr<scores::FittedScore>>> scores_;
  scores::HeadModel head_;
  std::map<std::string, Times> times_;
  std::string settings_;  ///< TOML
};

}  // namespace bcr::train

#endif
