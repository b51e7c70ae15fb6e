#include "src/nn/layers/leaky_relu.hpp"

#include "kernels/norm/curves.hpp"
#include "src/nn/layer.hpp"

namespace bcr::nn {
namespace {

/// The gradient of the source is the bent diff_dst, in its own memory.
template <class Exec, class T>
class LeakyReluLayer final : public Layer<Exec, T> {
 public:
  LeakyReluLayer(const OperationWith<LeakyRelu>& operation, const LayerContext<Exec, T>& context)
      : parameters_(context.parameters),
        learns_(operation.settings().kind == Slope::learned),
        size_(operation.source_shape().size()) {
    const double slope = operation.settings().slope;
    if (learns_) {
      slope_ = context.parameters.add(
          {.name = operation.name() + ".slope", .extents = {1}, .initial = {.fill = Fill::constant, .scale = slope}});
    } else {
      fixed_ = Vector<T, Exec>("bcr::nn::leaky_relu::slope", 1);
      Kokkos::deep_copy(context.exec, fixed_, T(slope));
    }
  }

  WorkspaceSize workspace_size(const int most_images) const override {
    return {.values = 0, .sums = learns_ ? kernels::leaky_relu_partials(size_ * std::size_t(most_images)) : 0};
  }

  void forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>&) override {
    kernels::leaky_relu_forward<Exec, T>(exec, flat<Exec, T>(views.src()), slope(), flat<Exec, T>(views.dst()));
  }

  void backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>& workspace) override {
    const auto src = flat<Exec, T>(views.src());
    const auto diff = flat<Exec, T>(views.diff_dst());
    if (learns_ && views.learns)
      kernels::leaky_relu_slope_gradient<Exec, T>(exec, src, diff, workspace.sums, parameters_.gradients(slope_));
    kernels::leaky_relu_backward<Exec, T>(exec, src, slope(), diff, diff);
  }

 private:
  Vector<T, Exec> slope() const { return learns_ ? parameters_.values(slope_) : fixed_; }

  const ParameterStore<Exec, T>& parameters_;
  bool learns_;
  std::size_t size_;        ///< of a sample
  int slope_ = 0;           ///< only if it learns
  Vector<T, Exec> fixed_;   ///< only if it does not
};

class LeakyReluOperation final : public OperationOf<LeakyRelu, LeakyReluLayer> {
 public:
  using OperationOf::OperationOf;
  bool backward_reads_source(std::size_t) const override { return true; }
  SourceGradient gradient_of(std::size_t) const override { return SourceGradient::shared; }

 protected:
  std::vector<ImageShape> infer() const override { return {source_shape()}; }
};

}  // namespace

ValueId leaky_relu(Graph& graph, std::string name, const ValueId src, const LeakyRelu& settings) {
  return graph.append(std::make_shared<LeakyReluOperation>(std::move(name), std::vector{src}, settings));
}

}  // namespace bcr::nn
