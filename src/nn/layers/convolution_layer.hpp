#ifndef BCR_SRC_NN_LAYERS_CONVOLUTION_LAYER_HPP
#define BCR_SRC_NN_LAYERS_CONVOLUTION_LAYER_HPP

#include "src/nn/convolution_backend.hpp"
#include "src/nn/layer.hpp"

namespace bcr::nn {

/// dst = convolution of src (+ bias, or + what dst holds if the operation has an addend).
/// Parameters: <name>.weights [KH, KW, IC, OC] and, if asked for, <name>.bias [OC].
template <class Exec, class T>
class ConvolutionLayer : public Layer<Exec, T> {
 public:
  ConvolutionLayer(const Graph& graph, const Operation& operation, ParameterStore<Exec, T>& parameters, Mode mode,
                   int most_images, const Exec& exec);

  const ConvolutionBackend<Exec, T>& backend() const { return *backend_; }
  const ConvolutionProblem& problem() const { return problem_; }

  WorkspaceSize workspace_size(int most_images) const override;
  void forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>& workspace) override;
  void backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>& workspace) override;

 private:
  const ParameterStore<Exec, T>& parameters_;
  ConvolutionProblem problem_;
  kernels::ChainStart start_;
  int weights_ = 0;
  int bias_ = 0;  ///< only if start_ is bias
  std::unique_ptr<ConvolutionBackend<Exec, T>> backend_;
};

}  // namespace bcr::nn

#endif
