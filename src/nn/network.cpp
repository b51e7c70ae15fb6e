#include "src/nn/network.hpp"

#include "kernels/norm/elementwise.hpp"
#include "kernels/reduce/all_finite.hpp"
#include "src/core/instances.hpp"
#include "src/nn/layers/make_layer.hpp"

#include <algorithm>

namespace bcr::nn {
namespace {

constexpr std::size_t arena_alignment = 16;  // elements: 64 bytes of float

/// A region of Kokkos Tools, so that profilers attribute time to layers.
class Region {
 public:
  explicit Region(const std::string& name) { Kokkos::Profiling::pushRegion("bcr::nn::" + name); }
  ~Region() { Kokkos::Profiling::popRegion(); }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
};

}  // namespace

template <class Exec, class T>
Network<Exec, T>::Network(Graph graph, const NetworkSettings& settings, ParameterStore<Exec, T>& parameters,
                          ParameterStore<Exec, T>& statistics, const Exec& exec, const Log& log)
    : graph_(std::move(graph)), parameters_(parameters) {
  const auto& output = graph_.shape(graph_.output());
  require<ShapeError>(output.pixels() == 1, "Network", "a graph that ends in one feature vector per image",
                      std::to_string(output.pixels()) + " pixels");
  if (settings.training_images > 0)
    training_ = make_plan(graph_, Phase::training, settings.training_images, Folding::off);
  if (settings.inference_images > 0)
    inference_ = make_plan(graph_, Phase::inference, settings.inference_images, settings.folding);
  make_layers(settings, parameters, statistics, exec, log);

  require<ShapeError>(settings.shards_at_once > 0, "Network", "at least one shard at once",
                      std::to_string(settings.shards_at_once));
  const std::size_t training = training_ ? training_->memory.size : 0;
  arena_of_shard_ = (training + arena_alignment - 1) / arena_alignment * arena_alignment;
  const std::size_t arena =
      std::max(training + (settings.shards_at_once - 1) * arena_of_shard_, inference_ ? inference_->memory.size : 0);
  arena_ = Vector<T, Exec>(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "bcr::nn::arena"), arena);
  log.info("network", "{} operations, {:.1f} MMAC per image, {:.1f} MiB of activations and workspace",
           graph_.operations().size(), graph_.multiply_accumulates() * 1e-6,
           static_cast<double>(memory_bytes()) / (1 << 20));
}

template <class Exec, class T>
typename Network<Exec, T>::Plan Network<Exec, T>::make_plan(const Graph& graph, const Phase phase,
                                                            const int most_images, const Folding folding) {
  Plan plan{make_schedule(graph, phase, folding), {}, most_images};
  auto lifetimes = plan.schedule.buffers;
  for (auto& lifetime : lifetimes) lifetime.size *= static_cast<std::size_t>(most_images);
  plan.memory = place_buffers(lifetimes, arena_alignment);
  return plan;
}

template <class Exec, class T>
void Network<Exec, T>::make_layers(const NetworkSettings& settings, ParameterStore<Exec, T>& parameters,
                                   ParameterStore<Exec, T>& statistics, const Exec& exec, const Log& log) {
  const int most_images = std::max(settings.training_images, settings.inference_images);
  const LayerFactory<Exec, T> factory{graph_, settings.mode, most_images, parameters, statistics, exec, log};
  WorkspaceSize most;
  for (const auto& operation : graph_.operations()) {
    const std::size_t entries = parameters.entries().size();
    layers_.push_back(factory.make(operation));
    statistics_layers_.push_back(dynamic_cast<StatisticsLayer<Exec, T>*>(layers_.back().get()));
    first_parameter_.push_back(entries < parameters.entries().size() ? parameters.entries()[entries].offset
                                                                     : no_parameter);
    parameter_entries_.push_back(static_cast<int>(parameters.entries().size() - entries));
    const auto size = layers_.back()->workspace_size(most_images);
    most = {std::max(most.values, size.values), std::max(most.sums, size.sums)};
  }
  workspace_ = {
      Vector<T, Exec>(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "bcr::nn::workspace"), most.values),
      Vector<double, Exec>(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "bcr::nn::sums"), most.sums)};
  make_batch_sums(exec);
}

template <class Exec, class T>
void Network<Exec, T>::make_batch_sums(const Exec& exec) {
  std::size_t size = 0;
  for (const auto* const layer : statistics_layers_)
    if (layer != nullptr) size += 2 * static_cast<std::size_t>(layer->channels());
  batch_sums_ = Vector<double, Exec>(Kokkos::view_alloc(exec, "bcr::nn::batch_sums"), size);
  double* at = batch_sums_.data();
  for (auto* const layer : statistics_layers_) {
    if (layer == nullptr) continue;
    layer->keep_sums_in(Matrix<double, Exec>(at, 2, layer->channels()));
    at += 2 * layer->channels();
  }
}

