#include "src/nn/layers/transposed_convolution.hpp"

#include "kernels/linear/linear.hpp"
#include "kernels/norm/column_sums.hpp"
#include "src/nn/convolution_backend.hpp"
#include "src/nn/layer.hpp"

namespace bcr::nn {
namespace {

using kernels::ChainStart;

/// Each pass is one of the convolution that leads back: forward is its backward_data, and so on. Whoever computes
/// convolutions computes this too.
template <class Exec, class T>
class TransposedConvolutionLayer final : public Layer<Exec, T> {
 public:
  TransposedConvolutionLayer(const OperationWith<TransposedConvolution>& operation, const LayerContext<Exec, T>& context)
      : parameters_(context.parameters),
        has_bias_(operation.settings().bias == Bias::added),
        stacked_(operation.settings().stacked) {
    const auto& settings = operation.settings();
    const auto size = [](const int extent) { return static_cast<std::size_t>(extent); };
    back_ = {operation.name(), one_of(operation.result_shape()), one_of(operation.source_shape()), settings.taps,
             settings.window};
    weights_ = context.parameters.add({.name = operation.name() + ".weights",
                                       .extents = {size(settings.taps), size(settings.taps), size(back_.src.channels),
                                                   size(back_.dst.channels)},
                                       .initial = settings.initial});
    if (has_bias_)
      bias_ = context.parameters.add(
          {.name = operation.name() + ".bias", .extents = {size(settings.channels)}, .initial = settings.initial});
    backend_ = make_convolution_backend<Exec, T>(back_, context.mode, context.precision, stacked_ * context.most_images,
                                                 context.exec);
  }

  std::string computed_by() const override { return backend_->description(); }

  WorkspaceSize workspace_size(const int most_images) const override {
    const std::size_t rows = static_cast<std::size_t>(most_images) * stacked_ * back_.src.pixels();
    return {.values = backend_->workspace_size(),
            .sums = has_bias_ ? kernels::norm_partials(rows, back_.src.channels) : 0};
  }

  void forward(const Exec& exec, const PassInfo&, const ForwardViews<Exec, T>& views,
               const Workspace<Exec, T>& workspace) override {
    if (has_bias_) kernels::fill_rows<Exec, T>(exec, parameters_.values(bias_), as_rows<Exec, T>(views.dst()));
    backend_->backward_data(exec, apart(views.src()), parameters_.tensor(weights_),
                            has_bias_ ? ChainStart::dst : ChainStart::zero, apart(views.dst()), workspace.values);
  }

  void backward(const Exec& exec, const PassInfo&, const BackwardViews<Exec, T>& views,
                const Workspace<Exec, T>& workspace) override {
    const auto diff_dst = apart(views.diff_dst());
    if (views.learns)
      backend_->backward_weights(exec, diff_dst, apart(views.src()), parameters_.tensor_gradients(weights_),
                                 workspace.values);
    if (views.learns && has_bias_)
      kernels::column_sums<Exec, T>(exec, as_rows<Exec, T>(diff_dst), workspace.sums, parameters_.gradients(bias_));
    if (views.asks_for_diff_src())
      backend_->forward(exec, diff_dst, parameters_.tensor(weights_), {}, views.diff_src_start(),
                        apart(views.diff_src()), workspace.values);
  }

 private:
  ImageShape one_of(ImageShape shape) const {
    shape.height /= stacked_;
    return shape;
  }
  /// Stacked images as images of their own: the same memory.
  Tensor4<T, Exec> apart(const Tensor4<T, Exec>& all) const {
    return Tensor4<T, Exec>(all.data(), all.extent(0) * stacked_, all.extent(1) / stacked_, all.extent(2),
                            all.extent(3));
  }

  const ParameterStore<Exec, T>& parameters_;
  bool has_bias_;
  int stacked_;
  ConvolutionProblem back_;
  int weights_ = 0;
  int bias_ = 0;  ///< only if has_bias_
  std::unique_ptr<ConvolutionBackend<Exec, T>> backend_;
};

class TransposedConvolutionOperation final : public OperationOf<TransposedConvolution, TransposedConvolutionLayer> {
 public:
  using OperationOf::OperationOf;
  bool backward_reads_source(std::size_t) const override { return true; }

  OperationWork work() const override {
    OperationWork work = traffic();
    const double window = double(settings().taps) * settings().taps * settings().channels;
    work.multiply_accumulates = static_cast<double>(source_shape().size()) * window;
    work.gradients += static_cast<double>(result_shape().size());  // read for the weights and for the source
    work.weights = window * source_shape().channels;
    return work;
  }

 protected:
  std::vector<ImageShape> infer() const override {
    const auto& [channels, taps, window, extra, bias, initial, stacked] = settings();
    const ImageShape src = source_shape();
    require<ShapeError>(stacked > 0 && src.height % stacked == 0, name(), "stacked images of the same height",
                        std::to_string(stacked) + " in " + src.text());
    require<ShapeError>(extra >= 0 && extra < window.stride, name(), "extra rows from 0 to stride - 1",
                        std::to_string(extra));
    const auto grown = [&, &taps = taps, &window = window, &extra = extra](const int extent) {
      return (extent - 1) * window.stride - 2 * window.pad + taps + extra;
    };
    const ImageShape dst{stacked * grown(src.height / stacked), grown(src.width), channels};
    if (dst.height < 1 || dst.width < 1) throw ShapeError(name(), "images that outgrow the pad", src.text());
    return {dst};
  }
};

}  // namespace

ValueId transposed_convolution(Graph& graph, std::string name, const ValueId src,
                               const TransposedConvolution& settings) {
  return graph.append(std::make_shared<TransposedConvolutionOperation>(std::move(name), std::vector{src}, settings));
}

}  // namespace bcr::nn
