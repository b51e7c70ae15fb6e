#ifndef BCR_TESTS_SUPPORT_SHARDED_TRAINING_HPP
#define BCR_TESTS_SUPPORT_SHARDED_TRAINING_HPP

#include "losses/registry.hpp"
#include "src/optim/registry.hpp"
#include "src/train/batches/open_data.hpp"
#include "src/train/training_step.hpp"
#include "tests/support/data_directory.hpp"

#include <memory>
#include <vector>

namespace bcr::test {

/// A small training on a DataDirectory: a network with batch norm and dropout, a background loss, momentum.
template <class Exec, class T>
class SmallTraining {
 public:
  SmallTraining(const DataDirectory& files, const comm::ShardLayout& shards, const train::BatchNormScope scope,
                const nn::Mode mode = nn::Mode::strict)
      : SmallTraining(files, shards, scope == train::BatchNormScope::global ? shards.count : 1, mode) {}

  Exec exec{};
  Context<Exec> context{.exec = exec, .seed = 5, .log = Log(LogLevel::off)};
  train::DataOptions options;
  train::OpenData data;
  train::BatchSource<Exec, T> batches;
  models::Model<Exec, T> model;
  std::unique_ptr<losses::Loss<Exec, T>> loss;
  std::unique_ptr<optim::Optimizer<Exec, T>> optimizer;
  train::RegionClock<Exec> clock{exec};

  static train::StepSettings settings(const std::uint64_t step) {
    return {.seed = 5, .step = step, .rate = 0.05, .lambda = 0.5};
  }

  template <class View>
  static std::vector<double> to_list(const View& view) {
    const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
    return {mirror.data(), mirror.data() + mirror.size()};
  }
  std::vector<double> weights() const { return to_list(model.parameters().values()); }
  std::vector<double> gradients() const { return to_list(model.parameters().gradients()); }
  std::vector<double> statistics() const { return to_list(model.statistics().values()); }

 private:
  SmallTraining(const DataDirectory& files, const comm::ShardLayout& shards, const int at_once, const nn::Mode mode)
      : options(files.options()),
        data(open_data(options, train::DataUse::train)),
        batches(
            make_batch_source<Exec, T>(context, data, options, {{shards.first, shards.shards}, shards.count, at_once})),
        model({.backbone = {.depth = 10, .width = 1, .dropout = 0.2}, .head = {}}, {{5, 6, 3}, 2},
              {.mode = mode,
               .training_images = static_cast<int>(batches.most_samples()),
               .inference_images = 1,
               .shards_at_once = at_once},
              5, exec, context.log),
        loss(losses::make_loss<Exec, T>(
            losses::LossOptions(),
            {.classes = 2, .features = model.features(), .most_rows = static_cast<int>(batches.most_samples())})),
        optimizer(optim::make_optimizer<Exec, T>(
            "sgd", optim::one_group(model.parameters(), {.name = "all", .weight_decay = 1e-3, .momentum = 0.9}))) {}
};

/// With shards, on the ranks of a communicator.
template <class Exec, class T>
class ShardedTraining : public SmallTraining<Exec, T> {
 public:
  ShardedTraining(const DataDirectory& files, comm::Communicator& ranks, const train::ShardOptions& settings,
                  const nn::Mode mode = nn::Mode::strict)
      : ShardedTraining(files, ranks, settings, comm::make_shard_layout(settings.shards, ranks.size(), ranks.rank()),
                        mode) {}

  train::StepAgreement run(const std::uint64_t first, const std::uint64_t last) {
    train::StepAgreement agreement;
    for (std::uint64_t step = first; step < last; ++step)
      agreement = run_step(step, false);
    this->exec.fence();
    return agreement;
  }

  train::StepAgreement run_step(const std::uint64_t step, const bool stop) {
    const auto load = [&](const int shard) { return this->batches.load(this->exec, step, shard); };
    return step_.run(this->exec, load, this->settings(step), stop, this->clock);
  }

  train::TrainingStep<Exec, T>& step() { return step_; }
  std::vector<double> parts() const { return this->to_list(step_.numbers()); }

 private:
  ShardedTraining(const DataDirectory& files, comm::Communicator& ranks, const train::ShardOptions& settings,
                  const comm::ShardLayout& layout, const nn::Mode mode)
      : SmallTraining<Exec, T>(files, layout, settings.batch_norm, mode),
        step_({this->model, *this->loss, *this->optimizer, ranks}, layout, settings) {}

  train::TrainingStep<Exec, T> step_;
};

/// The textbook algorithm on the whole batch, written out: forward, loss, backward, update.
template <class Exec, class T>
class WholeTraining : public SmallTraining<Exec, T> {
 public:
  explicit WholeTraining(const DataDirectory& files)
      : SmallTraining<Exec, T>(files, {}, train::BatchNormScope::shard),
        parts_("bcr::tests::parts", losses::loss_part_count) {}

  void run(const std::uint64_t first, const std::uint64_t last) {
    for (std::uint64_t step = first; step < last; ++step) run_step(this->settings(step));
    this->exec.fence();
  }

  std::vector<double> parts() const { return this->to_list(parts_); }

 private:
  void run_step(const train::StepSettings& settings) {
    const Exec& on = this->exec;
    const auto batch = this->batches.load(on, settings.step);
    const nn::PassInfo pass{nn::Phase::training, settings.seed, static_cast<std::uint32_t>(settings.step)};
    const auto tensors = this->model.forward(on, pass, batch.inputs);
    const auto outputs = tensors.matrix(this->model.output_name());
    const Matrix<T, Exec> diff_outputs("bcr::tests::diff_outputs", outputs.extent(0), outputs.extent(1));
    this->loss->evaluate(on, {.outputs = outputs, .features = tensors.matrix("features"), .labels = batch.labels},
                         settings.lambda, {.diff_outputs = diff_outputs, .diff_features_factor = {}}, parts_);
    this->model.backward_head(on, tensors.matrix("features"), diff_outputs);
    this->model.backward_features(on, pass, batch.inputs);
    const auto& parameters = this->model.parameters();
    this->optimizer->step(on, settings.rate, parameters.gradients(), parameters.values());
  }

  Vector<double, Exec> parts_;
};

/// The largest difference, relative to the largest entry.
inline double relative_difference(const std::vector<double>& expected, const std::vector<double>& received) {
  if (expected.size() != received.size()) return 1e300;
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    difference = std::max(difference, std::abs(expected[i] - received[i]));
    if (!(std::abs(expected[i] - received[i]) <= 1e300)) return 1e300;  // NaN never passes
  }
  return largest > 0 ? difference / largest : 1e300;  // nor do zeros
}

}  // namespace bcr::test

#endif