template <class Exec, class T>
const typename Network<Exec, T>::Plan& Network<Exec, T>::plan(const Phase phase) const {
  const auto& chosen = phase == Phase::training ? training_ : inference_;
  require<ShapeError>(chosen.has_value(), "Network", "a pass that the network was made for",
                      phase == Phase::training ? "training" : "inference");
  return *chosen;
}

template <class Exec, class T>
void Network<Exec, T>::require_images(const Plan& plan, const Tensor4<T, Exec>& images) const {
  const auto& input = graph_.shape(graph_.input());
  const auto extent = [](const int value) { return static_cast<std::size_t>(value); };
  require_shape("Network", "images", images,
                {images.extent(0), extent(input.height), extent(input.width), extent(input.channels)});
  require<ShapeError>(images.extent_int(0) <= plan.most_images, "Network",
                      "at most " + std::to_string(plan.most_images) + " images", std::to_string(images.extent(0)));
}

template <class Exec, class T>
Tensor4<T, Exec> Network<Exec, T>::view(const Plan& plan, const int buffer, const ValueId value,
                                        const std::size_t images, const int place) const {
  const auto& shape = graph_.shape(value);
  T* const arena = arena_.data() + static_cast<std::size_t>(place) * arena_of_shard_;
  return Tensor4<T, Exec>(arena + plan.memory.offsets.at(buffer), images, shape.height, shape.width, shape.channels);
}

template <class Exec, class T>
ForwardViews<Exec, T> Network<Exec, T>::forward_views(const Plan& plan, const std::vector<int>& buffers,
                                                      const Operation& operation, const Shard& shard) const {
  const auto value = [&](const ValueId id) {
    return id == graph_.input() ? shard.images : view(plan, buffers[id], id, shard.images.extent(0), shard.place);
  };
  return {.src = value(operation.src),
          .addend = operation.addend == no_value ? Tensor4<T, Exec>() : value(operation.addend),
          .dst = value(operation.dst)};
}

template <class Exec, class T>
ForwardViews<Exec, T> Network<Exec, T>::prepare_forward(const Exec& exec, const Plan& plan, const int index,
                                                        const Shard& shard) const {
  const auto& operation = graph_.operations()[index];
  const auto views = forward_views(plan, plan.schedule.value, operation, shard);
  const bool accumulates = std::holds_alternative<Convolution>(operation.kind) && operation.addend != no_value;
  if (accumulates && !plan.schedule.starts_in_place[index])
    kernels::copy<Exec, T>(exec, flat<Exec, T>(views.addend), flat<Exec, T>(views.dst));
  return views;
}

template <class Exec, class T>
kernels::Epilogue<Exec, T> Network<Exec, T>::epilogue_of(const Exec& exec, const Plan& plan, const int index,
                                                         const Shard& shard) const {
  const int until = plan.schedule.runs_until[index];
  if (until == index) return {};
  const auto& last = graph_.operations()[until];
  auto epilogue = statistics_layers_[index + 1]->inference_epilogue(exec);
  if (const auto* add = std::get_if<Add>(&last.kind)) {
    epilogue.addend = forward_views(plan, plan.schedule.value, last, shard).addend;
    epilogue.activation = add->activation;
  }
  return epilogue;
}

template <class Exec, class T>
Matrix<T, Exec> Network<Exec, T>::features_of(const Plan& plan, const Shard& shard) const {
  const ValueId output = graph_.output();
  return as_images<Exec, T>(view(plan, plan.schedule.value[output], output, shard.images.extent(0), shard.place));
}

template <class Exec, class T>
Matrix<T, Exec> Network<Exec, T>::forward(const Exec& exec, const PassInfo& pass, const Tensor4<T, Exec> images) {
  const Plan& plan = this->plan(pass.phase);
  require_images(plan, images);
  const int operations = images.extent(0) > 0 ? static_cast<int>(graph_.operations().size()) : 0;
  for (int i = 0; i < operations; i = plan.schedule.runs_until[i] + 1) {
    const Region region(graph_.operations()[i].name);
    auto views = prepare_forward(exec, plan, i, {images});
    views.epilogue = epilogue_of(exec, plan, i, {images});
    layers_[i]->forward(exec, pass, views, workspace_);
  }
  return features_of(plan, {images});
}

template <class Exec, class T>
Matrix<T, Exec> Network<Exec, T>::diff_features(const std::size_t images, const int shard) const {
  const Plan& plan = this->plan(Phase::training);
  return as_images<Exec, T>(view(plan, plan.schedule.diff[graph_.output()], graph_.output(), images, shard));
}

