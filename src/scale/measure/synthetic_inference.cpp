#include "src/scale/measure/synthetic_inference.hpp"

#include "src/scale/measure/noise.hpp"

namespace bcr::scale {
namespace {

using Exec = TimedWork::Exec;
using Real = TimedWork::Real;

train::RunOptions inference_run_options(const PointOptions& options) {
  train::RunOptions run;
  run.seed = options.seed;
  run.mode = options.mode;
  run.model.backbone = backbone_of(options);
  run.model.head = head_of(options);
  run.loss.name = options.loss;
  return run;
}

nn::NetworkSettings settings_of(const PointOptions& options) {
  return {.mode = options.mode, .training_images = 0, .inference_images = options.batch};
}

train::Loader<Exec, Real> make_loader(const Exec& exec, const PointOptions& options) {
  const auto count = static_cast<std::uint64_t>(options.batch);
  const train::LoaderPlan<Real> plan{.order = {count, options.seed, Stream("scale.inference"), kernels::Shuffle::none},
                                     .augmentation = {},
                                     .normalisation = noise_normalisation(options)};
  return {exec, noise_pixels(options), noise_labels(options, options.batch), plan,
          static_cast<std::size_t>(options.batch)};
}

}  // namespace

SyntheticInference::SyntheticInference(const PointOptions& options, const Log& log)
    : options_(options),
      plan_(train::plan_model(inference_run_options(options), input_shape(options), options.classes)),
      model_(inference_run_options(options).model, plan_.shape, settings_of(options), options.seed, exec_, log),
      inference_(model_, {plan_.default_score}, train::score_shape(inference_run_options(options), plan_, model_),
                 static_cast<std::size_t>(options.batch)),
      clock_(exec_) {
  if (reads_texts(options_)) {
    inputs_.set("tokens", noise_tokens(options_));
  } else {
    loader_.emplace(make_loader(exec_, options_));
    inputs_.set(loader_->input_name(), loader_->make_batch(static_cast<std::size_t>(options_.batch)));
  }
}

bool SyntheticInference::run(const Clock::State state, const bool stop) {
  const auto rows = static_cast<std::size_t>(options_.batch);
  clock_.start(state);
  if (loader_) loader_->load(exec_, {.range = {0, rows}}, inputs_.at(loader_->input_name(), nn::Element::real), {});
  clock_.end(train::Region::data);
  io::SetScores result = inference_.nothing();
  inference_.run_batch(exec_, inputs_, rows, train::Keep::scores, result);
  clock_.end(train::Region::forward);
  exec_.fence("bcr::scale::SyntheticInference");
  score_ = result.scores.front().second.front();
  return stop;
}

StepWork SyntheticInference::work() const {
  StepWork work = inference_work(model_.network().graph(), {double(options_.batch), double(model_.features()),
                                                            double(model_.columns()), parameters()});
  if (!loader_) work[static_cast<std::size_t>(train::Region::data)] = {};
  return work;
}

double SyntheticInference::memory_bytes() const {
  const nn::ImageShape shape = input_shape(options_);
  const double input = double(shape.height) * shape.width * shape.channels * options_.batch;
  return double(model_.network().memory_bytes()) + double(model_.parameters().values().size()) * sizeof(Real) +
         input * (loader_ ? sizeof(Real) + 1 : sizeof(std::int32_t));
}

}  // namespace bcr::scale
