// oneDNN on the host's cores.
#include "src/nn/backends/backends.hpp"

#include "kernels/conv/weights.hpp"
#include "kernels/norm/elementwise.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"
#include "src/nn/backends/onednn_primitives.hpp"
#include "src/nn/backends/openmp_threads.hpp"

#include <algorithm>

namespace bcr::nn {
namespace {

using kernels::ChainStart;

OnednnMemory host_memory() {
  return {
      [](const dnnl::memory::desc& shape, const dnnl::engine& engine) { return dnnl::memory(shape, engine); },
      [](const dnnl::memory::desc& shape, const dnnl::engine& engine) { return dnnl::memory(shape, engine, nullptr); }};
}

template <class Exec>
class OnednnConvolution : public ConvolutionBackend<Exec, float> {
 public:
  OnednnConvolution(const ConvolutionProblem& problem, const int most_images, const Exec& exec)
      : problem_(problem),
        engine_(dnnl::engine::kind::cpu, 0),
        stream_(engine_),
        primitives_(problem, engine_, host_memory()),
        diff_src_size_(static_cast<std::size_t>(most_images) * problem.src.size()) {
    const ThreadsOf threads(exec);
    primitives_.guarded("description", [&] { description_ = primitives_.description(most_images); });
  }

  std::string description() const override { return description_; }
  /// A second gradient of the source: oneDNN overwrites, so it goes here first. Or folded weights and their bias.
  std::size_t workspace_size() const override {
    return std::max(diff_src_size_, weights_size() + problem_.dst.channels);
  }

  void forward(const Exec& exec, const ConstTensor4<float, Exec> src, const ConstTensor4<float, Exec> weights,
               const ConstVector<float, Exec> bias, const ChainStart start, const Tensor4<float, Exec> dst,
               const Vector<float, Exec>) override {
    run(exec, "forward", [&] {
      primitives_.forward(stream_, dst.extent_int(0), start, Activation::none, src.data(), weights.data(), bias.data(),
                          dst.data());
    });
  }

  /// Batch norm goes into the weights and a bias, unless something is added between or after.
  void forward_with_epilogue(const Exec& exec, const ConstTensor4<float, Exec> src,
                             const ConstTensor4<float, Exec> weights, const ConstVector<float, Exec> bias,
                             const ChainStart start, const Tensor4<float, Exec> dst,
                             const kernels::Epilogue<Exec, float>& epilogue,
                             const Vector<float, Exec> workspace) override {
    if (start == ChainStart::dst || epilogue.addend.data() != nullptr)
      return ConvolutionBackend<Exec, float>::forward_with_epilogue(exec, src, weights, bias, start, dst, epilogue,
                                                                    workspace);
    const Tensor4<float, Exec> folded(workspace.data(), problem_.taps, problem_.taps, problem_.src.channels,
                                      problem_.dst.channels);
    const Vector<float, Exec> folded_bias(workspace.data() + weights_size(), problem_.dst.channels);
    const auto own_bias = start == ChainStart::bias ? bias : ConstVector<float, Exec>();
    kernels::fold_scale<Exec, float>(exec, weights, own_bias, epilogue.scale, epilogue.shift, folded, folded_bias);
    run(exec, "forward", [&] {
      primitives_.forward(stream_, dst.extent_int(0), ChainStart::bias, epilogue.activation, src.data(), folded.data(),
                          folded_bias.data(), dst.data());
    });
  }

  void backward_data(const Exec& exec, const ConstTensor4<float, Exec> diff_dst,
                     const ConstTensor4<float, Exec> weights, const ChainStart start,
                     const Tensor4<float, Exec> diff_src, const Vector<float, Exec> workspace) override {
    float* const target = start == ChainStart::dst ? workspace.data() : diff_src.data();
    run(exec, "backward data",
        [&] { primitives_.backward_data(stream_, diff_src.extent_int(0), diff_dst.data(), weights.data(), target); });
    if (start == ChainStart::dst)
      kernels::add<Exec, float>(exec, Vector<float, Exec>(workspace.data(), diff_src.size()),
                                Vector<float, Exec>(diff_src.data(), diff_src.size()));
  }

  void backward_weights(const Exec& exec, const ConstTensor4<float, Exec> src, const ConstTensor4<float, Exec> diff_dst,
                        const Tensor4<float, Exec> diff_weights, const Vector<float, Exec>) override {
    run(exec, "backward weights", [&] {
      primitives_.backward_weights(stream_, src.extent_int(0), src.data(), diff_dst.data(), diff_weights.data());
    });
  }

 private:
  /// Waits for what Kokkos still does with the memory, runs, and waits for oneDNN.
  template <class Body>
  void run(const Exec& exec, const std::string_view direction, const Body& body) {
    exec.fence("bcr::nn::onednn");
    primitives_.guarded(direction, [&] {
      const ThreadsOf threads(exec);
      body();
      stream_.wait();
    });
  }

  std::size_t weights_size() const {
    return static_cast<std::size_t>(problem_.taps) * problem_.taps * problem_.src.channels * problem_.dst.channels;
  }

  ConvolutionProblem problem_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  OnednnPrimitives primitives_;
  std::size_t diff_src_size_;
  std::string description_;
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_onednn_convolution(const ConvolutionProblem& problem,
                                                                     const int most_images, const Exec& exec) {
  if constexpr (is_host_exec<Exec> && std::is_same_v<T, float>) {
    return std::make_unique<OnednnConvolution<Exec>>(problem, most_images, exec);
  } else {
    return nullptr;
  }
}

#define BCR_INSTANCE(Exec, T)                                                                                       \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_onednn_convolution<Exec, T>(const ConvolutionProblem&, \
                                                                                         int, const Exec&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
