#include "src/nn/layers/add.hpp"

#include "kernels/norm/elementwise.hpp"
#include "src/nn/layer.hpp"

namespace bcr::nn {
namespace {

/// Both gradients are the masked diff_dst, in its own memory.
template <class Exec, class T>
class AddLayer final : public Layer<Exec, T> {
 public:
  AddLayer(const OperationWith<Add>& operation, const LayerContext<Exec, T>&)
      : activation_(operation.settings().activation) {}

  void forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>&) override {
    kernels::add_activated<Exec, T>(exec, flat<Exec, T>(views.src(0)), flat<Exec, T>(views.src(1)), activation_,
                                    flat<Exec, T>(views.dst()));
  }

  void backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>&) override {
    if (activation_ == Activation::none) return;
    const auto diff = flat<Exec, T>(views.diff_dst());
    kernels::relu_backward<Exec, T>(exec, flat<Exec, T>(views.dst()), diff, diff);
  }

  void join_epilogue(const Exec&, const ForwardViews<Exec, T>& views, kernels::Epilogue<Exec, T>& epilogue) override {
    epilogue.addend = views.src(1);
    epilogue.activation = activation_;
  }

 private:
  Activation activation_;
};

class AddOperation final : public OperationOf<Add, AddLayer> {
 public:
  using OperationOf::OperationOf;

  bool backward_reads_source(std::size_t) const override { return false; }
  bool backward_reads_result() const override { return settings().activation == Activation::relu; }
  SourceGradient gradient_of(std::size_t) const override { return SourceGradient::shared; }
  EpilogueRole epilogue_role() const override { return EpilogueRole::adds; }

 protected:
  std::vector<ImageShape> infer() const override {
    if (source_shape(1) != source_shape(0))
      throw ShapeError(name(), "an addend of shape " + source_shape(0).text(), source_shape(1).text());
    return {source_shape()};
  }
};

}  // namespace

ValueId add(Graph& graph, std::string name, const ValueId src, const ValueId addend, const Activation activation) {
  require<ShapeError>(src != addend && graph.consumers(src) == 0, name, "a source without another consumer",
                      "a value that is used twice");
  return graph.append(std::make_shared<AddOperation>(std::move(name), std::vector{src, addend}, Add{activation}));
}

}  // namespace bcr::nn
