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

/// The default score decides; log P_I is computed beside it where there are anchors.
std::vector<std::string> scores_of(const train::ModelPlan& plan) {
  std::vector<std::string> names{plan.default_score};
  if (plan.outputs == losses::HeadOutputs::squared_distances && plan.default_score != "inclusion")
    names.push_back("inclusion");
  return names;
}

/// In fast mode what the run was configured with; a model that was trained with bf16 answers in fp32 where there is none.
nn::Precision precision_here(const train::RunOptions& options) {
  if (options.mode == nn::Mode::strict || !nn::has_bf16<train::Device>()) return nn::Precision::fp32;
  return nn::resolved_precision<train::Device>(options.mode, options.fast);
}

}  // namespace

Predictor::Predictor(const fs::path& path, const RejectionOptions& options, const Log& log, const std::size_t batch)
    : Predictor(read_saved_model(path), options, log, batch) {}

Predictor::Predictor(SavedModel saved, const RejectionOptions& options, const Log& log, const std::size_t batch)
    : checkpoint_(std::move(saved.checkpoint)),
      options_(std::move(saved.options)),
      plan_(std::move(saved.plan)),
      model_(options_.model, plan_.shape,
             {.mode = options_.mode,
              .precision = precision_here(options_),
              .training_images = 0,
              .inference_images = static_cast<int>(batch)},
             options_.seed, exec_, log),
      shape_(train::score_shape(options_, plan_, model_)),
      rejection_(options, checkpoint_, plan_.default_score, shape_, saved.file),
      inference_(model_, scores_of(plan_), shape_, batch) {
  const std::string operation = "checkpoint " + saved.file;
  require<IoError>(checkpoint_.model == model_.description(), operation,
                   "a model of its own configuration: " + model_.description(), checkpoint_.model);
  if (reads_texts()) {
    vocabulary_ = io::Vocabulary::parse(checkpoint_.vocabulary, operation);
    require<IoError>(vocabulary_.size() <= std::size_t(options_.model.backbone.vocabulary), operation,
                     fmt::format("words that fit a table of {}", options_.model.backbone.vocabulary),
                     std::to_string(vocabulary_.size()));
    tokens_ = nn::Tokens<Device>("bcr::predict::tokens", batch, std::size_t(steps()));
  } else {
    require<IoError>(checkpoint_.mean.size() == std::size_t(image().channels), operation, "a mean of each channel",
                     std::to_string(checkpoint_.mean.size()));
    normalisation_ = kernels::make_normalisation<Real>(checkpoint_.mean, checkpoint_.std);
    pixels_ = decltype(pixels_)("bcr::predict::pixels", batch, image().height, image().width, image().channels);
    staging_ = Kokkos::create_mirror_view(pixels_);
    samples_ = decltype(samples_)("bcr::predict::samples", batch, image().height, image().width, image().channels);
  }
  train::restore_model(exec_, checkpoint_, saved.file, model_);
  checkpoint_.tensors = {};
}

nn::Tensor<Predictor::Device, Predictor::Real> Predictor::load(const std::span<const std::uint8_t> images) {
  const std::size_t rows = images.size() / image().size();
  std::memcpy(staging_.data(), images.data(), images.size());
  Kokkos::deep_copy(exec_, pixels_, staging_);
  const Tensor4<Real, Device> samples(samples_.data(), rows, image().height, image().width, image().channels);
  const kernels::BatchOrder order{rows, 0, Stream("data/test"), kernels::Shuffle::none};
  kernels::augment<Device, Real>(exec_, pixels_, {}, order, 0, kernels::Placement::in_place, {}, normalisation_,
                                 samples, {});
  return samples;
}

nn::Tensor<Predictor::Device, Predictor::Real> Predictor::load(const std::span<const std::int32_t> tokens) {
  const nn::Tokens<Device> rows(tokens_.data(), tokens.size() / std::size_t(steps()), std::size_t(steps()));
  const Kokkos::View<const std::int32_t**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> given(
      tokens.data(), rows.extent(0), rows.extent(1));
  Kokkos::deep_copy(exec_, rows, given);
  exec_.fence("bcr::predict::load");
  return rows;
}

template <class Element>
std::vector<Answer> Predictor::answers(const std::span<const Element> samples, const std::string& input) {
  const std::size_t size = image().size();
  require<ShapeError>(samples.size() % size == 0, "Predictor::predict", "whole samples " + image().text(),
                      fmt::format("{} numbers", samples.size()));
  std::vector<Answer> answers;
  for (std::size_t first = 0; first < samples.size(); first += batch() * size) {
    const auto here = samples.subspan(first, std::min(batch() * size, samples.size() - first));
    nn::Tensors<Device, Real> inputs;
    inputs.set(input, load(here));
    io::SetScores result = inference_.nothing();
    inference_.run_batch(exec_, inputs, here.size() / size, train::Keep::outputs, result);
    for (std::size_t row = 0; row < result.predictions.size(); ++row) answers.push_back(answer(result, row));
  }
  return answers;
}

std::vector<Answer> Predictor::predict(const std::span<const std::uint8_t> images) {
  require<ConfigError>(!reads_texts(), "Predictor::predict", "rows of tokens: " + model(), "images");
  return answers(images, "images");
}

std::vector<Answer> Predictor::predict(const std::span<const std::int32_t> tokens) {
  require<ConfigError>(reads_texts(), "Predictor::predict", "images: " + model(), "rows of tokens");
  for (const std::int32_t token : tokens)
    require<ShapeError>(token >= 0 && std::size_t(token) < vocabulary_.size(), "Predictor::predict",
                        fmt::format("tokens from 0 to {}", vocabulary_.size() - 1), std::to_string(token));
  return answers(tokens, "tokens");
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
