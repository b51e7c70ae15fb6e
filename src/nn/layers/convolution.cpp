#include "src/nn/layers/convolution.hpp"

#include "kernels/norm/column_sums.hpp"
#include "src/nn/convolution_backend.hpp"
#include "src/nn/layer.hpp"

namespace bcr::nn {
namespace {

using kernels::ChainStart;

constexpr std::size_t addend = 1;  // the place among the sources

template <class Exec, class T>
class ConvolutionLayer final : public Layer<Exec, T> {
 public:
  ConvolutionLayer(const OperationWith<Convolution>& operation, const LayerContext<Exec, T>& context)
      : parameters_(context.parameters) {
    const auto& settings = operation.settings();
    const auto size = [](const int extent) { return static_cast<std::size_t>(extent); };
    problem_ = {operation.name(), operation.source_shape(), operation.result_shape(), settings.taps, settings.window};
    start_ = operation.sources().size() > 1 ? ChainStart::dst
             : settings.bias == Bias::added ? ChainStart::bias
                                            : ChainStart::zero;
    weights_ = context.parameters.add(
        {.name = operation.name() + ".weights",
         .extents = {size(settings.taps), size(settings.taps), size(problem_.src.channels), size(settings.channels)},
         .initial = settings.initial});
    if (start_ == ChainStart::bias)
      bias_ = context.parameters.add(
          {.name = operation.name() + ".bias", .extents = {size(settings.channels)}, .initial = settings.initial});
    backend_ =
        make_convolution_backend<Exec, T>(problem_, context.mode, context.precision, context.most_images, context.exec);
  }

  std::string computed_by() const override { return backend_->description(); }

  WorkspaceSize workspace_size(const int most_images) const override {
    const std::size_t rows = most_images * problem_.dst.pixels();
    const std::size_t sums = start_ == ChainStart::bias ? kernels::norm_partials(rows, problem_.dst.channels) : 0;
    return {.values = backend_->workspace_size(), .sums = sums};
  }

  void forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>& workspace) override {
    const auto bias = start_ == ChainStart::bias ? parameters_.values(bias_) : Vector<T, Exec>();
    const auto weights = parameters_.tensor(weights_);
    if (start_ == ChainStart::dst) copy_unless_same<Exec, T>(exec, views.src(addend), views.dst());
    if (views.epilogue.exists())
      backend_->forward_with_epilogue(exec, views.src(), weights, bias, start_, views.dst(), views.epilogue,
                                      workspace.values);
    else
      backend_->forward(exec, views.src(), weights, bias, start_, views.dst(), workspace.values);
  }

  void backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>& workspace) override {
    const auto diff_dst = views.diff_dst();
    if (views.learns)
      backend_->backward_weights(exec, views.src(), diff_dst, parameters_.tensor_gradients(weights_), workspace.values);
    if (views.learns && start_ == ChainStart::bias)
      kernels::column_sums<Exec, T>(exec, as_rows<Exec, T>(diff_dst), workspace.sums, parameters_.gradients(bias_));
    if (views.asks_for_diff_src())
      backend_->backward_data(exec, diff_dst, parameters_.tensor(weights_), views.diff_src_start(), views.diff_src(),
                              workspace.values);
  }

 private:
  const ParameterStore<Exec, T>& parameters_;
  ConvolutionProblem problem_;
  ChainStart start_;
  int weights_ = 0;
  int bias_ = 0;  ///< only if start_ is bias
  std::unique_ptr<ConvolutionBackend<Exec, T>> backend_;
};

class ConvolutionOperation final : public OperationOf<Convolution, ConvolutionLayer> {
 public:
  using OperationOf::OperationOf;

  bool backward_reads_source(const std::size_t source) const override { return source != addend; }
  SourceGradient gradient_of(const std::size_t source) const override {
    return source == addend ? SourceGradient::shared : SourceGradient::computed;
  }
  int overwrites() const override { return sources().size() > addend ? addend : no_source; }
  EpilogueRole epilogue_role() const override { return EpilogueRole::begins; }

  OperationWork work() const override {
    OperationWork work = traffic();
    const auto dst = static_cast<double>(result_shape().size());
    const double window = double(settings().taps) * settings().taps * source_shape().channels;
    work.multiply_accumulates = dst * window;
    work.gradients += dst;  // read for the weights and for the source
    work.weights = window * settings().channels;
    return work;
  }

 protected:
  std::vector<ImageShape> infer() const override {
    const auto& [channels, taps, window, bias, initial] = settings();
    const ImageShape src = source_shape();
    const ImageShape dst{window.outputs(src.height, taps), window.outputs(src.width, taps), channels};
    if (dst.size() == 0) throw ShapeError(name(), "images larger than the window", src.text());
    if (sources().size() == 1) return {dst};
    require<ShapeError>(bias == Bias::none, name(), "an addend or a bias", "both");
    if (source_shape(addend) != dst)
      throw ShapeError(name(), "an addend of shape " + dst.text(), source_shape(addend).text());
    return {dst};
  }
};

}  // namespace

ValueId convolution(Graph& graph, std::string name, const ValueId src, const Convolution& settings,
                    const ValueId addend) {
  auto sources = addend == no_value ? std::vector{src} : std::vector{src, addend};
  return graph.append(std::make_shared<ConvolutionOperation>(std::move(name), std::move(sources), settings));
}

}  // namespace bcr::nn
