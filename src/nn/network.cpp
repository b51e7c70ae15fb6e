#include "src/nn/network.hpp"

#include "kernels/norm/elementwise.hpp"
#include "kernels/reduce/reduce.hpp"
#include "src/core/instances.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

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

bool is_learned(const std::vector<std::string>& learned, const std::string_view name) {
  return learned.empty() || std::ranges::any_of(learned, [&](const auto& begin) { return name.starts_with(begin); });
}

template <class Exec, class T>
Network<Exec, T>::Network(Graph graph, const NetworkSettings& settings, ParameterStore<Exec, T>& parameters,
                          ParameterStore<Exec, T>& statistics, const Exec& exec, const Log& log)
    : graph_(std::move(graph)), input_gradients_(settings.input_gradients), parameters_(parameters) {
  for (const auto& [name, value] : graph_.outputs())
    require<ShapeError>(name != "features" || graph_.shape(value).pixels() == 1, "Network",
                        "one feature vector per image", graph_.shape(value).text());
  if (settings.training_images > 0)
    training_ = make_plan(graph_, Phase::training, settings.training_images, Folding::off, settings.input_gradients);
  if (settings.inference_images > 0)
    inference_ = make_plan(graph_, Phase::inference, settings.inference_images, settings.folding);
  make_layers(settings, parameters, statistics, exec, log);
  find_learning(settings.learned, parameters.slices());

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
  log_who_computes(log);
}

template <class Exec, class T>
typename Network<Exec, T>::Plan Network<Exec, T>::make_plan(const Graph& graph, const Phase phase,
                                                            const int most_images, const Folding folding,
                                                            const InputGradients input_gradients) {
  Plan plan{make_schedule(graph, phase, folding, input_gradients), {}, most_images};
  auto lifetimes = plan.schedule.buffers;
  for (auto& lifetime : lifetimes) lifetime.size *= static_cast<std::size_t>(most_images);
  plan.memory = place_buffers(lifetimes, arena_alignment);
  return plan;
}

template <class Exec, class T>
void Network<Exec, T>::make_layers(const NetworkSettings& settings, ParameterStore<Exec, T>& parameters,
                                   ParameterStore<Exec, T>& statistics, const Exec& exec, const Log& log) {
  const int most_images = std::max(settings.training_images, settings.inference_images);
  const LayerContext<Exec, T> context{settings.mode, settings.precision, most_images, parameters, statistics, exec, log};
  WorkspaceSize most;
  for (const auto& operation : graph_.operations()) {
    const std::size_t tensors = parameters.slices().size();
    layers_.push_back(operation->make_layer(context));
    statistics_layers_.push_back(dynamic_cast<StatisticsLayer<Exec, T>*>(layers_.back().get()));
    const std::size_t added = parameters.slices().size() - tensors;
    first_parameter_.push_back(added > 0 ? parameters.slices()[tensors].offset : no_parameter);
    parameter_tensors_.push_back(static_cast<int>(added));
    const auto size = layers_.back()->workspace_size(most_images);
    most = {std::max(most.values, size.values), std::max(most.sums, size.sums), std::max(most.indices, size.indices)};
  }
  workspace_ = {
      Vector<T, Exec>(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "bcr::nn::workspace"), most.values),
      Vector<double, Exec>(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "bcr::nn::sums"), most.sums),
      Vector<std::int32_t, Exec>(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "bcr::nn::indices"), most.indices)};
  make_batch_sums(exec);
}

template <class Exec, class T>
void Network<Exec, T>::find_learning(const std::vector<std::string>& learned,
                                     const std::vector<ParameterSlice>& slices) {
  const auto names_one = [&](const ParameterSlice& slice) { return is_learned(learned, slice.name); };
  auto end = slices.end() - std::accumulate(parameter_tensors_.begin(), parameter_tensors_.end(), 0);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Operation& operation = *graph_.operations()[i];
    const auto begin = std::exchange(end, end + parameter_tensors_[i]);
    learns_.push_back(input_gradients_ != InputGradients::alone &&
                      (is_learned(learned, operation.name()) || std::any_of(begin, end, names_one)));
    const bool leads = std::ranges::any_of(operation.sources(), [&](const ValueId source) { return leads_on(source); });
    turns_.push_back(learned.empty() || leads || (learns_[i] && has_parameters(static_cast<int>(i))));
  }
}

