#ifndef BCR_SRC_NN_NETWORK_HPP
#define BCR_SRC_NN_NETWORK_HPP

#include "src/core/log.hpp"
#include "src/nn/gradient_listener.hpp"
#include "src/nn/graph.hpp"
#include "src/nn/layer.hpp"
#include "src/nn/mode.hpp"
#include "src/nn/parameters.hpp"
#include "src/nn/schedule.hpp"
#include "src/nn/tensors.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::nn {

struct NetworkSettings {
  Mode mode = Mode::strict;
  Precision precision = Precision::fp32;  ///< fp32 or bf16 (resolved_precision)
  int training_images = 0;   ///< largest batch of a training step; 0: the network is for inference alone
  int inference_images = 1;  ///< largest batch of an inference pass
  int shards_at_once = 1;    ///< shards of a training step whose activations live side by side (lock_step.hpp)
  Folding folding = Folding::on;
  InputGradients input_gradients = InputGradients::none;  ///< of training and frozen passes
  std::vector<std::string> learned{};  ///< which operations learn (is_learned)
};

/// Whether a parameter or an operation of this name learns: if the list is empty, or one of its entries is the
/// beginning of the name.
bool is_learned(const std::vector<std::string>& learned, std::string_view name);

template <class Exec, class T>
class LockStep;

/// A graph that runs. Memory is planned once, at construction, in one arena; a pass allocates nothing and converts no
/// layout except what the log names. Parameters and running statistics live in stores that the network is given: it
/// adds its tensors to them, and expects them allocated before the first pass. Operations that do not learn compute in
/// a training pass what they compute in a frozen one, keep their running statistics, and write no gradients; the
/// backward pass ends where nothing before it learns.
template <class Exec, class T>
class Network {
 public:
  Network(Graph graph, const NetworkSettings& settings, ParameterStore<Exec, T>& parameters,
          ParameterStore<Exec, T>& statistics, const Exec& exec, const Log& log);

  const Graph& graph() const noexcept { return graph_; }
  bool writes_input_gradients() const noexcept { return input_gradients_ != InputGradients::none; }
  int features() const { return graph_.shape(graph_.output("features")).channels; }

  /// The outputs of the graph from its inputs, by name; valid until the next pass. N = 0 is allowed. Asynchronous on
  /// exec.
  Tensors<Exec, T> forward(const Exec& exec, const PassInfo& pass, const Tensors<Exec, T>& inputs);

  /// Where the gradient of a named output is expected before backward(), zeros if nothing depends on it; of one of the
  /// shards held at once.
  Tensor<Exec, T> diff(std::string_view output, std::size_t images, int shard = 0) const;

  /// Where backward() leaves the gradient of a named input, if the network was made to write them.
  Tensor<Exec, T> input_diff(std::string_view input, std::size_t images) const;

  /// The gradients of all parameters, from diff() of all outputs; follows the forward pass of the same inputs in
  /// training, or frozen. `listener`, if any, is told what is finished.
  void backward(const Exec& exec, const PassInfo& pass, const Tensors<Exec, T>& inputs,
                GradientListener* listener = nullptr);

  /// What all batch norms summed up in the last training pass, one after the other: additive over the shards of a
  /// batch.
  Vector<double, Exec> batch_sums() const { return batch_sums_; }
  /// For passes that left the running statistics: from the batch_sums() of all shards, added, and their images.
  void renew_running_statistics(const Exec& exec, const Vector<double, Exec>& sums, double images);

  /// Who computes the products of the operations that have some: "conv1: winograd, winograd, direct".
  std::vector<std::string> computed_by() const;

  /// The first operation whose result of the last training pass has a value that is not finite; empty if there is none.
  std::string first_not_finite(const Exec& exec, std::size_t images) const;

  /// Bytes of activations, gradients of activations and workspaces.
  std::size_t memory_bytes() const;

 private:
  friend class LockStep<Exec, T>;

