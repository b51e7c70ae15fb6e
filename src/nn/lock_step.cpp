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
Matrix<T, Exec> LockStep<Exec, T>::features(const ShardPass<Exec, T>& shard, const int index) const {
  return network_.features_of(*network_.training_, {shard.images, index});
}

template <class Exec, class T>
void LockStep<Exec, T>::forward(const Exec& exec, const std::span<const ShardPass<Exec, T>> shards,
                                const double images_of_batch) {
  const auto& plan = network_.plan(Phase::training);
  for (const auto& shard : shards) network_.require_images(plan, shard.images);
  for (std::size_t i = 0; i < network_.layers_.size(); ++i) {
    const int operation = static_cast<int>(i);
    if (network_.statistics_layers_[i] != nullptr) {
      forward_statistics(exec, shards, operation, images_of_batch);
      continue;
    }
    for (std::size_t s = 0; s < shards.size(); ++s) {
      if (shards[s].images.extent(0) == 0) continue;
      const Shard place{shards[s].images, static_cast<int>(s)};
      network_.layers_[i]->forward(exec, shards[s].pass, network_.prepare_forward(exec, plan, operation, place),
                                   network_.workspace_);
    }
  }
}

template <class Exec, class T>
void LockStep<Exec, T>::forward_statistics(const Exec& exec, const std::span<const ShardPass<Exec, T>> shards,
                                           const int operation, const double images) {
  auto& layer = *network_.statistics_layers_[operation];
  const auto views = [&](const std::size_t s) {
    return network_.prepare_forward(exec, *network_.training_, operation, {shards[s].images, static_cast<int>(s)});
  };
  for (std::size_t s = 0; s < shards.size(); ++s)
    layer.sum_forward(exec, views(s), network_.workspace_, sums_of(static_cast<int>(s), layer.channels()));
  layer.use_sums(exec, joined(exec, static_cast<int>(shards.size()), layer.channels()),
                 images * static_cast<double>(layer.pixels()), RunningStatistics::renewed);
  for (std::size_t s = 0; s < shards.size(); ++s) layer.normalise(exec, shards[s].pass, views(s));
}

template <class Exec, class T>
void LockStep<Exec, T>::backward(const Exec& exec, const std::span<const ShardPass<Exec, T>> shards,
                                 const double images_of_batch, GradientListener& listener) {
  for (int i = static_cast<int>(network_.layers_.size()) - 1; i >= 0; --i) {
    if (network_.statistics_layers_[i] != nullptr) {
      backward_statistics(exec, shards, i, images_of_batch, listener);
      continue;
    }
    for (std::size_t s = 0; s < shards.size(); ++s) backward_shard(exec, shards[s], static_cast<int>(s), i, listener);
  }
}

template <class Exec, class T>
void LockStep<Exec, T>::backward_shard(const Exec& exec, const ShardPass<Exec, T>& shard, const int index,
                                       const int operation, GradientListener& listener) {
  const Shard place{shard.images, index};
  listener.begin_shard(index);
  if (shard.images.extent(0) > 0) {
    network_.recompute_for(exec, shard.pass, operation, place);
    network_.layers_[operation]->backward(exec, shard.pass, network_.backward_views(operation, place),
                                          network_.workspace_);
    network_.add_to_addend(exec, operation, place);
  } else {
    network_.clear_gradients(exec, operation);
  }
  if (network_.has_parameters(operation)) listener.gradients_written(network_.first_parameter_[operation]);
}

template <class Exec, class T>
void LockStep<Exec, T>::backward_statistics(const Exec& exec, const std::span<const ShardPass<Exec, T>> shards,
                                            const int operation, const double images, GradientListener& listener) {
  auto& layer = *network_.statistics_layers_[operation];
  const auto views = [&](const std::size_t s) {
    return network_.backward_views(operation, {shards[s].images, static_cast<int>(s)});
  };
  for (std::size_t s = 0; s < shards.size(); ++s) {
    listener.begin_shard(static_cast<int>(s));
    network_.recompute_for(exec, shards[s].pass, operation, {shards[s].images, static_cast<int>(s)});
    layer.sum_backward(exec, shards[s].pass, views(s), network_.workspace_,
                       sums_of(static_cast<int>(s), layer.channels()));
    listener.gradients_written(network_.first_parameter_[operation]);
  }
  if (shards.empty() || views(0).diff_src.data() == nullptr) return;
  layer.use_backward_sums(exec, shards[0].pass, joined(exec, static_cast<int>(shards.size()), layer.channels()),
                          images * static_cast<double>(layer.pixels()));
  for (std::size_t s = 0; s < shards.size(); ++s) layer.finish_backward(exec, shards[s].pass, views(s));
}

#define BCR_INSTANCE(Exec, T) template class LockStep<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
