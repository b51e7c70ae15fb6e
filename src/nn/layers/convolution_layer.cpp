#include "src/nn/layers/convolution_layer.hpp"

#include "kernels/norm/column_sums.hpp"
#include "src/core/instances.hpp"

namespace bcr::nn {

using kernels::ChainStart;

template <class Exec, class T>
ConvolutionLayer<Exec, T>::ConvolutionLayer(const Graph& graph, const Operation& operation,
                                            ParameterStore<Exec, T>& parameters, const Mode mode,
                                            const int most_images, const Exec& exec)
    : parameters_(parameters) {
  const auto& settings = std::get<Convolution>(operation.kind);
  const auto size = [](const int extent) { return static_cast<std::size_t>(extent); };
  problem_ = {operation.name, graph.shape(operation.src), graph.shape(operation.dst), settings.taps, settings.window};
  start_ = operation.addend != no_value         ? ChainStart::dst
           : settings.bias == Bias::added       ? ChainStart::bias
                                                : ChainStart::zero;
  weights_ = parameters.add({.name = operation.name + ".weights",
                             .extents = {size(settings.taps), size(settings.taps), size(problem_.src.channels),
                                         size(settings.channels)},
                             .initial = settings.initial});
  if (start_ == ChainStart::bias)
    bias_ = parameters.add({.name = operation.name + ".bias",
                            .extents = {size(settings.channels)},
                            .initial = settings.initial});
  backend_ = make_convolution_backend<Exec, T>(problem_, mode, most_images, exec);
}

template <class Exec, class T>
WorkspaceSize ConvolutionLayer<Exec, T>::workspace_size(const int most_images) const {
  const std::size_t sums =
      start_ == ChainStart::bias ? kernels::norm_partials(most_images * problem_.dst.pixels(), problem_.dst.channels) : 0;
  return {.values = backend_->workspace_size(), .sums = sums};
}

template <class Exec, class T>
void ConvolutionLayer<Exec, T>::forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
                                        const Workspace<Exec, T>& workspace) {
  const auto bias = start_ == ChainStart::bias ? parameters_.values(bias_) : Vector<T, Exec>();
  const auto weights = parameters_.tensor(weights_);
  if (views.epilogue.exists())
    backend_->forward_with_epilogue(exec, views.src, weights, bias, start_, views.dst, views.epilogue,
                                    workspace.values);
  else
    backend_->forward(exec, views.src, weights, bias, start_, views.dst, workspace.values);
}

template <class Exec, class T>
void ConvolutionLayer<Exec, T>::backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                                         const Workspace<Exec, T>& workspace) {
  backend_->backward_weights(exec, views.src, views.diff_dst, parameters_.tensor_gradients(weights_), workspace.values);
  if (start_ == ChainStart::bias)
    kernels::column_sums<Exec, T>(exec, as_rows<Exec, T>(views.diff_dst), workspace.sums, parameters_.gradients(bias_));
  if (views.diff_src.data() != nullptr)
    backend_->backward_data(exec, views.diff_dst, parameters_.tensor(weights_), views.diff_src_start, views.diff_src,
                            workspace.values);
}

#define BCR_INSTANCE(Exec, T) template class ConvolutionLayer<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
