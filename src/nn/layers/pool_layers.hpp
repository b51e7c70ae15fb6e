#ifndef BCR_SRC_NN_LAYERS_POOL_LAYERS_HPP
#define BCR_SRC_NN_LAYERS_POOL_LAYERS_HPP

#include "src/nn/layer.hpp"

namespace bcr::nn {

/// The largest pixel of each window; windows do not overlap.
template <class Exec, class T>
class MaxPoolLayer : public Layer<Exec, T> {
 public:
  explicit MaxPoolLayer(const Operation& operation);

  WorkspaceSize workspace_size(int) const override { return {}; }
  void forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>& workspace) override;
  void backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>& workspace) override;

 private:
  std::string name_;
  int taps_;
};

/// The mean over all pixels of a channel.
template <class Exec, class T>
class GlobalAveragePoolLayer : public Layer<Exec, T> {
 public:
  explicit GlobalAveragePoolLayer(const Operation& operation);

  WorkspaceSize workspace_size(int) const override { return {}; }
  void forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>& workspace) override;
  void backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>& workspace) override;

 private:
  std::string name_;
};

}  // namespace bcr::nn

#endif
