#ifndef BCR_SRC_TRAIN_INFERENCE_HPP
#define BCR_SRC_TRAIN_INFERENCE_HPP

#include "io/hdf5/scores_file.hpp"
#include "losses/scores/score.hpp"
#include "models/model.hpp"
#include "src/train/batches/loader.hpp"

#include <memory>
#include <string>
#include <vector>

namespace bcr::train {

/// What to keep of an inference besides labels, predictions and scores.
/// The latent vector is kept with `all`, if the model has one.
enum class Keep { scores, outputs, outputs_and_features, all };

/// Runs a model over whole sets in inference mode (running statistics, no dropout, no augmentation).
template <class Exec, class T>
class Inference {
 public:
  /// Predictions are those of the known classes. `model` must outlive this.
  Inference(models::Model<Exec, T>& model, const std::vector<std::string>& scores, const losses::ScoreShape& shape,
            std::size_t batch);

  std::size_t batch() const noexcept { return batch_; }

  /// All samples of a loader in their order, with these labels.
  io::SetScores run(const Exec& exec, Loader<Exec, T>& loader, std::vector<std::int32_t> labels, Keep keep);
  /// The result of no image.
  io::SetScores nothing() const;
  /// Appends what the model says of one batch, its inputs by name, to a result that began as nothing().
  void run_batch(const Exec& exec, const nn::Tensors<Exec, T>& inputs, std::size_t rows, Keep keep,
                 io::SetScores& result);

 private:
  models::Model<Exec, T>& model_;
  std::size_t batch_;
  std::vector<std::unique_ptr<losses::Score<Exec, T>>> scores_;
  Vector<double, Exec> values_;
  Labels<Exec> predictions_;
};

}  // namespace bcr::train

#endif
