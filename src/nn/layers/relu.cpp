#include "src/nn/layers/relu.hpp"

#include "kernels/norm/elementwise.hpp"
#include "src/nn/layer.hpp"

namespace bcr::nn {
namespace {

/// The gradient of the source is the masked diff_dst, in its own memory.
template <class Exec, class T>
class ReluLayer final : public Layer<Exec, T> {
 public:
  ReluLayer(const OperationWith<Relu>&, const LayerContext<Exec, T>&) {}

  void forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>&) override {
    kernels::relu_forward<Exec, T>(exec, flat<Exec, T>(views.src()), flat<Exec, T>(views.dst()));
  }

  void backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>&) override {
    const auto diff = flat<Exec, T>(views.diff_dst());
    kernels::relu_backward<Exec, T>(exec, flat<Exec, T>(views.dst()), diff, diff);
  }
};

class ReluOperation final : public OperationOf<Relu, ReluLayer> {
 public:
  using OperationOf::OperationOf;
  bool backward_reads_source(std::size_t) const override { return false; }
  bool backward_reads_result() const override { return true; }
  SourceGradient gradient_of(std::size_t) const override { return SourceGradient::shared; }
  int overwrites() const override { return 0; }

 protected:
  std::vector<ImageShape> infer() const override { return {source_shape()}; }
};

}  // namespace

ValueId relu(Graph& graph, std::string name, const ValueId src) {
  return graph.append(std::make_shared<ReluOperation>(std::move(name), std::vector{src}, Relu{}));
}

}  // namespace bcr::nn
