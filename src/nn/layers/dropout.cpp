#include "src/nn/layers/dropout.hpp"

#include "kernels/norm/elementwise.hpp"
#include "src/core/random.hpp"
#include "src/nn/layer.hpp"

namespace bcr::nn {
namespace {

/// The gradient of the source is the masked diff_dst, in its own memory.
template <class Exec, class T>
class DropoutLayer final : public Layer<Exec, T> {
 public:
  DropoutLayer(const OperationWith<Dropout>& operation, const LayerContext<Exec, T>&)
      : rate_(operation.settings().rate),
        stream_(Stream("dropout/" + operation.name()).id),
        size_(operation.source_shape().size()) {}

  void forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>&) override {
    const auto mask = pass.dropout(rate_, stream_, size_);
    const bool in_place = views.src().data() == views.dst().data();
    if (mask.active() || !in_place)
      kernels::dropout_map<Exec, T>(exec, flat<Exec, T>(views.src()), mask, flat<Exec, T>(views.dst()));
  }

  void backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>&) override {
    const auto diff = flat<Exec, T>(views.diff_dst());
    kernels::dropout_map<Exec, T>(exec, diff, pass.dropout(rate_, stream_, size_), diff);
  }

 private:
  double rate_;
  std::uint32_t stream_;
  std::size_t size_;  ///< of a sample
};

class DropoutOperation final : public OperationOf<Dropout, DropoutLayer> {
 public:
  using OperationOf::OperationOf;
  bool backward_reads_source(std::size_t) const override { return false; }
  SourceGradient gradient_of(std::size_t) const override { return SourceGradient::shared; }
  int overwrites() const override { return 0; }

 protected:
  std::vector<ImageShape> infer() const override {
    require<ConfigError>(settings().rate >= 0 && settings().rate < 1, name(), "a dropout rate in [0, 1)",
                         std::to_string(settings().rate));
    return {source_shape()};
  }
};

}  // namespace

ValueId dropout(Graph& graph, std::string name, const ValueId src, const Dropout& settings) {
  return graph.append(std::make_shared<DropoutOperation>(std::move(name), std::vector{src}, settings));
}

}  // namespace bcr::nn
