#include "src/nn/layers/linear.hpp"

#include "kernels/linear/linear.hpp"
#include "kernels/norm/elementwise.hpp"
#include "src/nn/layer.hpp"
#include "src/nn/linear_backend.hpp"

namespace bcr::nn {
namespace {

template <class Exec, class T>
class LinearLayer final : public Layer<Exec, T> {
 public:
  LinearLayer(const OperationWith<Linear>& operation, const LayerContext<Exec, T>& context)
      : parameters_(context.parameters), settings_(operation.settings()) {
    const auto outputs = static_cast<std::size_t>(settings_.channels);
    const std::size_t inputs = operation.source_shape().size();
    backend_ = make_linear_backend<Exec, T>(
        {.inputs = inputs, .outputs = outputs, .most_rows = static_cast<std::size_t>(context.most_images)},
        context.mode);
    weights_ = context.parameters.add(
        {.name = operation.name() + ".weights", .extents = {outputs, inputs}, .initial = settings_.initial});
    bias_ = context.parameters.add(
        {.name = operation.name() + ".bias", .extents = {outputs}, .initial = settings_.initial});
  }

  std::string computed_by() const override { return backend_->description(); }

  WorkspaceSize workspace_size(int) const override { return {.values = backend_->workspace_size(), .sums = 0}; }

  void forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>& workspace) override {
    backend_->forward(exec, as_images<Exec, T>(views.src()), parameters_.matrix(weights_), parameters_.values(bias_),
                      as_images<Exec, T>(views.dst()), workspace.values);
    if (settings_.activation == Activation::relu)
      kernels::relu_forward<Exec, T>(exec, flat<Exec, T>(views.dst()), flat<Exec, T>(views.dst()));
  }

  void backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>& workspace) override {
    const auto src = as_images<Exec, T>(views.src());
    const auto diff_dst = as_images<Exec, T>(views.diff_dst());
    const auto diff = flat<Exec, T>(views.diff_dst());
    if (settings_.activation == Activation::relu)
      kernels::relu_backward<Exec, T>(exec, flat<Exec, T>(views.dst()), diff, diff);
    if (views.learns) {
      backend_->backward_weights(exec, src, diff_dst, parameters_.matrix_gradients(weights_), workspace.values);
      kernels::linear_backward_bias<Exec, T>(exec, diff_dst, parameters_.gradients(bias_));
    }
    if (views.asks_for_diff_src())
      backend_->backward_data(exec, diff_dst, parameters_.matrix(weights_), views.diff_src_start(),
                              as_images<Exec, T>(views.diff_src()), workspace.values);
  }

 private:
  const ParameterStore<Exec, T>& parameters_;
  Linear settings_;
  std::unique_ptr<LinearBackend<Exec, T>> backend_;
  int weights_ = 0;
  int bias_ = 0;
};

class LinearOperation final : public OperationOf<Linear, LinearLayer> {
 public:
  using OperationOf::OperationOf;

  bool backward_reads_source(std::size_t) const override { return true; }
  bool backward_reads_result() const override { return settings().activation == Activation::relu; }

  OperationWork work() const override {
    OperationWork work = traffic();
    const auto dst = static_cast<double>(result_shape().size());
    work.multiply_accumulates = static_cast<double>(source_shape().size()) * dst;
    work.gradients += dst;  // read for the weights and for the source
    work.weights = work.multiply_accumulates;
    return work;
  }

 protected:
  std::vector<ImageShape> infer() const override { return {{1, 1, settings().channels}}; }
};

}  // namespace

ValueId linear(Graph& graph, std::string name, const ValueId src, const Linear& settings) {
  return graph.append(std::make_shared<LinearOperation>(std::move(name), std::vector{src}, settings));
}

}  // namespace bcr::nn
