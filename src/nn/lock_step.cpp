#include "src/nn/lock_step.hpp"

#include "src/core/instances.hpp"

#include <algorithm>
#include <string>

namespace bcr::nn {
namespace {

template <class Exec, class T>
int most_channels(const std::vector<StatisticsLayer<Exec, T>*>& layers) {
  int most = 0;
  for (const auto* const layer : layers)
    if (layer != nullptr) most = std::max(most, layer->channels());
  return most;
}

}  // namespace

template <class Exec, class T>
LockStep<Exec, T>::LockStep(Network<Exec, T>& network, SumJoin<Exec>& join, const int shards)
    : network_(network),
      join_(join),
      sums_("bcr::nn::lock_step_sums",
            static_cast<std::size_t>(shards) * 2 * most_channels<Exec, T>(network.statistics_layers_)) {
  const std::size_t arena = network.arena_of_shard_ * static_cast<std::size_t>(shards - 1);
  require<ShapeError>(network.training_.has_value() && network.arena_.size() >= arena + network.training_->memory.size,
                      "LockStep", "a network for " + std::to_string(shards) + " shards at once", "one for fewer");
  require<ShapeError>(std::ranges::count(network.learns_, false) == 0, "LockStep", "a network that learns as a whole",
                      "one of which a part learns");
}

template <class Exec, class T>
Matrix<double, Exec> LockStep<Exec, T>::sums_of(const int shard, const int channels) const {
  return Matrix<double, Exec>(sums_.data() + static_cast<std::ptrdiff_t>(shard) * 2 * channels, 2, channels);
}

template <class Exec, class T>
Matrix<double, Exec> LockStep<Exec, T>::joined(const Exec& exec, const int shards, const int channels) {
  const Vector<double, Exec> sums = join_.join(exec, Matrix<double, Exec>(sums_.data(), shards, 2 * channels));
  return Matrix<double, Exec>(sums.data(), 2, channels);
}

template <class Exec, class T>
std::vector<typename LockStep<Exec, T>::Shard> LockStep<Exec, T>::shards_of(
    const std::span<const ShardPass<Exec, T>> passes) const {
  std::vector<Shard> shards;
  for (std::size_t s = 0; s < passes.size(); ++s)
    shards.push_back(network_.shard_of(network_.plan(Phase::training), passes[s].inputs, static_cast<int>(s)));
  return shards;
}

template <class Exec, class T>
Tensors<Exec, T> LockStep<Exec, T>::outputs(const ShardPass<Exec, T>& shard, const int index) const {
  const auto& plan = network_.plan(Phase::training);
  return network_.outputs_of(plan, network_.shard_of(plan, shard.inputs, index));
}

template <class Exec, class T>
void LockStep<Exec, T>::forward(const Exec& exec, const std::span<const ShardPass<Exec, T>> passes,
                                const double images_of_batch) {
  const auto shards = shards_of(passes);
  const auto& plan = *network_.training_;
  for (std::size_t i = 0; i < network_.layers_.size(); ++i) {
    const int operation = static_cast<int>(i);
    if (network_.statistics_layers_[i] != nullptr) {
      forward_statistics(exec, passes, shards, operation, images_of_batch);
      continue;
    }
    for (std::size_t s = 0; s < shards.size(); ++s) {
      if (shards[s].images == 0) continue;
      const auto views = network_.forward_views(plan, plan.schedule.value, operation, shards[s]);
      network_.layers_[i]->forward(exec, passes[s].pass, views, network_.workspace_);
    }
  }
}

template <class Exec, class T>
void LockStep<Exec, T>::forward_statistics(const Exec& exec, const std::span<const ShardPass<Exec, T>> passes,
                                           const std::vector<Shard>& shards, const int operation,
                                           const double images) {
  auto& layer = *network_.statistics_layers_[operation];
  const auto views = [&](const Shard& shard) {
    return network_.forward_views(*network_.training_, network_.training_->schedule.value, operation, shard);
  };
  for (const Shard& shard : shards)
    layer.sum_forward(exec, views(shard), network_.workspace_, sums_of(shard.place, layer.channels()));
  layer.use_sums(exec, joined(exec, static_cast<int>(shards.size()), layer.channels()),
                 images * static_cast<double>(layer.pixels()), RunningStatistics::renewed);
  for (std::size_t s = 0; s < shards.size(); ++s) layer.normalise(exec, passes[s].pass, views(shards[s]));
}

template <class Exec, class T>
void LockStep<Exec, T>::backward(const Exec& exec, const std::span<const ShardPass<Exec, T>> passes,
                                 const double images_of_batch, GradientListener& listener) {
  const auto shards = shards_of(passes);
  for (int i = static_cast<int>(network_.layers_.size()) - 1; i >= 0; --i) {
    if (network_.statistics_layers_[i] != nullptr) {
      backward_statistics(exec, passes, shards, i, images_of_batch, listener);
      continue;
    }
    for (std::size_t s = 0; s < shards.size(); ++s) backward_shard(exec, passes[s].pass, shards[s], i, listener);
  }
}

template <class Exec, class T>
void LockStep<Exec, T>::backward_shard(const Exec& exec, const PassInfo& pass, const Shard& shard, const int operation,
                                       GradientListener& listener) {
  listener.begin_shard(shard.place);
  if (shard.images > 0) {
    network_.turn(exec, pass, operation, shard);
  } else {
    network_.clear_gradients(exec, operation);
  }
  if (network_.has_parameters(operation)) listener.gradients_written(network_.first_parameter_[operation]);
}

template <class Exec, class T>
void LockStep<Exec, T>::backward_statistics(const Exec& exec, const std::span<const ShardPass<Exec, T>> passes,
                                            const std::vector<Shard>& shards, const int operation, const double images,
                                            GradientListener& listener) {
  auto& layer = *network_.statistics_layers_[operation];
  const auto views = [&](const Shard& shard) { return network_.backward_views(operation, shard); };
  for (const Shard& shard : shards) {
    const PassInfo& pass = passes[shard.place].pass;
    listener.begin_shard(shard.place);
    network_.recompute_for(exec, pass, operation, shard);
    layer.sum_backward(exec, pass, views(shard), network_.workspace_, sums_of(shard.place, layer.channels()));
    if (network_.has_parameters(operation)) listener.gradients_written(network_.first_parameter_[operation]);
  }
  if (shards.empty() || !views(shards[0]).asks_for_diff_src()) return;
  layer.use_backward_sums(exec, passes[0].pass, joined(exec, static_cast<int>(shards.size()), layer.channels()),
                          images * static_cast<double>(layer.pixels()));
  for (const Shard& shard : shards) layer.finish_backward(exec, passes[shard.place].pass, views(shard));
}

#define BCR_INSTANCE(Exec, T) template class LockStep<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
