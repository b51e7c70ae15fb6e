#include "src/scale/measure/synthetic_text_training.hpp"

#include "losses/registry.hpp"
#include "src/scale/measure/noise.hpp"

namespace bcr::scale {
namespace {

using Exec = TimedWork::Exec;
using Real = TimedWork::Real;

constexpr double adam_rate = 1e-3;

losses::LossOptions loss_options(const PointOptions& options) {
  losses::LossOptions loss;
  loss.name = options.loss;
  return loss;
}

models::ModelShape shape_of(const PointOptions& options) {
  return {input_shape(options), losses::output_columns(loss_options(options), options.classes)};
}

train::StepBatch<Exec, Real> batch_of(const PointOptions& options) {
  train::StepBatch<Exec, Real> batch;
  const auto known = static_cast<std::size_t>(options.batch / 2);
  batch.rows = static_cast<std::size_t>(options.batch);
  batch.inputs.set("tokens", noise_tokens(options));
  batch.labels = noise_labels(options, options.batch / 2);
  batch.place = {.known_of_batch = known, .background_of_batch = batch.rows - known};
  return batch;
}

}  // namespace

SyntheticTextTraining::SyntheticTextTraining(const PointOptions& options, comm::Communicator& ranks, const Log& log)
    : options_(options),
      model_({.backbone = backbone_of(options), .head = head_of(options)}, shape_of(options),
             {.mode = options.mode, .training_images = options.batch, .inference_images = 1}, options.seed, exec_, log),
      objective_(losses::make_objective<Exec, Real>(
          loss_options(options), {model_.output_kind(), options.classes, model_.features(), options.batch})),
      optimizer_(optim::make_optimizer<Exec, Real>("adam", optim::one_group(model_.parameters()))),
      step_({model_, *objective_, *optimizer_, ranks}),
      batch_(batch_of(options)),
      clock_(exec_) {}

bool SyntheticTextTraining::run(const Clock::State state, const bool stop) {
  const double lambda = losses::lambda_at(loss_options(options_), 0);
  clock_.start(state);
  const bool stopped = step_
                           .run(
                               exec_, [this](int) { return batch_; },
                               {.seed = options_.seed, .step = number_, .rate = adam_rate, .lambda = lambda}, stop, clock_)
                           .stop;
  ++number_;
  exec_.fence("bcr::scale::SyntheticTextTraining");
  return stopped;
}

StepWork SyntheticTextTraining::work() const {
  StepWork work = step_work(model_.network().graph(), {double(options_.batch), double(model_.features()),
                                                       double(model_.columns()), parameters()});
  work[static_cast<std::size_t>(train::Region::data)] = {};
  return work;
}

double SyntheticTextTraining::loss() const {
  return losses::read_numbers<Exec>(exec_, step_.numbers()).front();
}

double SyntheticTextTraining::memory_bytes() const {
  return double(model_.network().memory_bytes()) + 4.0 * double(model_.parameters().values().size()) * sizeof(Real) +
         double(options_.batch) * options_.tokens * sizeof(std::int32_t);
}

}  // namespace bcr::scale
