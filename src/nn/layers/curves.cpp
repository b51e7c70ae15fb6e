#include "src/nn/layers/curves.hpp"

#include "kernels/norm/curves.hpp"
#include "kernels/norm/elementwise.hpp"
#include "src/nn/layer.hpp"

#include <type_traits>

namespace bcr::nn {
namespace {

template <class Settings, class Exec, class T>
class CurveLayer final : public Layer<Exec, T> {
 public:
  CurveLayer(const OperationWith<Settings>&, const LayerContext<Exec, T>&) {}

  void forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>&) override {
    const auto src = flat<Exec, T>(views.src());
    const auto dst = flat<Exec, T>(views.dst());
    if constexpr (std::is_same_v<Settings, Relu>) {
      kernels::relu_forward<Exec, T>(exec, src, dst);
    } else {
      kernels::tanh_forward<Exec, T>(exec, src, dst);
    }
  }

  void backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>&) override {
    const auto dst = flat<Exec, T>(views.dst());
    const auto diff = flat<Exec, T>(views.diff_dst());
    if constexpr (std::is_same_v<Settings, Relu>) {
      kernels::relu_backward<Exec, T>(exec, dst, diff, diff);
    } else {
      kernels::tanh_backward<Exec, T>(exec, dst, diff, diff);
    }
  }
};

template <class Exec, class T>
using ReluLayer = CurveLayer<Relu, Exec, T>;
template <class Exec, class T>
using TanhLayer = CurveLayer<Tanh, Exec, T>;

template <class Settings, template <class, class> class LayerOf>
class CurveOperation final : public OperationOf<Settings, LayerOf> {
 public:
  using OperationOf<Settings, LayerOf>::OperationOf;
  bool backward_reads_source(std::size_t) const override { return false; }
  bool backward_reads_result() const override { return true; }
  SourceGradient gradient_of(std::size_t) const override { return SourceGradient::shared; }
  int overwrites() const override { return 0; }

 protected:
  std::vector<ImageShape> infer() const override { return {this->source_shape()}; }
};

}  // namespace

ValueId relu(Graph& graph, std::string name, const ValueId src) {
  return graph.append(
      std::make_shared<CurveOperation<Relu, ReluLayer>>(std::move(name), std::vector{src}, Relu{}));
}

ValueId tanh(Graph& graph, std::string name, const ValueId src) {
  return graph.append(
      std::make_shared<CurveOperation<Tanh, TanhLayer>>(std::move(name), std::vector{src}, Tanh{}));
}

}  // namespace bcr::nn