template <class Exec, class T>
bool Network<Exec, T>::leads_on(const ValueId value) const {
  const Value& of = graph_.values()[value];
  return of.is_input() ? writes_input_gradients() : bool(turns_[of.producer]);
}

template <class Exec, class T>
PassInfo Network<Exec, T>::pass_of(PassInfo pass, const int operation) const {
  if (pass.phase == Phase::training && !learns_[operation]) pass.phase = Phase::frozen;
  return pass;
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
  const auto& chosen = phase == Phase::inference ? inference_ : training_;
  require<ShapeError>(chosen.has_value(), "Network", "a pass that the network was made for",
                      phase == Phase::inference ? "inference" : "training");
  return *chosen;
}

template <class Exec, class T>
typename Network<Exec, T>::Shard Network<Exec, T>::shard_of(const Plan& plan, const Tensors<Exec, T>& inputs,
                                                            const int place) const {
  const auto extent = [](const int value) { return static_cast<std::size_t>(value); };
  Shard shard{{}, {}, 0, place};
  for (const auto& [name, value] : graph_.inputs()) {
    const auto& [shape, element, producer] = graph_.values()[value];
    const Tensor<Exec, T>& input = inputs.at(name, element);
    const std::size_t rows = shard.inputs.empty() ? input.rows() : shard.images;
    if (element == Element::real)
      require_shape("Network", name, input.images(),
                    {rows, extent(shape.height), extent(shape.width), extent(shape.channels)});
    else
      require_shape("Network", name, input.tokens(), {rows, shape.size()});
    shard.inputs.push_back(input);
    shard.images = rows;
  }
  if (inputs.contains("labels")) {
    const Tokens<Exec> labels = inputs.tokens("labels");
    shard.labels = ConstLabels<Exec>(labels.data(), labels.extent(0));
  }
  require<ShapeError>(shard.images <= extent(plan.most_images), "Network",
                      "at most " + std::to_string(plan.most_images) + " images", std::to_string(shard.images));
  return shard;
}

template <class Exec, class T>
Tensor<Exec, T> Network<Exec, T>::view(const Plan& plan, const int buffer, const ValueId value,
                                       const std::size_t images, const int place) const {
  const auto& shape = graph_.shape(value);
  T* const arena = arena_.data() + static_cast<std::size_t>(place) * arena_of_shard_;
  return Tensor4<T, Exec>(arena + plan.memory.offsets.at(buffer), images, shape.height, shape.width, shape.channels);
}