  static constexpr std::size_t no_parameter = ~std::size_t{0};

  struct Plan {
    Schedule schedule;
    MemoryPlan memory;
    int most_images = 0;
  };

  static Plan make_plan(const Graph& graph, Phase phase, int most_images, Folding folding,
                        InputGradients input_gradients = InputGradients::none);
  void make_layers(const NetworkSettings& settings, ParameterStore<Exec, T>& parameters,
                   ParameterStore<Exec, T>& statistics, const Exec& exec, const Log& log);
  const Plan& plan(Phase phase) const;
  void log_who_computes(const Log& log) const;
  void make_batch_sums(const Exec& exec);
  bool has_parameters(const int operation) const { return first_parameter_[operation] != no_parameter; }
  void find_learning(const std::vector<std::string>& learned, const std::vector<ParameterSlice>& slices);
  /// Whether the gradient of a value leads to something that learns, or to an input whose gradient is asked for.
  bool leads_on(ValueId value) const;
  /// The pass as an operation sees it: frozen if it does not learn.
  PassInfo pass_of(PassInfo pass, int operation) const;

  /// The inputs of a pass, in the order of the graph, and the place of its activations among the shards held at once.
  struct Shard {
    std::vector<Tensor<Exec, T>> inputs;
    ConstLabels<Exec> labels;
    std::size_t images = 0;
    int place = 0;
  };
  /// A ShapeError for inputs that are not those of the graph, or too many.
  Shard shard_of(const Plan& plan, const Tensors<Exec, T>& inputs, int place = 0) const;

  Tensor<Exec, T> view(const Plan& plan, int buffer, ValueId value, std::size_t images, int place) const;
  /// The views of values in these buffers; empty where a value has none.
  std::vector<Tensor<Exec, T>> views(const Plan& plan, const std::vector<int>& buffers,
                                     const std::vector<ValueId>& values, const Shard& shard) const;
  /// What an operation keeps in training for its own backward pass; empty if nothing.
  Vector<T, Exec> trace(const Plan& plan, int operation, const Shard& shard) const;
  ForwardViews<Exec, T> forward_views(const Plan& plan, const std::vector<int>& buffers, int operation,
                                      const Shard& shard) const;
  BackwardViews<Exec, T> backward_views(int operation, const Shard& shard) const;
  /// What convolution `operation` runs of the operations after it.
  kernels::Epilogue<Exec, T> epilogue_of(const Exec& exec, const Plan& plan, int operation, const Shard& shard) const;
  void recompute_for(const Exec& exec, const PassInfo& pass, int operation, const Shard& shard);
  /// Runs the backward pass of an operation on one shard.
  void turn(const Exec& exec, const PassInfo& pass, int operation, const Shard& shard);
  /// The gradients of an operation for a shard without images.
  void clear_gradients(const Exec& exec, int operation) const;
  Tensors<Exec, T> outputs_of(const Plan& plan, const Shard& shard) const;

  Graph graph_;
  InputGradients input_gradients_;
  std::optional<Plan> training_;
  std::optional<Plan> inference_;
  std::vector<std::unique_ptr<Layer<Exec, T>>> layers_;
  std::vector<StatisticsLayer<Exec, T>*> statistics_layers_;  ///< by operation; null where it is none
  std::vector<std::size_t> first_parameter_;                  ///< by operation: where its gradients begin
  std::vector<int> parameter_tensors_;                        ///< by operation: how many tensors it has
  std::vector<bool> learns_;                                  ///< by operation
  std::vector<bool> turns_;                                   ///< by operation: whether it runs backward
  ParameterStore<Exec, T>& parameters_;
  Vector<T, Exec> arena_;  ///< one after the other for the shards held at once
  std::size_t arena_of_shard_ = 0;
  Vector<double, Exec> batch_sums_;
  Workspace<Exec, T> workspace_;
};

}  // namespace bcr::nn

#endif
