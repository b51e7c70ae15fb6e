#include "src/scale/measure/synthetic_training.hpp"

#include <array>
#include <vector>

namespace bcr::scale {
namespace {

using Exec = SyntheticTraining::Exec;
using Real = SyntheticTraining::Real;

constexpr double rate = 1e-3;

/// What bcr-train would be told.
train::RunOptions run_options(const PointOptions& options) {
  train::RunOptions run;
  run.seed = options.seed;
  run.mode = options.mode;
  run.model.backbone = backbone_of(options);
  run.data.known.batch = run.data.background.batch = options.batch / 2;
  run.train.eval_batch = 1;
  run.train.sharding = {.shards = options.shards, .batch_norm = options.batch_norm, .bucket_mib = options.bucket_mib};
  return run;
}

/// Every image of every pixel a random byte.
Tensor4<std::uint8_t, Exec> noise(const PointOptions& options) {
  const Tensor4<std::uint8_t, Exec> pixels("bcr::scale::pixels", options.batch, options.image, options.image,
                                           options.channels);
  const auto mirror = Kokkos::create_mirror_view(pixels);
  const std::size_t size = pixels.size() / static_cast<std::size_t>(options.batch);
  for (int i = 0; i < options.batch; ++i) {
    Random random(options.seed, Stream("scale.pixels"), 0, static_cast<std::uint64_t>(i));
    std::uint8_t* const image = mirror.data() + static_cast<std::size_t>(i) * size;
    for (std::size_t k = 0; k < size; ++k) image[k] = static_cast<std::uint8_t>(random.word());
  }
  Kokkos::deep_copy(pixels, mirror);
  return pixels;
}

Labels<Exec> labels_of(const PointOptions& options) {
  const Labels<Exec> labels("bcr::scale::labels", options.batch);
  const auto mirror = Kokkos::create_mirror_view(labels);
  for (int i = 0; i < options.batch; ++i) mirror(i) = i % options.classes;
  Kokkos::deep_copy(labels, mirror);
  return labels;
}

/// Both sides draw from the same noise, each in an order of its own.
train::Loader<Exec, Real> make_loader(const Exec& exec, const PointOptions& options,
                                      const Tensor4<std::uint8_t, Exec>& pixels, const Stream stream) {
  const std::vector<double> mean(static_cast<std::size_t>(options.channels), 0.5);
  const std::vector<double> deviation(static_cast<std::size_t>(options.channels), 0.29);  // of uniform noise
  const train::LoaderPlan<Real> plan{.order = {pixels.extent(0), options.seed, stream, kernels::Shuffle::every_pass},
                                     .augmentation = {.pad = 4, .flip = kernels::Flip::half},
                                     .normalisation = kernels::make_normalisation<Real>(mean, deviation)};
  return {exec, pixels, labels_of(options), plan, static_cast<std::size_t>(options.batch / 2)};
}

train::SampleSource samples_of_noise(const PointOptions& options) {
  train::SampleSource samples;
  samples.plan.shape = {{options.image, options.image, options.channels}, options.classes};
  samples.plan.classes = options.classes;
  samples.make_batches = [options](const Context<Exec>& context, const train::OpenData&,
                                   const train::DrawnShards& shards, comm::Communicator&) {
    const Exec& exec = context.exec;
    const Tensor4<std::uint8_t, Exec> pixels = noise(options);
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
  const train::StepSettings settings{.seed = options_.seed, .step = number_, .rate = rate, .lambda = 1};
  const auto load = [this](const int shard) { return experiment_.batches.load(exec(), number_, shard); };
  clock_.start(state);
  const bool stopped = step_.run(exec(), load, settings, stop, clock_).stop;
  ++number_;
  exec().fence("bcr::scale::SyntheticTraining");
  return stopped;
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
