#include "src/nn/layers/tanh.hpp"

#include "kernels/norm/curves.hpp"
#include "src/nn/layer.hpp"

namespace bcr::nn {
namespace {

/// The gradient of the source is diff_dst (1 - dst^2), in its own memory.
template <class Exec, class T>
class TanhLayer final : public Layer<Exec, T> {
 public:
  TanhLayer(const OperationWith<Tanh>&, const LayerContext<Exec, T>&) {}

  void forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>&) override {
    kernels::tanh_forward<Exec, T>(exec, flat<Exec, T>(views.src()), flat<Exec, T>(views.dst()));
  }

  void backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>&) override {
    const auto diff = flat<Exec, T>(views.diff_dst());
    kernels::tanh_backward<Exec, T>(exec, flat<Exec, T>(views.dst()), diff, diff);
  }
};

class TanhOperation final : public OperationOf<Tanh, TanhLayer> {
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

ValueId tanh(Graph& graph, std::string name, const ValueId src) {
  return graph.append(std::make_shared<TanhOperation>(std::move(name), std::vector{src}, Tanh{}));
}

}  // namespace bcr::nn
