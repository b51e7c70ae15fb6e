#include "src/nn/layers/linear_layer.hpp"

#include "kernels/linear/linear.hpp"
#include "kernels/norm/elementwise.hpp"
#include "src/core/instances.hpp"

namespace bcr::nn {

template <class Exec, class T>
LinearLayer<Exec, T>::LinearLayer(const Graph& graph, const Operation& operation, ParameterStore<Exec, T>& parameters,
                                  const Mode mode, const int most_images)
    : parameters_(parameters),
      settings_(std::get<Linear>(operation.kind)),
      backend_(make_linear_backend<Exec, T>({.inputs = graph.shape(operation.src).size(),
                                             .outputs = static_cast<std::size_t>(settings_.channels),
                                             .most_rows = static_cast<std::size_t>(most_images)},
                                            mode)) {
  const auto outputs = static_cast<std::size_t>(settings_.channels);
  const std::size_t inputs = graph.shape(operation.src).size();
  weights_ = parameters.add(
      {.name = operation.name + ".weights", .extents = {outputs, inputs}, .initial = settings_.initial});
  bias_ = parameters.add({.name = operation.name + ".bias", .extents = {outputs}, .initial = settings_.initial});
}

template <class Exec, class T>
WorkspaceSize LinearLayer<Exec, T>::workspace_size(int) const {
  return {.values = backend_->workspace_size(), .sums = 0};
}

template <class Exec, class T>
void LinearLayer<Exec, T>::forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
                                   const Workspace<Exec, T>& workspace) {
  backend_->forward(exec, as_images<Exec, T>(views.src), parameters_.matrix(weights_), parameters_.values(bias_),
                    as_images<Exec, T>(views.dst), workspace.values);
  if (settings_.activation == Activation::relu)
    kernels::relu_forward<Exec, T>(exec, flat<Exec, T>(views.dst), flat<Exec, T>(views.dst));
}

template <class Exec, class T>
void LinearLayer<Exec, T>::backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                                    const Workspace<Exec, T>& workspace) {
  const auto src = as_images<Exec, T>(views.src);
  const auto diff_dst = as_images<Exec, T>(views.diff_dst);
  if (settings_.activation == Activation::relu)
    kernels::relu_backward<Exec, T>(exec, flat<Exec, T>(views.dst), flat<Exec, T>(views.diff_dst),
                                    flat<Exec, T>(views.diff_dst));
  backend_->backward_weights(exec, src, diff_dst, parameters_.matrix_gradients(weights_), workspace.values);
  kernels::linear_backward_bias<Exec, T>(exec, diff_dst, parameters_.gradients(bias_));
  if (views.diff_src.data() != nullptr)
    backend_->backward_data(exec, diff_dst, parameters_.matrix(weights_), views.diff_src_start,
                            as_images<Exec, T>(views.diff_src), workspace.values);
}

#define BCR_INSTANCE(Exec, T) template class LinearLayer<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
