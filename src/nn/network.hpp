#ifndef BCR_SRC_NN_NETWORK_HPP
#define BCR_SRC_NN_NETWORK_HPP

#include "src/core/log.hpp"
#include "src/nn/graph.hpp"
#include "src/nn/layer.hpp"
#include "src/nn/mode.hpp"
#include "src/nn/parameters.hpp"
#include "src/nn/schedule.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bcr::nn {

struct NetworkSettings {
  Mode mode = Mode::strict;
  int training_images = 0;   ///< largest batch of a training step; 0: the network is for inference alone
  int inference_images = 1;  ///< largest batch of an inference pass
};

/// A graph that runs. Memory is planned once, at construction, in one arena; a pass allocates nothing and converts no
/// layout except what the log names. Parameters and running statistics live in stores that the network is given: it
/// adds its tensors to them, and expects them allocated before the first pass.
template <class Exec, class T>
class Network {
 public:
  Network(Graph graph, const NetworkSettings& settings, ParameterStore<Exec, T>& parameters,
          ParameterStore<Exec, T>& statistics, const Exec& exec, const Log& log);

  const Graph& graph() const noexcept { return graph_; }
  int features() const { return graph_.shape(graph_.output()).channels; }

  /// The features [N, n] of images [N, H, W, C], valid until the next pass. N = 0 is allowed. Asynchronous on exec.
  Matrix<T, Exec> forward(const Exec& exec, const PassInfo& pass, Tensor4<T, Exec> images);

  /// Where the gradient of the features is expected before backward().
  Matrix<T, Exec> diff_features(std::size_t images) const;

  /// The gradients of all parameters, from diff_features; follows the forward pass of the same images in training.
  void backward(const Exec& exec, const PassInfo& pass, Tensor4<T, Exec> images);

  /// The first operation whose result of the last training pass has a value that is not finite; empty if there is none.
  std::string first_not_finite(const Exec& exec, std::size_t images) const;

  /// Bytes of activations, gradients of activations and workspaces.
  std::size_t memory_bytes() const;

 private:
  struct Plan {
    Schedule schedule;
    MemoryPlan memory;
    int most_images = 0;
  };

  static Plan make_plan(const Graph& graph, Phase phase, int most_images);
  void make_layers(const NetworkSettings& settings, ParameterStore<Exec, T>& parameters,
                   ParameterStore<Exec, T>& statistics, const Exec& exec, const Log& log);
  const Plan& plan(Phase phase) const;
  void require_images(const Plan& plan, const Tensor4<T, Exec>& images) const;
  Tensor4<T, Exec> view(const Plan& plan, int buffer, ValueId value, std::size_t images) const;
  ForwardViews<Exec, T> forward_views(const Plan& plan, const std::vector<int>& buffers, const Operation& operation,
                                      const Tensor4<T, Exec>& images) const;
  BackwardViews<Exec, T> backward_views(int operation, const Tensor4<T, Exec>& images) const;
  void run_backward(const Exec& exec, const PassInfo& pass, int operation, const Tensor4<T, Exec>& images);

  Graph graph_;
  std::optional<Plan> training_;
  std::optional<Plan> inference_;
  std::vector<std::unique_ptr<Layer<Exec, T>>> layers_;
  ParameterStore<Exec, T>& parameters_;
  Vector<T, Exec> arena_;
  Workspace<Exec, T> workspace_;
};

}  // namespace bcr::nn

#endif
