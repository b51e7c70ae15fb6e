#include "src/nn/layers/reshape.hpp"

#include "src/nn/layer.hpp"

namespace bcr::nn {
namespace {

template <class Exec, class T>
class ReshapeLayer final : public Layer<Exec, T> {
 public:
  ReshapeLayer(const OperationWith<Reshape>&, const LayerContext<Exec, T>&) {}

  void forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>&) override {
    copy_unless_same<Exec, T>(exec, views.src(), views.dst());
  }
  void backward(const Exec&, const PassInfo&, const BackwardViews<Exec, T>&, const Workspace<Exec, T>&) override {}
};

class ReshapeOperation final : public OperationOf<Reshape, ReshapeLayer> {
 public:
  using OperationOf::OperationOf;
  bool backward_reads_source(std::size_t) const override { return false; }
  SourceGradient gradient_of(std::size_t) const override { return SourceGradient::shared; }
  int overwrites() const override { return 0; }

 protected:
  std::vector<ImageShape> infer() const override {
    if (settings().shape.size() != source_shape().size())
      throw ShapeError(name(), "a shape of " + std::to_string(source_shape().size()) + " elements",
                       settings().shape.text());
    return {settings().shape};
  }
};

}  // namespace

ValueId reshape(Graph& graph, std::string name, const ValueId src, const ImageShape& shape) {
  return graph.append(std::make_shared<ReshapeOperation>(std::move(name), std::vector{src}, Reshape{shape}));
}

}  // namespace bcr::nn
