#ifndef BCR_SRC_NN_LAYERS_LINEAR_LAYER_HPP
#define BCR_SRC_NN_LAYERS_LINEAR_LAYER_HPP

#include "src/nn/layer.hpp"
#include "src/nn/linear_backend.hpp"

namespace bcr::nn {

/// dst = activation(src W^T + b) on flattened images. Parameters: <name>.weights [OC, IC], <name>.bias [OC].
template <class Exec, class T>
class LinearLayer : public Layer<Exec, T> {
 public:
  LinearLayer(const Graph& graph, const Operation& operation, ParameterStore<Exec, T>& parameters, Mode mode,
              int most_images);

  const LinearBackend<Exec, T>& backend() const { return *backend_; }

  WorkspaceSize workspace_size(int most_images) const override;
  void forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>& workspace) override;
  void backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>& workspace) override;

 private:
  const ParameterStore<Exec, T>& parameters_;
  Linear settings_;
  std::unique_ptr<LinearBackend<Exec, T>> backend_;
  int weights_;
  int bias_;
};

}  // namespace bcr::nn

#endif
