#ifndef BCR_SRC_TRAIN_INFERENCE_HPP
#define BCR_SRC_TRAIN_INFERENCE_HPP

#include "io/hdf5/scores_file.hpp"
#include "losses/scores/score.hpp"
#include "models/model.hpp"
#include "src/train/batches/loader.hpp"
#include "src/train/input_step.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bcr::train {

/// What to keep of an inference besides labels, predictions and scores. `all`: whatever there is, the latent vector, the
/// errors of reconstructions, those for each class, the outputs of moved images.
enum class Keep { scores, outputs, outputs_and_features, all };

/// Seconds that the images took since an inference was made.
struct InferenceTimes {
  std::size_t images = 0;
  double network = 0;
  std::vector<double> scores;  ///< of each score of the outputs
  double moving = 0;           ///< images and their outputs, where they are moved
  double decoding = 0;         ///< reconstructions for each class, and their errors
};

/// Runs a model over whole sets in inference mode (running statistics, no dropout, no augmentation).
template <class Exec, class T>
class Inference {
 public:
  /// Predictions are those of the known classes. `model` must outlive this.
  Inference(models::Model<Exec, T>& model, const std::vector<std::string>& scores, const losses::ScoreShape& shape,
            std::size_t batch);

  std::size_t batch() const noexcept { return batch_; }
  const InferenceTimes& times() const noexcept { return times_; }

  /// From now on the outputs of moved images are computed too, where everything is kept.
  void move_images(const losses::ScoreShape& shape, const scores::OdinSettings& settings,
                   const std::vector<double>& deviations) {
    step_.emplace(model_, shape, settings, deviations, batch_);
  }

  /// All samples of a loader in their order, with these labels.
  io::SetScores run(const Exec& exec, Loader<Exec, T>& loader, std::vector<std::int32_t> labels, Keep keep);
  /// The result of no image.
  io::SetScores nothing() const;
  /// Appends what the model says of one batch, its inputs by name, to a result that began as nothing().
  void run_batch(const Exec& exec, const nn::Tensors<Exec, T>& inputs, std::size_t rows, Keep keep,
                 io::SetScores& result);

 private:
  /// What only some scores read.
  void append_rest(const Exec& exec, const nn::Tensors<Exec, T>& inputs, const nn::Tensors<Exec, T>& tensors,
                   std::size_t rows, io::SetScores& result);
  /// Further passes for the classes that the first one did not decode.
  void append_class_errors(const Exec& exec, const nn::Tensors<Exec, T>& inputs, const nn::Tensors<Exec, T>& tensors,
                           std::size_t rows, io::SetScores& result);

  models::Model<Exec, T>& model_;
  std::size_t batch_;
  std::size_t classes_;
  std::vector<std::unique_ptr<losses::Score<Exec, T>>> scores_;
  Vector<double, Exec> values_;
  Labels<Exec> predictions_;
  InferenceTimes times_;
  std::optional<InputStep<Exec, T>> step_;
};

}  // namespace bcr::train

#endif
