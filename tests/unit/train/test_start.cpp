#include "io/hdf5/checkpoint.hpp"
#include "src/comm/communicator.hpp"
#include "src/train/checkpoint_policy.hpp"
#include "src/train/experiment.hpp"
#include "src/train/model_state.hpp"
#include "tests/support/data_directory.hpp"

#include <gtest/gtest.h>

#include <map>

/// Runs that begin with the weights of another, and of which a part learns.
namespace bcr::test {
namespace {

train::RunOptions softmax_run(const DataDirectory& files) {
  train::RunOptions options;
  options.data = files.options();
  options.model.backbone = {.name = "wrn", .depth = 10, .width = 1, .dropout = 0};
  options.model.head.name = "linear";
  options.loss.name = "none";
  options.train.epochs = 10;
  options.train.warmup_epochs = 1;
  return options;
}

/// By name, what a checkpoint of the model would hold.
std::map<std::string, std::vector<float>> tensors_of(const train::Experiment& experiment) {
  std::map<std::string, std::vector<float>> found;
  for (const io::NamedTensor& tensor : train::save_model(experiment.context.exec, experiment.model))
    found[tensor.name] = tensor.values;
  return found;
}

void run_steps(train::Experiment& experiment, const int steps) {
  train::TrainingStep<train::Device, train::Real> step = experiment.make_step();
  train::RegionClock<train::Device> clock(experiment.context.exec);
  for (int i = 0; i < steps; ++i)
    step.run(experiment.context.exec,
             [&](const int shard) { return experiment.batches.load(experiment.context.exec, i, shard); },
             {.seed = 1, .step = std::uint64_t(i), .rate = 0.1}, false, clock);
  experiment.context.exec.fence();
}

struct FirstStage {
  FirstStage() {
    train::Experiment experiment(softmax_run(files), Log(LogLevel::off), alone);
    run_steps(experiment, 3);
    io::Checkpoint checkpoint = train::begin_checkpoint(experiment.options, experiment.data);
    checkpoint.model = experiment.model.description();
    checkpoint.tensors = train::save_model(experiment.context.exec, experiment.model);
    io::write_checkpoint(path(), checkpoint);
    weights = tensors_of(experiment);
    sha256 = train::weights_sha256(checkpoint.tensors);
  }
  std::filesystem::path path() const { return files.directory.path() / "checkpoint-latest.h5"; }
  train::RunOptions next() const {
    train::RunOptions options = softmax_run(files);
    options.seed = 2;
    options.train.start_from = path();
    return options;
  }

  DataDirectory files;
  comm::SerialCommunicator alone;
  std::map<std::string, std::vector<float>> weights;
  std::string sha256;
};

TEST(Start, TakesOverAllThatHasTheSameNameAndShape) {
  FirstStage first;
  train::RunOptions options = first.next();
  options.train.start_from = first.path().parent_path();  // a run directory: its latest checkpoint
  const train::Experiment same(options, Log(LogLevel::off), first.alone);
  EXPECT_EQ(tensors_of(same), first.weights);
  ASSERT_TRUE(same.start.has_value());
  EXPECT_EQ(same.start->sha256, first.sha256);
  EXPECT_EQ(same.start->taken, first.weights.size());

  options.model.head.name = "distance";
  options.loss.name = "none";
  const train::Experiment other(options, Log(LogLevel::off), first.alone);
  const auto found = tensors_of(other);
  EXPECT_EQ(found.at("parameters/conv1.weights"), first.weights.at("parameters/conv1.weights"));
  EXPECT_TRUE(found.contains("parameters/head.anchors"));
}

TEST(Start, LeavesWhatDoesNotLearnBitForBit) {
  FirstStage first;
  train::RunOptions options = first.next();
  options.train.learned = {"head"};
  train::Experiment experiment(options, Log(LogLevel::off), first.alone);
  run_steps(experiment, 4);
  for (const auto& [name, values] : tensors_of(experiment)) {
    EXPECT_EQ(values == first.weights.at(name), !name.starts_with("parameters/head")) << name;
  }
}

TEST(Start, LeavesItWithSeveralShardsToo) {
  FirstStage first;
  train::RunOptions options = first.next();
  options.train.learned = {"head", "group3"};
  options.train.sharding.shards = 3;
  train::Experiment experiment(options, Log(LogLevel::off), first.alone);
  run_steps(experiment, 2);
  const auto found = tensors_of(experiment);
  for (const auto& [name, values] : found) {
    const bool learns = name.find("/head") != std::string::npos || name.find("/group3") != std::string::npos;
    if (learns) continue;
    EXPECT_EQ(values, first.weights.at(name)) << name;
  }
  EXPECT_NE(found.at("parameters/group3.block1.conv1.weights"),
            first.weights.at("parameters/group3.block1.conv1.weights"));
}

TEST(Start, RefusesWhatCannotBeMeant) {
  FirstStage first;
  const auto refuses = [&](const auto& change) {
    train::RunOptions options = first.next();
    change(options);
    EXPECT_THROW(train::Experiment(options, Log(LogLevel::off), first.alone), ConfigError);
  };
  refuses([](train::RunOptions& o) { o.train.learned = {"nobody"}; });
  refuses([](train::RunOptions& o) { o.train.learned = {"head", "nobody"}; });
  refuses([](train::RunOptions& o) {  // nothing to leave as it is
    o.train.start_from.clear();
    o.train.learned = {"head"};
  });
  refuses([](train::RunOptions& o) { o.data.mean = std::vector<double>{0.25, 0.25, 0.25}; });
  refuses([](train::RunOptions& o) {  // its head is no tensor of the first run
    o.model.head.name = "distance";
    o.train.learned = {"group3"};
  });
  refuses([](train::RunOptions& o) {
    o.train.learned = {"head"};
    o.train.sharding.shards = 2;
    o.train.sharding.batch_norm = train::BatchNormScope::global;
  });
}

}  // namespace
}  // namespace bcr::test
