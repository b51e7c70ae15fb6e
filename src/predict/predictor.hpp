#ifndef BCR_SRC_PREDICT_PREDICTOR_HPP
#define BCR_SRC_PREDICT_PREDICTOR_HPP

#include "io/images/fit.hpp"
#include "io/text/vocabulary.hpp"
#include "src/predict/answer.hpp"
#include "src/predict/rejection.hpp"
#include "src/predict/saved_model.hpp"
#include "src/train/inference.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace bcr::predict {

/// A trained classifier with an outcome "unknown", from a checkpoint alone:
///
///   bcr::Predictor predictor("runs/first", {}, log);
///   for (const bcr::predict::Answer& answer : predictor.predict(pixels)) ...
///
/// Kokkos must run; there is no other global state. All memory of the network is taken once, for `batch` images. In
/// strict mode an answer is a function of its image alone: batches, order and threads change no bit. A model of texts
/// is the same with rows of tokens in place of images (text_source.hpp makes them of words).
class Predictor {
 public:
  /// `path`: a checkpoint, or a run directory, whose latest one is taken. An IoError if it is none, is damaged, or was
  /// written before checkpoints had class names and sizes.
  Predictor(const std::filesystem::path& path, const RejectionOptions& options, const Log& log, std::size_t batch = 64);
  Predictor(SavedModel saved, const RejectionOptions& options, const Log& log, std::size_t batch = 64);

  std::size_t batch() const noexcept { return inference_.batch(); }
  bool reads_texts() const noexcept { return !checkpoint_.vocabulary.empty(); }
  /// Of texts: the words that the model knows, and the tokens of a row.
  const io::Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  int steps() const noexcept { return image().width; }
  /// Height, width and channels of an image.
  const nn::ImageShape& image() const noexcept { return plan_.shape.image; }
  /// How pictures of other sizes became images of this one when the model was trained; area_crop if nobody knows.
  io::Fit fit() const noexcept { return io::fit_of_name(checkpoint_.fit).value_or(io::Fit::area_crop); }
  const std::vector<std::string>& class_names() const noexcept { return checkpoint_.class_names; }
  const std::string& score_name() const noexcept { return plan_.default_score; }
  const std::string& model() const noexcept { return checkpoint_.model; }
  const Rejection& rejection() const noexcept { return rejection_; }

  /// Of images [N, H, W, C], bytes as decoded: normalisation is ours. A ShapeError for a part of an image.
  std::vector<Answer> predict(std::span<const std::uint8_t> images);
  /// Of texts, rows of tokens [N, steps()] of vocabulary(), padded in front.
  std::vector<Answer> predict(std::span<const std::int32_t> tokens);

 private:
  using Device = train::Device;
  using Real = train::Real;

  /// A batch on the device.
  nn::Tensor<Device, Real> load(std::span<const std::uint8_t> images);
  nn::Tensor<Device, Real> load(std::span<const std::int32_t> tokens);
  template <class Element>
  std::vector<Answer> answers(std::span<const Element> samples, const std::string& input);
  Answer answer(const io::SetScores& scores, std::size_t row) const;

  io::Checkpoint checkpoint_;  ///< without its tensors
  train::RunOptions options_;
  train::ModelPlan plan_;
  Device exec_;
  models::Model<Device, Real> model_;
  losses::ScoreShape shape_;
  Rejection rejection_;
  train::Inference<Device, Real> inference_;
  kernels::Normalisation<Real> normalisation_;
  Kokkos::View<std::uint8_t****, Kokkos::LayoutRight, Device::memory_space> pixels_;
  Kokkos::View<std::uint8_t****, Kokkos::LayoutRight, Kokkos::HostSpace> staging_;
  Tensor4<Real, Device> samples_;
  io::Vocabulary vocabulary_;
  nn::Tokens<Device> tokens_;
};

}  // namespace bcr::predict

namespace bcr {
using predict::Predictor;
}

#endif