template <class Exec, class T>
BackwardViews<Exec, T> Network<Exec, T>::backward_views(const int index, const Shard& shard) const {
  const auto& schedule = training_->schedule;
  const auto& operation = graph_.operations()[index];
  const auto find = [&](const std::vector<int>& buffers, const ValueId value) {
    return buffers[value] == no_buffer ? Tensor4<T, Exec>()
                                       : view(*training_, buffers[value], value, shard.images.extent(0), shard.place);
  };
  return {.src = operation.src == graph_.input() ? shard.images : find(schedule.kept, operation.src),
          .dst = find(schedule.kept, operation.dst),
          .diff_dst = find(schedule.diff, operation.dst),
          .diff_src = find(schedule.diff, operation.src),
          .diff_src_start = schedule.diff_src_start[index]};
}

template <class Exec, class T>
void Network<Exec, T>::recompute_for(const Exec& exec, const PassInfo& pass, const int index, const Shard& shard) {
  const auto& schedule = training_->schedule;
  for (const int again : schedule.recomputed_before[index]) {
    const auto views = forward_views(*training_, schedule.kept, graph_.operations()[again], shard);
    layers_[again]->recompute(exec, pass, views, workspace_);
  }
}

template <class Exec, class T>
void Network<Exec, T>::add_to_addend(const Exec& exec, const int index, const Shard& shard) const {
  const auto& schedule = training_->schedule;
  if (!schedule.adds_diff_to_addend[index]) return;
  const ValueId addend = graph_.operations()[index].addend;
  const auto target = view(*training_, schedule.diff[addend], addend, shard.images.extent(0), shard.place);
  kernels::add<Exec, T>(exec, flat<Exec, T>(backward_views(index, shard).diff_dst), flat<Exec, T>(target));
}

template <class Exec, class T>
void Network<Exec, T>::clear_gradients(const Exec& exec, const int operation) const {
  int id = 0;
  for (int i = 0; i < operation; ++i) id += parameter_entries_[i];
  for (int i = 0; i < parameter_entries_[operation]; ++i) Kokkos::deep_copy(exec, parameters_.gradients(id + i), T(0));
}

template <class Exec, class T>
void Network<Exec, T>::backward(const Exec& exec, const PassInfo& pass, const Tensor4<T, Exec> images,
                                GradientListener* const listener) {
  require_images(plan(Phase::training), images);
  if (images.extent(0) == 0) {
    Kokkos::deep_copy(exec, parameters_.gradients(), T(0));
    if (listener != nullptr) listener->gradients_written(0);
    return;
  }
  for (int i = static_cast<int>(graph_.operations().size()) - 1; i >= 0; --i) {
    const Region region(graph_.operations()[i].name + "::backward");
    recompute_for(exec, pass, i, {images});
    layers_[i]->backward(exec, pass, backward_views(i, {images}), workspace_);
    add_to_addend(exec, i, {images});
    if (listener != nullptr && has_parameters(i)) listener->gradients_written(first_parameter_[i]);
  }
}

template <class Exec, class T>
void Network<Exec, T>::renew_running_statistics(const Exec& exec, const Vector<double, Exec>& sums,
                                                const double images) {
  require_shape("Network::renew_running_statistics", "sums", sums, {batch_sums_.extent(0)});
  double* at = sums.data();
  for (auto* const layer : statistics_layers_) {
    if (layer == nullptr) continue;
    const Matrix<double, Exec> own(at, 2, layer->channels());
    layer->renew_running_statistics(exec, own, images * static_cast<double>(layer->pixels()));
    at += 2 * layer->channels();
  }
}

template <class Exec, class T>
std::string Network<Exec, T>::first_not_finite(const Exec& exec, const std::size_t images) const {
  const auto& schedule = plan(Phase::training).schedule;
  std::vector<bool> overwritten(graph_.values().size(), false);
  for (std::size_t i = 0; i < graph_.operations().size(); ++i)
    if (schedule.starts_in_place[i]) overwritten[graph_.operations()[i].addend] = true;
  for (const auto& operation : graph_.operations()) {
    const auto& lifetime = schedule.buffers[schedule.value[operation.dst]];
    const bool survives = lifetime.last >= static_cast<int>(graph_.operations().size());
    if (overwritten[operation.dst] || !survives) continue;
    const auto result = view(*training_, schedule.value[operation.dst], operation.dst, images, 0);
    if (!kernels::all_finite<Exec, T>(exec, flat<Exec, T>(result))) return operation.name;
  }
  return "";
}

template <class Exec, class T>
std::size_t Network<Exec, T>::memory_bytes() const {
  return (arena_.size() + workspace_.values.size()) * sizeof(T) + workspace_.sums.size() * sizeof(double);
}

#define BCR_INSTANCE(Exec, T) template class Network<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
