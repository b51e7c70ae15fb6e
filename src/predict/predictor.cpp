#include "src/predict/predictor.hpp"

#include "kernels/augment/augment.hpp"
#include "kernels/math/exp.hpp"
#include "src/train/model_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace bcr::predict {
namespace {

namespace fs = std::filesystem;

fs::path checkpoint_path(const fs::path& path) {
  return fs::is_directory(path) ? run::RunDirectory(path).latest() : path;
}

io::Checkpoint read_complete(const fs::path& path) {
  io::Checkpoint checkpoint = io::read_checkpoint(path);
  const std::string operation = "checkpoint " + path.string();
  require<IoError>(checkpoint.vocabulary.empty(), operation, "a model of images", "one of texts");
  require<IoError>(!checkpoint.class_names.empty() && checkpoint.sample.size() == 3 && !checkpoint.mean.empty(),
                   operation, "class names, size and normalisation of images",
                   "none: it was written before checkpoints had them; bcr-train --resume auto writes new ones");
  for (const double extent : checkpoint.sample)
    require<IoError>(extent >= 1 && extent <= double(io::largest_side) && extent == std::floor(extent), operation,
                     "a size of images", fmt::format("{}", extent));
  require<IoError>(checkpoint.fit.empty() || io::fit_of_name(checkpoint.fit), operation,
                   "a way to fit pictures, as area-crop", checkpoint.fit);
  const auto classes = static_cast<std::int32_t>(checkpoint.class_names.size());
  for (const std::int32_t guess : checkpoint.calibration.predictions)
    require<IoError>(guess >= 0 && guess < classes, operation, "known classes in /calibration/predictions",
                     std::to_string(guess));
  return checkpoint;
}

nn::ImageShape sample_shape(const io::Checkpoint& checkpoint) {
  const auto extent = [&](const std::size_t i) { return static_cast<int>(checkpoint.sample[i]); };
  return {extent(0), extent(1), extent(2)};
}

/// The default score decides; log P_I is computed beside it where there are anchors.
std::vector<std::string> scores_of(const train::ModelPlan& plan) {
  std::vector<std::string> names{plan.default_score};
  if (plan.outputs == losses::HeadOutputs::squared_distances && plan.default_score != "inclusion")
    names.push_back("inclusion");
  return names;
}

}  // namespace

Predictor::Predictor(const fs::path& path, const RejectionOptions& options, const Log& log, const std::size_t batch)
    : checkpoint_(read_complete(checkpoint_path(path))),
      options_(Config::parse(checkpoint_.config, checkpoint_path(path).string()).read<train::RunOptions>()),
      plan_(train::plan_model(options_, sample_shape(checkpoint_), static_cast<int>(checkpoint_.class_names.size()))),
      model_(options_.model, plan_.shape,
             {.mode = options_.mode, .training_images = 0, .inference_images = static_cast<int>(batch)}, options_.seed,
             exec_, log),
      shape_(train::score_shape(options_, plan_, model_)),
      rejection_(options, checkpoint_.calibration, plan_.default_score, shape_, checkpoint_path(path).string()),
      inference_(model_, scores_of(plan_), shape_, batch),
      normalisation_(kernels::make_normalisation<Real>(checkpoint_.mean, checkpoint_.std)),
      pixels_("bcr::predict::pixels", batch, image().height, image().width, image().channels),
      staging_(Kokkos::create_mirror_view(pixels_)),
      samples_("bcr::predict::samples", batch, image().height, image().width, image().channels) {
  const std::string file = checkpoint_path(path).string();
  require<IoError>(checkpoint_.model == model_.description(), "checkpoint " + file,
                   "a model of its own configuration: " + model_.description(), checkpoint_.model);
  require<IoError>(checkpoint_.mean.size() == std::size_t(image().channels), "checkpoint " + file,
                   "a mean of each channel", std::to_string(checkpoint_.mean.size()));
  train::restore_model(exec_, checkpoint_, file, model_);
  checkpoint_.tensors = {};
}

void Predictor::run_batch(const std::span<const std::uint8_t> images, io::SetScores& result) {
  const std::size_t rows = images.size() / image().size();
  std::memcpy(staging_.data(), images.data(), images.size());
  Kokkos::deep_copy(exec_, pixels_, staging_);
  const Tensor4<Real, Device> samples(samples_.data(), rows, image().height, image().width, image().channels);
  const kernels::BatchOrder order{rows, 0, Stream("data/test"), kernels::Shuffle::none};
  kernels::augment<Device, Real>(exec_, pixels_, {}, order, 0, kernels::Placement::in_place, {}, normalisation_,
                                 samples, {});
  nn::Tensors<Device, Real> inputs;
  inputs.set("images", samples);
  inference_.run_batch(exec_, inputs, rows, train::Keep::outputs, result);
}

std::vector<Answer> Predictor::predict(const std::span<const std::uint8_t> images) {
  require<ShapeError>(images.size() % image().size() == 0, "Predictor::predict", "whole images " + image().text(),
                      fmt::format("{} bytes", images.size()));
  std::vector<Answer> answers;
  const std::size_t most = batch() * image().size();
  for (std::size_t first = 0; first < images.size(); first += most) {
    io::SetScores result = inference_.nothing();
    run_batch(images.subspan(first, std::min(most, images.size() - first)), result);
    for (std::size_t row = 0; row < result.predictions.size(); ++row) answers.push_back(answer(result, row));
  }
  return answers;
}

Answer Predictor::answer(const io::SetScores& scores, const std::size_t row) const {
  const bool distances = plan_.outputs == losses::HeadOutputs::squared_distances;
  const float* const outputs = scores.outputs.data() + row * std::size_t(model_.columns());
  Answer answer;
  answer.guess = scores.predictions[row];
  answer.score = scores.scores.front().second[row];
  for (std::int32_t c = 0; c < plan_.classes; ++c) {
    const auto better = [&](const std::int32_t other) {
      return distances ? outputs[c] < outputs[other] : outputs[c] > outputs[other];
    };
    if (c != answer.guess && (!answer.second || better(*answer.second))) answer.second = c;
  }
  if (distances) {
    answer.inclusion = kernels::strict::exp(scores.scores.back().second[row]);
    answer.distance = std::sqrt(static_cast<double>(outputs[answer.guess]));
  }
  answer.p_value = rejection_.p_value(answer.score, answer.guess);
  answer.unknown = rejection_.rejects(answer.score, answer.guess);
  return answer;
}

}  // namespace bcr::predict