template <class Exec, class T>
std::vector<Tensor<Exec, T>> Network<Exec, T>::views(const Plan& plan, const std::vector<int>& buffers,
                                                     const std::vector<ValueId>& values, const Shard& shard) const {
  std::vector<Tensor<Exec, T>> list(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (buffers[values[i]] != no_buffer)
      list[i] = view(plan, buffers[values[i]], values[i], shard.images, shard.place);
  return list;
}

template <class Exec, class T>
Vector<T, Exec> Network<Exec, T>::trace(const Plan& plan, const int index, const Shard& shard) const {
  const int buffer = plan.schedule.trace[index];
  if (buffer == no_buffer) return {};
  T* const arena = arena_.data() + static_cast<std::size_t>(shard.place) * arena_of_shard_;
  return Vector<T, Exec>(arena + plan.memory.offsets.at(buffer),
                         graph_.operations()[index]->trace_size() * shard.images);
}

template <class Exec, class T>
ForwardViews<Exec, T> Network<Exec, T>::forward_views(const Plan& plan, const std::vector<int>& buffers,
                                                      const int index, const Shard& shard) const {
  const Operation& operation = *graph_.operations()[index];
  ForwardViews<Exec, T> result{.sources = views(plan, buffers, operation.sources(), shard),
                               .results = views(plan, buffers, operation.results(), shard),
                               .labels = shard.labels,
                               .trace = trace(plan, index, shard)};
  for (std::size_t i = 0; i < operation.sources().size(); ++i)
    if (graph_.values()[operation.source(i)].is_input()) result.sources[i] = shard.inputs[operation.source(i)];
  return result;
}

template <class Exec, class T>
kernels::Epilogue<Exec, T> Network<Exec, T>::epilogue_of(const Exec& exec, const Plan& plan, const int index,
                                                         const Shard& shard) const {
  kernels::Epilogue<Exec, T> epilogue{};
  for (int i = index + 1; i <= plan.schedule.runs_until[index]; ++i)
    layers_[i]->join_epilogue(exec, forward_views(plan, plan.schedule.value, i, shard), epilogue);
  return epilogue;
}

template <class Exec, class T>
Tensors<Exec, T> Network<Exec, T>::outputs_of(const Plan& plan, const Shard& shard) const {
  Tensors<Exec, T> outputs;
  for (const auto& [name, value] : graph_.outputs())
    outputs.set(name, view(plan, plan.schedule.value[value], value, shard.images, shard.place));
  return outputs;
}

template <class Exec, class T>
Tensors<Exec, T> Network<Exec, T>::forward(const Exec& exec, const PassInfo& pass, const Tensors<Exec, T>& inputs) {
  const Plan& plan = this->plan(pass.phase);
  const Shard shard = shard_of(plan, inputs);
  const int operations = shard.images > 0 ? static_cast<int>(graph_.operations().size()) : 0;
  for (int i = 0; i < operations; i = plan.schedule.runs_until[i] + 1) {
    const Region region(graph_.operations()[i]->name());
    auto views = forward_views(plan, plan.schedule.value, i, shard);
    views.epilogue = epilogue_of(exec, plan, i, shard);
    layers_[i]->forward(exec, pass_of(pass, i), views, workspace_);
  }
  return outputs_of(plan, shard);
}

template <class Exec, class T>
Tensor<Exec, T> Network<Exec, T>::diff(const std::string_view output, const std::size_t images, const int shard) const {
  const Plan& plan = this->plan(Phase::training);
  const ValueId value = graph_.output(output);
  return view(plan, plan.schedule.diff[value], value, images, shard);
}

template <class Exec, class T>
Tensor<Exec, T> Network<Exec, T>::input_diff(const std::string_view input, const std::size_t images) const {
  const Plan& plan = this->plan(Phase::frozen);
  for (const auto& [name, value] : graph_.inputs()) {
    if (name != input) continue;
    require<ShapeError>(plan.schedule.diff[value] != no_buffer, "Network", "a network made to write input gradients",
                        "none of " + name);
    return view(plan, plan.schedule.diff[value], value, images, 0);
  }
  throw ShapeError("Network", "an input of the graph", std::string(input));
}

template <class Exec, class T>
BackwardViews<Exec, T> Network<Exec, T>::backward_views(const int index, const Shard& shard) const {
  const auto& schedule = training_->schedule;
  const Operation& operation = *graph_.operations()[index];
  auto values = forward_views(*training_, schedule.kept, index, shard);
  BackwardViews<Exec, T> result{.sources = std::move(values.sources),
                                .results = std::move(values.results),
                                .diff_results = views(*training_, schedule.diff, operation.results(), shard),
                                .diff_sources = views(*training_, schedule.diff, operation.sources(), shard),
                                .diff_starts = schedule.diff_starts[index],
                                .labels = shard.labels,
                                .trace = values.trace,
                                .learns = learns_[index]};
  for (std::size_t i = 0; i < operation.sources().size(); ++i)
    if (operation.gradient_of(i) != SourceGradient::computed || !leads_on(operation.source(i)))
      result.diff_sources[i] = {};
  return result;
}

template <class Exec, class T>
void Network<Exec, T>::recompute_for(const Exec& exec, const PassInfo& pass, const int index, const Shard& shard) {
  const auto& schedule = training_->schedule;
  for (const int again : schedule.recomputed_before[index])
    layers_[again]->recompute(exec, pass_of(pass, again), forward_views(*training_, schedule.kept, again, shard),
                              workspace_);
}

template <class Exec, class T>
void Network<Exec, T>::turn(const Exec& exec, const PassInfo& pass, const int index, const Shard& shard) {
  if (!turns_[index]) return;
  recompute_for(exec, pass, index, shard);
  const auto views = backward_views(index, shard);
  layers_[index]->backward(exec, pass_of(pass, index), views, workspace_);
  const auto& schedule = training_->schedule;
  const ValueId target = schedule.adds_diff_to[index];
  if (target == no_value || !leads_on(target)) return;
  const auto diff = view(*training_, schedule.diff[target], target, shard.images, shard.place);
  kernels::add<Exec, T>(exec, flat<Exec, T>(views.diff_dst()), flat<Exec, T>(diff.images()));
}

template <class Exec, class T>
void Network<Exec, T>::clear_gradients(const Exec& exec, const int operation) const {
  int id = 0;
  for (int i = 0; i < operation; ++i) id += parameter_tensors_[i];
  for (int i = 0; i < parameter_tensors_[operation]; ++i) Kokkos::deep_copy(exec, parameters_.gradients(id + i), T(0));
}

template <class Exec, class T>
void Network<Exec, T>::backward(const Exec& exec, const PassInfo& pass, const Tensors<Exec, T>& inputs,
                                GradientListener* const listener) {
  const Shard shard = shard_of(plan(Phase::training), inputs);
  if (shard.images == 0) {
    // Its own alone: gradients of others in the store may already be on their way to other ranks.
    for (int i = 0; i < static_cast<int>(graph_.operations().size()); ++i) clear_gradients(exec, i);
    if (listener != nullptr) listener->gradients_written(0);
    return;
  }
  for (int i = static_cast<int>(graph_.operations().size()) - 1; i >= 0; --i) {
    const Region region(graph_.operations()[i]->name() + "::backward");
    turn(exec, pass, i, shard);
    if (listener != nullptr && has_parameters(i)) listener->gradients_written(first_parameter_[i]);
  }
}

template <class Exec, class T>
void Network<Exec, T>::renew_running_statistics(const Exec& exec, const Vector<double, Exec>& sums,
                                                const double images) {
  require_shape("Network::renew_running_statistics", "sums", sums, {batch_sums_.extent(0)});
  double* at = sums.data();
  for (std::size_t i = 0; i < statistics_layers_.size(); ++i) {
    auto* const layer = statistics_layers_[i];
    if (layer == nullptr) continue;
    const Matrix<double, Exec> own(at, 2, layer->channels());
    if (learns_[i]) layer->renew_running_statistics(exec, own, images * static_cast<double>(layer->pixels()));
    at += 2 * layer->channels();
  }
}

template <class Exec, class T>
void Network<Exec, T>::log_who_computes(const Log& log) const {
  std::vector<std::pair<std::string, int>> layers_of;  // in the order of the graph
  for (const auto& layer : layers_) {
    const std::string who = layer->computed_by();
    if (who.empty()) continue;
    const auto known = std::find_if(layers_of.begin(), layers_of.end(), [&](const auto& of) { return of.first == who; });
    if (known == layers_of.end())
      layers_of.emplace_back(who, 1);
    else
      ++known->second;
  }
  for (const auto& [who, layers] : layers_of)
    log.info("network", "{} layer{} computed by {}", layers, layers == 1 ? "" : "s", who);
  for (const std::string& layer : computed_by()) log.debug("network", "{}", layer);
}

template <class Exec, class T>
std::vector<std::string> Network<Exec, T>::computed_by() const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < layers_.size(); ++i)
    if (const std::string who = layers_[i]->computed_by(); !who.empty())
      all.push_back(graph_.operations()[i]->name() + ": " + who);
  return all;
}

