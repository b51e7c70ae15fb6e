#include "src/scale/measure/synthetic_training.hpp"

#include <array>
#include <vector>

namespace bcr::scale {
namespace {

using Exec = SyntheticTraining::Exec;
using Real = SyntheticTraining::Real;

constexpr double rate = 1e-3;

models::ModelOptions model_options(const PointOptions& options) {
  return {.backbone = backbone_of(options), .head = {}};
}

models::ModelShape model_shape(const PointOptions& options) {
  return {{options.image, options.image, options.channels}, options.classes};
}

optim::ParameterLayout layout_of(const nn::ParameterStore<Exec, Real>& parameters) {
  optim::ParameterLayout layout{parameters.values().extent(0), {}, {{.name = "all", .weight_decay = 5e-4}}};
  for (const nn::ParameterEntry& entry : parameters.entries())
    layout.slices.push_back({.name = entry.spec.name, .offset = entry.offset, .size = entry.size, .group = 0});
  return layout;
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

int shards_at_once(const PointOptions& options, const comm::ShardLayout& layout) {
  return options.batch_norm == train::BatchNormScope::global ? layout.count : 1;
}

train::BatchSource<Exec, Real> make_batches(const Exec& exec, const PointOptions& options,
                                            const comm::ShardLayout& layout) {
  const Tensor4<std::uint8_t, Exec> pixels = noise(options);
  const auto half = static_cast<std::size_t>(options.batch / 2);
  const train::BatchPlan plan{.known_count = static_cast<std::uint64_t>(options.batch),
                              .known_batch = half,
                              .background_batch = half,
                              .share = {layout.first, layout.shards},
                              .own_shares = layout.count,
                              .held_at_once = shards_at_once(options, layout)};
  return {exec, make_loader(exec, options, pixels, Stream("scale.known")),
          make_loader(exec, options, pixels, Stream("scale.background")), plan};
}

nn::NetworkSettings network_settings(const PointOptions& options, const comm::ShardLayout& layout) {
  return {.mode = options.mode,
          .training_images = options.batch / options.shards,
          .inference_images = 0,
          .shards_at_once = shards_at_once(options, layout)};
}

}  // namespace

SyntheticTraining::SyntheticTraining(const PointOptions& options, comm::Communicator& ranks, const Log& log)
    : options_(options),
      layout_(comm::make_shard_layout(options.shards, ranks.size(), ranks.rank())),
      batches_(make_batches(exec_, options, layout_)),
      model_(model_options(options), model_shape(options), network_settings(options, layout_), options.seed, exec_,
             log),
      loss_(losses::make_loss<Exec, Real>(
          losses::LossOptions(),
          {.classes = options.classes, .features = model_.features(), .most_rows = options.batch / options.shards})),
      optimizer_(optim::make_optimizer<Exec, Real>("sgd", layout_of(model_.parameters()))),
      clock_(exec_) {
  if (options.shards == 1) {
    whole_.emplace(model_, *loss_, *optimizer_);
  } else {
    sharded_.emplace(train::ShardedStep<Exec, Real>::Parts{model_, *loss_, *optimizer_, ranks}, layout_,
                     train::ShardOptions{
                         .shards = options.shards, .batch_norm = options.batch_norm, .bucket_mib = options.bucket_mib});
  }
}

SyntheticTraining::Wish SyntheticTraining::run(const train::RegionClock<Exec>::State state, const Wish own) {
  const train::StepSettings settings{.seed = options_.seed, .step = number_, .rate = rate, .lambda = 1};
  Wish joined = own;
  clock_.start(state);
  if (whole_) {
    const train::StepBatch<Exec, Real> batch = batches_.load(exec_, number_);
    clock_.end(train::Region::data);
    whole_->run(exec_, batch, settings, clock_);
  } else if (sharded_->run(exec_, batches_, settings, own == Wish::stop, clock_).stop) {
    joined = Wish::stop;
  }
  ++number_;
  exec_.fence("bcr::scale::SyntheticTraining");
  return joined;
}

double SyntheticTraining::loss() const {
  const auto parts = whole_ ? whole_->parts() : sharded_->parts();
  return losses::read_parts<Exec>(exec_, parts)[losses::LossPart::total];
}

double SyntheticTraining::memory_bytes() const {
  const double image = double(options_.image) * options_.image * options_.channels;
  const double held = double(options_.batch) / options_.shards * shards_at_once(options_, layout_);
  return double(model_.network().memory_bytes()) + 3.0 * double(model_.parameters().values().size()) * sizeof(Real) +
         image * (held * sizeof(Real) + options_.batch);
}

}  // namespace bcr::scale
