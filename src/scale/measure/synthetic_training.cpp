#include "src/scale/measure/synthetic_training.hpp"

#include "src/scale/measure/noise.hpp"

#include <vector>

namespace bcr::scale {
namespace {

using Exec = SyntheticTraining::Exec;
using Real = SyntheticTraining::Real;

constexpr double sgd_rate = 1e-3;

/// What bcr-train would be told.
train::RunOptions run_options(const PointOptions& options) {
  train::RunOptions run;
  run.seed = options.seed;
  run.mode = options.mode;
  run.model.backbone = backbone_of(options);
  run.model.head = head_of(options);
  run.loss.name = options.loss;
  run.data.known.batch = run.data.background.batch = options.batch / 2;
  run.train.eval_batch = 1;
  run.train.sharding = {.shards = options.shards, .batch_norm = options.batch_norm, .bucket_mib = options.bucket_mib};
  return run;
}

/// Both sides draw from the same noise, each in an order of its own.
train::Loader<Exec, Real> make_loader(const Exec& exec, const PointOptions& options,
                                      const Tensor4<std::uint8_t, Exec>& pixels, const Stream stream) {
  const train::LoaderPlan<Real> plan{.order = {pixels.extent(0), options.seed, stream, kernels::Shuffle::every_pass},
                                     .augmentation = {.pad = 4, .flip = kernels::Flip::half},
                                     .normalisation = noise_normalisation(options)};
  return {exec, pixels, noise_labels(options, options.batch), plan, static_cast<std::size_t>(options.batch / 2)};
}

train::SampleSource samples_of_noise(const PointOptions& options) {
  train::SampleSource samples;
  samples.plan = train::plan_model(run_options(options), input_shape(options), options.classes);
  samples.make_batches = [options](const Context<Exec>& context, const train::OpenData&,
                                   const train::DrawnShards& shards, comm::Communicator&) {
    const Exec& exec = context.exec;
    const Tensor4<std::uint8_t, Exec> pixels = noise_pixels(options);
    const auto half = static_cast<std::size_t>(options.batch / 2);
    const train::BatchPlan plan{.known_count = static_cast<std::uint64_t>(options.batch),
                                .known_batch = half,
                                .background_batch = half,
                                .shard = shards.first,
                                .own_shards = shards.own,
                                .held_at_once = shards.held_at_once};
    return train::BatchSource<Exec, Real>(exec, make_loader(exec, options, pixels, Stream("scale.known")),
                                          make_loader(exec, options, pixels, Stream("scale.background")), plan);
  };
  return samples;
}

}  // namespace

SyntheticTraining::SyntheticTraining(const PointOptions& options, comm::Communicator& ranks, const Log& log)
    : options_(options),
      experiment_(run_options(options), samples_of_noise(options), log, ranks),
      step_(experiment_.make_step()),
      clock_(exec()) {}

bool SyntheticTraining::run(const train::RegionClock<Exec>::State state, const bool stop) {
  const train::StepSettings settings{.seed = options_.seed, .step = number_, .rate = sgd_rate, .lambda = 1};
  const auto load = [this](const int shard) { return experiment_.batches.load(exec(), number_, shard); };
  clock_.start(state);
  const bool stopped = step_.run(exec(), load, settings, stop, clock_).stop;
  ++number_;
  exec().fence("bcr::scale::SyntheticTraining");
  return stopped;
}

StepWork SyntheticTraining::work() const {
  return step_work(model().network().graph(),
                   {double(options_.batch), double(model().features()), double(model().columns()), parameters()});
}

double SyntheticTraining::loss() const {
  return losses::read_numbers<Exec>(exec(), step_.numbers()).front();
}

double SyntheticTraining::memory_bytes() const {
  const double image = double(options_.image) * options_.image * options_.channels;
  const bool side_by_side = options_.batch_norm == train::BatchNormScope::global;
  const double held = double(options_.batch) / options_.shards * (side_by_side ? experiment_.shards.count : 1);
  return double(model().network().memory_bytes()) + 3.0 * double(model().parameters().values().size()) * sizeof(Real) +
         image * (held * sizeof(Real) + options_.batch);
}

}  // namespace bcr::scale
