// oneDNN on the device of Kokkos::SYCL: its engine and its streams are made from the queues of Kokkos, it works on the
// memory of our Views, and nobody waits for anybody: the queues are in order.
#include "kernels/norm/elementwise.hpp"
#include "src/core/instances.hpp"
#include "src/nn/backends/backends.hpp"
#include "src/nn/backends/onednn_primitives.hpp"

#include <dnnl_sycl.hpp>
#include <sycl/sycl.hpp>

#include <optional>

namespace bcr::nn {
namespace {

using kernels::ChainStart;
namespace interop = dnnl::sycl_interop;

OnednnMemory usm_memory() {
  return {[](const dnnl::memory::desc& shape, const dnnl::engine& engine) {
            return interop::make_memory(shape, engine, interop::memory_kind::usm, DNNL_MEMORY_ALLOCATE);
          },
          [](const dnnl::memory::desc& shape, const dnnl::engine& engine) {
            return interop::make_memory(shape, engine, interop::memory_kind::usm, DNNL_MEMORY_NONE);
          }};
}

dnnl::engine engine_of(const Kokkos::SYCL& exec) {
  const sycl::queue queue = exec.sycl_queue();
  return interop::make_engine(queue.get_device(), queue.get_context());
}

class OnednnSyclConvolution : public ConvolutionBackend<Kokkos::SYCL, float> {
 public:
  using Exec = Kokkos::SYCL;

  OnednnSyclConvolution(const ConvolutionProblem& problem, const int most_images, const Exec& exec)
      : engine_(engine_of(exec)),
        primitives_(problem, engine_, usm_memory()),
        diff_src_size_(static_cast<std::size_t>(most_images) * problem.src.size()) {
    primitives_.guarded("description", [&] { description_ = primitives_.description(most_images); });
  }

  std::string description() const override { return description_; }
  /// A second gradient of the source: oneDNN overwrites, so it goes here first.
  std::size_t workspace_size() const override { return diff_src_size_; }

  void forward(const Exec& exec, const ConstTensor4<float, Exec> src, const ConstTensor4<float, Exec> weights,
               const ConstVector<float, Exec> bias, const ChainStart start, const Tensor4<float, Exec> dst,
               const Vector<float, Exec>) override {
    primitives_.guarded("forward", [&] {
      primitives_.forward(stream_of(exec), dst.extent_int(0), start, Activation::none, src.data(), weights.data(),
                          bias.data(), dst.data());
    });
  }

  void backward_data(const Exec& exec, const ConstTensor4<float, Exec> diff_dst,
                     const ConstTensor4<float, Exec> weights, const ChainStart start,
                     const Tensor4<float, Exec> diff_src, const Vector<float, Exec> workspace) override {
    float* const target = start == ChainStart::dst ? workspace.data() : diff_src.data();
    primitives_.guarded("backward data", [&] {
      primitives_.backward_data(stream_of(exec), diff_src.extent_int(0), diff_dst.data(), weights.data(), target);
    });
    if (start == ChainStart::dst)
      kernels::add<Exec, float>(exec, Vector<float, Exec>(workspace.data(), diff_src.size()),
                                Vector<float, Exec>(diff_src.data(), diff_src.size()));
  }

  void backward_weights(const Exec& exec, const ConstTensor4<float, Exec> src, const ConstTensor4<float, Exec> diff_dst,
                        const Tensor4<float, Exec> diff_weights, const Vector<float, Exec>) override {
    primitives_.guarded("backward weights", [&] {
      primitives_.backward_weights(stream_of(exec), src.extent_int(0), src.data(), diff_dst.data(),
                                   diff_weights.data());
    });
  }

 private:
  /// Callers keep to one instance, so one stream is kept.
  dnnl::stream& stream_of(const Exec& exec) {
    const sycl::queue queue = exec.sycl_queue();
    if (!queue_ || *queue_ != queue) {
      queue_ = queue;
      stream_ = interop::make_stream(engine_, *queue_);
    }
    return stream_;
  }

  dnnl::engine engine_;
  OnednnPrimitives primitives_;
  std::size_t diff_src_size_;
  std::string description_;
  std::optional<sycl::queue> queue_;
  dnnl::stream stream_;
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_onednn_convolution(const ConvolutionProblem& problem,
                                                                     const int most_images, const Exec& exec) {
  if constexpr (std::is_same_v<Exec, Kokkos::SYCL> && std::is_same_v<T, float>) {
    return std::make_unique<OnednnSyclConvolution>(problem, most_images, exec);
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
