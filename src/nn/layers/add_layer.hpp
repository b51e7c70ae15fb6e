#ifndef BCR_SRC_NN_LAYERS_ADD_LAYER_HPP
#define BCR_SRC_NN_LAYERS_ADD_LAYER_HPP

#include "src/nn/layer.hpp"

namespace bcr::nn {

/// dst = activation(src + addend). Both gradients are the masked diff_dst, in its own memory.
template <class Exec, class T>
class AddLayer : public Layer<Exec, T> {
 public:
  explicit AddLayer(const Operation& operation);

  WorkspaceSize workspace_size(int) const override { return {}; }
  void forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>& workspace) override;
  void backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>& workspace) override;

 private:
  Activation activation_;
};

}  // namespace bcr::nn

#endif
