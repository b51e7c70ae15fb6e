#include "src/nn/network.hpp"

#include "kernels/norm/elementwise.hpp"
#include "kernels/reduce/all_finite.hpp"
#include "src/core/instances.hpp"
#include "src/nn/layers/make_layer.hpp"

#include <algorithm>

namespace bcr::nn {
namespace {

constexpr std::size_t alignment = 16;  // elements: 64 bytes of float

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
  if (settings.training_images > 0) training_ = make_plan(graph_, Phase::training, settings.training_images);
  if (settings.inference_images > 0) inference_ = make_plan(graph_, Phase::inference, settings.inference_images);
  make_layers(settings, parameters, statistics, exec, log);

  const std::size_t arena = std::max(training_ ? training_->memory.size : 0, inference_ ? inference_->memory.size : 0);
  arena_ = Vector<T, Exec>(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "bcr::nn::arena"), arena);
  log.info("network", "{} operations, {:.1f} MMAC per image, {:.1f} MiB of activations and workspace",
           graph_.operations().size(), graph_.multiply_accumulates() * 1e-6,
           static_cast<double>(memory_bytes()) / (1 << 20));
}

template <class Exec, class T>
typename Network<Exec, T>::Plan Network<Exec, T>::make_plan(const Graph& graph, const Phase phase,
                                                            const int most_images) {
  Plan plan{make_schedule(graph, phase), {}, most_images};
  auto lifetimes = plan.schedule.buffers;
  for (auto& lifetime : lifetimes) lifetime.size *= static_cast<std::size_t>(most_images);
  plan.memory = place_buffers(lifetimes, alignment);
  return plan;
}

template <class Exec, class T>
void Network<Exec, T>::make_layers(const NetworkSettings& settings, ParameterStore<Exec, T>& parameters,
                                   ParameterStore<Exec, T>& statistics, const Exec& exec, const Log& log) {
  const int most_images = std::max(settings.training_images, settings.inference_images);
  const LayerFactory<Exec, T> factory{graph_, settings.mode, most_images, parameters, statistics, exec, log};
  WorkspaceSize most;
  for (const auto& operation : graph_.operations()) {
    layers_.push_back(factory.make(operation));
    const auto size = layers_.back()->workspace_size(most_images);
    most = {std::max(most.values, size.values), std::max(most.sums, size.sums)};
  }
  workspace_ = {Vector<T, Exec>(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "bcr::nn::workspace"), most.values),
                Vector<double, Exec>(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "bcr::nn::sums"), most.sums)};
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
                                        const std::size_t images) const {
  const auto& shape = graph_.shape(value);
  return Tensor4<T, Exec>(arena_.data() + plan.memory.offsets.at(buffer), images, shape.height, shape.width,
                          shape.channels);
}

template <class Exec, class T>
ForwardViews<Exec, T> Network<Exec, T>::forward_views(const Plan& plan, const std::vector<int>& buffers,
                                                      const Operation& operation,
                                                      const Tensor4<T, Exec>& images) const {
  const auto value = [&](const ValueId id) {
    return id == graph_.input() ? images : view(plan, buffers[id], id, images.extent(0));
  };
  return {.src = value(operation.src),
          .addend = operation.addend == no_value ? Tensor4<T, Exec>() : value(operation.addend),
          .dst = value(operation.dst)};
}

template <class Exec, class T>
Matrix<T, Exec> Network<Exec, T>::forward(const Exec& exec, const PassInfo& pass, const Tensor4<T, Exec> images) {
  const Plan& plan = this->plan(pass.phase);
  require_images(plan, images);
  const auto& operations = graph_.operations();
  for (std::size_t i = 0; i < operations.size() && images.extent(0) > 0; ++i) {
    const Region region(operations[i].name);
    const auto views = forward_views(plan, plan.schedule.value, operations[i], images);
    const bool accumulates = std::holds_alternative<Convolution>(operations[i].kind) && operations[i].addend != no_value;
    if (accumulates && !plan.schedule.starts_in_place[i]) Kokkos::deep_copy(exec, views.dst, views.addend);
    layers_[i]->forward(exec, pass, views, workspace_);
  }
  return as_images<Exec, T>(view(plan, plan.schedule.value[graph_.output()], graph_.output(), images.extent(0)));
}

template <class Exec, class T>
Matrix<T, Exec> Network<Exec, T>::diff_features(const std::size_t images) const {
  const Plan& plan = this->plan(Phase::training);
  return as_images<Exec, T>(view(plan, plan.schedule.diff[graph_.output()], graph_.output(), images));
}

template <class Exec, class T>
BackwardViews<Exec, T> Network<Exec, T>::backward_views(const int index, const Tensor4<T, Exec>& images) const {
  const auto& schedule = training_->schedule;
  const auto& operation = graph_.operations()[index];
  const auto find = [&](const std::vector<int>& buffers, const ValueId value) {
    return buffers[value] == no_buffer ? Tensor4<T, Exec>() : view(*training_, buffers[value], value, images.extent(0));
  };
  return {.src = operation.src == graph_.input() ? images : find(schedule.kept, operation.src),
          .dst = find(schedule.kept, operation.dst),
          .diff_dst = find(schedule.diff, operation.dst),
          .diff_src = find(schedule.diff, operation.src),
          .diff_src_start = schedule.diff_src_start[index]};
}

template <class Exec, class T>
void Network<Exec, T>::run_backward(const Exec& exec, const PassInfo& pass, const int index,
                                    const Tensor4<T, Exec>& images) {
  const auto& schedule = training_->schedule;
  const auto& operation = graph_.operations()[index];
  for (const int again : schedule.recomputed_before[index]) {
    const auto views = forward_views(*training_, schedule.kept, graph_.operations()[again], images);
    layers_[again]->recompute(exec, pass, views, workspace_);
  }
  const auto views = backward_views(index, images);
  layers_[index]->backward(exec, pass, views, workspace_);
  if (schedule.adds_diff_to_addend[index])
    kernels::add<Exec, T>(
        exec, flat<Exec, T>(views.diff_dst),
        flat<Exec, T>(view(*training_, schedule.diff[operation.addend], operation.addend, images.extent(0))));
}

template <class Exec, class T>
void Network<Exec, T>::backward(const Exec& exec, const PassInfo& pass, const Tensor4<T, Exec> images) {
  require_images(plan(Phase::training), images);
  if (images.extent(0) == 0) {
    Kokkos::deep_copy(exec, parameters_.gradients(), T(0));
    return;
  }
  for (int i = static_cast<int>(graph_.operations().size()) - 1; i >= 0; --i) {
    const Region region(graph_.operations()[i].name + "::backward");
    run_backward(exec, pass, i, images);
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
    const auto result = view(*training_, schedule.value[operation.dst], operation.dst, images);
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