template <class Exec, class T>
std::string Network<Exec, T>::first_not_finite(const Exec& exec, const std::size_t images) const {
  const auto& schedule = plan(Phase::training).schedule;
  const auto& operations = graph_.operations();
  std::vector<bool> overwritten(graph_.values().size(), false);
  for (std::size_t i = 0; i < operations.size(); ++i)
    if (schedule.overwrites[i]) overwritten[operations[i]->source(operations[i]->overwrites())] = true;
  for (const auto& operation : operations)
    for (const ValueId result : operation->results()) {
      const auto& lifetime = schedule.buffers[schedule.value[result]];
      const bool survives = lifetime.last >= static_cast<int>(operations.size());
      if (overwritten[result] || !survives) continue;
      const auto values = view(*training_, schedule.value[result], result, images, 0);
      if (!kernels::all_finite<Exec, T>(exec, flat<Exec, T>(values.images()))) return operation->name();
    }
  return "";
}

template <class Exec, class T>
std::size_t Network<Exec, T>::memory_bytes() const {
  return (arena_.size() + workspace_.values.size()) * sizeof(T) + workspace_.sums.size() * sizeof(double) +
         workspace_.indices.size() * sizeof(std::int32_t);
}

#define BCR_INSTANCE(Exec, T) template class Network<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
