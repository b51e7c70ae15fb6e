#ifndef BCR_SRC_TRAIN_EXPERIMENT_HPP
#define BCR_SRC_TRAIN_EXPERIMENT_HPP

#include "losses/registry.hpp"
#include "losses/scores/score.hpp"
#include "src/comm/communicator.hpp"
#include "src/comm/shard_layout.hpp"
#include "src/core/context.hpp"
#include "src/optim/registry.hpp"
#include "src/optim/learning_rate.hpp"
#include "src/train/batches/open_data.hpp"
#include "src/train/options.hpp"
#include "src/train/start.hpp"
#include "src/train/training_step.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace bcr::train {

/// Where the programs of this room run, and in which precision.
using Device = Kokkos::DefaultExecutionSpace;
using Real = float;

/// What options and data together decide about a model.
struct ModelPlan {
  models::ModelShape shape;
  int classes = 0;  ///< known ones
  losses::HeadOutputs outputs = losses::HeadOutputs::squared_distances;
  std::string default_score;
};

/// The data that a run, or its evaluation, is about. Background that no batch holds is no part of it.
OpenData open_data_of_run(const RunOptions& options, DataUse use);

ModelPlan plan_model(const RunOptions& options, const OpenData& data);
/// For samples of this size, of so many known classes.
ModelPlan plan_model(const RunOptions& options, const nn::ImageShape& sample, int classes);

/// What scores must know of a model of this plan, with so many features and entries of the output "latent".
losses::ScoreShape score_shape(const RunOptions& options, const ModelPlan& plan, int features, int latents);
losses::ScoreShape score_shape(const RunOptions& options, const ModelPlan& plan,
                               const models::Model<Device, Real>& model);

/// Where an experiment has its samples from, and what they decide about its model.
struct SampleSource {
  using MakeBatches = std::function<BatchSource<Device, Real>(const Context<Device>&, const OpenData&,
                                                              const DrawnShards&, comm::Communicator&)>;
  OpenData data;
  ModelPlan plan;
  MakeBatches make_batches;
};

/// The files that the options name. `ranks` must agree on them.
SampleSource samples_of_files(const RunOptions& options, const Log& log, comm::Communicator& ranks);

/// The parts of a run before its first step, made from options: data, model, objective, optimiser, schedule. Everything
/// that can be wrong with a configuration is noticed here.
struct Experiment {
  /// `communicator` must outlive this. A ConfigError if so many ranks cannot share the shards.
  Experiment(const RunOptions& run_options, const Log& log, comm::Communicator& communicator);
  /// On samples from elsewhere.
  Experiment(const RunOptions& run_options, SampleSource samples, const Log& log, comm::Communicator& communicator);
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  bool has_test_data() const { return data.known_test.count() > 0; }
  std::uint64_t steps_per_epoch() const { return batches.plan().steps_per_epoch(); }
  std::uint64_t total_steps() const { return steps_per_epoch() * static_cast<std::uint64_t>(options.train.epochs); }
  /// One step of it; this must outlive the step.
  TrainingStep<Device, Real> make_step();
  /// For people: parameters, operations, memory, steps, data.
  std::string summary() const;

  RunOptions options;
  comm::Communicator& ranks;
  comm::ShardLayout shards;
  Context<Device> context;
  OpenData data;
  ModelPlan plan;
  BatchSource<Device, Real> batches;
  std::unique_ptr<losses::Objective<Device, Real>> objective;  ///< made with the model: its parameters lie there
  models::Model<Device, Real> model;
  std::unique_ptr<optim::Optimizer<Device, Real>> optimizer;
  optim::WarmupCosine rate;
  std::optional<Start> start;  ///< where the weights begin, if not at random
};

}  // namespace bcr::train

#endif
