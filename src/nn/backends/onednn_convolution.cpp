#include "src/nn/backends/onednn_convolution.hpp"

#include "kernels/norm/elementwise.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"
#include "src/nn/backends/openmp_threads.hpp"

#include <dnnl.hpp>
#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

namespace bcr::nn {
namespace {

using dnnl::memory;
using kernels::ChainStart;

template <class T>
void set_data(memory& target, const T* const data) {
  target.set_data_handle(const_cast<std::remove_const_t<T>*>(data));  // oneDNN has one kind of memory for both
}

/// One direction of a convolution for one batch: the primitive, and the reorder between canonical and preferred weights.
struct Direction {
  dnnl::primitive primitive;
  dnnl::reorder reorder;
  memory src;
  memory dst;
  memory bias;
  memory canonical;
  memory preferred;
};

class OnednnShapes {
 public:
  explicit OnednnShapes(const ConvolutionProblem& problem) : problem_(problem) {}

  memory::desc src(const int images) const { return image(images, problem_.src); }
  memory::desc dst(const int images) const { return image(images, problem_.dst); }
  memory::desc canonical_weights() const { return {weight_extents(), memory::data_type::f32, memory::format_tag::hwio}; }
  memory::desc preferred_weights() const { return {weight_extents(), memory::data_type::f32, memory::format_tag::any}; }
  memory::desc bias() const { return {{problem_.dst.channels}, memory::data_type::f32, memory::format_tag::x}; }
  memory::dims strides() const { return {problem_.window.stride, problem_.window.stride}; }
  memory::dims padding() const { return {problem_.window.pad, problem_.window.pad}; }
  /// What is left over at the far border: the last window may end before the padding does.
  memory::dims far_padding() const {
    const auto far = [&](const int inputs, const int outputs) {
      return static_cast<memory::dim>((outputs - 1) * problem_.window.stride + problem_.taps - inputs -
                                      problem_.window.pad);
    };
    return {far(problem_.src.height, problem_.dst.height), far(problem_.src.width, problem_.dst.width)};
  }

 private:
  static memory::desc image(const int images, const ImageShape& shape) {
    return {{images, shape.channels, shape.height, shape.width}, memory::data_type::f32, memory::format_tag::nhwc};
  }
  memory::dims weight_extents() const {
    return {problem_.dst.channels, problem_.src.channels, problem_.taps, problem_.taps};
  }

  ConvolutionProblem problem_;
};

template <class Exec>
class OnednnConvolution : public ConvolutionBackend<Exec, float> {
 public:
  OnednnConvolution(const ConvolutionProblem& problem, const int most_images, const Exec& exec)
      : problem_(problem),
        shapes_(problem),
        engine_(dnnl::engine::kind::cpu, 0),
        stream_(engine_),
        diff_src_size_(static_cast<std::size_t>(most_images) * problem.src.size()) {
    const ThreadsOf threads(exec);
    const auto primitive = forward_description(most_images, ChainStart::zero);
    description_ = fmt::format("oneDNN {}", primitive.impl_info_str());
  }

  std::string description() const override { return description_; }
  /// A second gradient of the source: oneDNN overwrites, so it goes here first.
  std::size_t workspace_size() const override { return diff_src_size_; }

  void forward(const Exec& exec, const ConstTensor4<float, Exec> src, const ConstTensor4<float, Exec> weights,
               const ConstVector<float, Exec> bias, const ChainStart start, const Tensor4<float, Exec> dst,
               const Vector<float, Exec>) override {
    guarded(exec, "forward", [&] {
      auto& direction = find(forward_, std::pair(dst.extent_int(0), start),
                             [&] { return make_forward(dst.extent_int(0), start); });
      set_data(direction.src, src.data());
      set_data(direction.dst, dst.data());
      pack(direction, weights.data());
      std::unordered_map<int, memory> arguments{
          {DNNL_ARG_SRC, direction.src}, {DNNL_ARG_WEIGHTS, direction.preferred}, {DNNL_ARG_DST, direction.dst}};
      if (start == ChainStart::bias) {
        set_data(direction.bias, bias.data());
        arguments.emplace(DNNL_ARG_BIAS, direction.bias);
      }
      direction.primitive.execute(stream_, arguments);
    });
  }

  void backward_data(const Exec& exec, const ConstTensor4<float, Exec> diff_dst,
                     const ConstTensor4<float, Exec> weights, const ChainStart start,
                     const Tensor4<float, Exec> diff_src, const Vector<float, Exec> workspace) override {
    float* const target = start == ChainStart::dst ? workspace.data() : diff_src.data();
    guarded(exec, "backward data", [&] {
      auto& direction =
          find(backward_data_, diff_src.extent_int(0), [&] { return make_backward_data(diff_src.extent_int(0)); });
      set_data(direction.src, target);
      set_data(direction.dst, diff_dst.data());
      pack(direction, weights.data());
      direction.primitive.execute(stream_, {{DNNL_ARG_DIFF_SRC, direction.src},
                                            {DNNL_ARG_WEIGHTS, direction.preferred},
                                            {DNNL_ARG_DIFF_DST, direction.dst}});
    });
    if (start == ChainStart::dst)
      kernels::add<Exec, float>(exec, Vector<float, Exec>(workspace.data(), diff_src.size()),
                                Vector<float, Exec>(diff_src.data(), diff_src.size()));
  }

  void backward_weights(const Exec& exec, const ConstTensor4<float, Exec> src,
                        const ConstTensor4<float, Exec> diff_dst, const Tensor4<float, Exec> diff_weights,
                        const Vector<float, Exec>) override {
    guarded(exec, "backward weights", [&] {
      auto& direction =
          find(backward_weights_, src.extent_int(0), [&] { return make_backward_weights(src.extent_int(0)); });
      set_data(direction.src, src.data());
      set_data(direction.dst, diff_dst.data());
      set_data(direction.canonical, diff_weights.data());
      direction.primitive.execute(stream_, {{DNNL_ARG_SRC, direction.src},
                                            {DNNL_ARG_DIFF_WEIGHTS, direction.preferred},
                                            {DNNL_ARG_DIFF_DST, direction.dst}});
      direction.reorder.execute(stream_, direction.preferred, direction.canonical);
    });
  }

 private:
  using Algorithm = dnnl::algorithm;

  dnnl::convolution_forward::primitive_desc forward_description(const int images, const ChainStart start) const {
    dnnl::primitive_attr attributes;
    if (start == ChainStart::dst) {
      dnnl::post_ops add;
      add.append_sum(1.0f);
      attributes.set_post_ops(add);
    }
    const auto kind = dnnl::prop_kind::forward_training;
    if (start == ChainStart::bias)
      return {engine_, kind, Algorithm::convolution_direct, shapes_.src(images), shapes_.preferred_weights(),
              shapes_.bias(), shapes_.dst(images), shapes_.strides(), shapes_.padding(), shapes_.far_padding(),
              attributes};
    return {engine_, kind, Algorithm::convolution_direct, shapes_.src(images), shapes_.preferred_weights(),
            shapes_.dst(images), shapes_.strides(), shapes_.padding(), shapes_.far_padding(), attributes};
  }

  memory empty(const memory::desc& description) const { return memory(description, engine_, nullptr); }

  Direction make_forward(const int images, const ChainStart start) const {
    const auto description = forward_description(images, start);
    Direction direction{dnnl::convolution_forward(description), {}, empty(description.src_desc()),
                        empty(description.dst_desc()), {}, empty(shapes_.canonical_weights()),
                        memory(description.weights_desc(), engine_)};
    if (start == ChainStart::bias) direction.bias = empty(shapes_.bias());
    direction.reorder = dnnl::reorder(direction.canonical, direction.preferred);
    return direction;
  }

  Direction make_backward_data(const int images) const {
    const dnnl::convolution_backward_data::primitive_desc description(
        engine_, Algorithm::convolution_direct, shapes_.src(images), shapes_.preferred_weights(), shapes_.dst(images),
        shapes_.strides(), shapes_.padding(), shapes_.far_padding(), forward_description(images, ChainStart::zero));
    Direction direction{dnnl::convolution_backward_data(description), {}, empty(description.diff_src_desc()),
                        empty(description.diff_dst_desc()), {}, empty(shapes_.canonical_weights()),
                        memory(description.weights_desc(), engine_)};
    direction.reorder = dnnl::reorder(direction.canonical, direction.preferred);
    return direction;
  }

  Direction make_backward_weights(const int images) const {
    const dnnl::convolution_backward_weights::primitive_desc description(
        engine_, Algorithm::convolution_direct, shapes_.src(images), shapes_.preferred_weights(), shapes_.dst(images),
        shapes_.strides(), shapes_.padding(), shapes_.far_padding(), forward_description(images, ChainStart::zero));
    Direction direction{dnnl::convolution_backward_weights(description), {}, empty(description.src_desc()),
                        empty(description.diff_dst_desc()), {}, empty(shapes_.canonical_weights()),
                        memory(description.diff_weights_desc(), engine_)};
    direction.reorder = dnnl::reorder(direction.preferred, direction.canonical);
    return direction;
  }

  void pack(Direction& direction, const float* const weights) {
    set_data(direction.canonical, weights);
    direction.reorder.execute(stream_, direction.canonical, direction.preferred);
  }

  /// The directions are made when a batch size is met for the first time: in training that is once or twice.
  template <class Key, class Make>
  static Direction& find(std::map<Key, Direction>& made, const Key& key, const Make& make) {
    const auto known = made.find(key);
    return known != made.end() ? known->second : made.emplace(key, make()).first->second;
  }

  /// Waits for what Kokkos still does with the memory, runs, and translates what oneDNN throws.
  template <class Body>
  void guarded(const Exec& exec, const std::string_view direction, const Body& body) {
    exec.fence("bcr::nn::onednn");
    try {
      const ThreadsOf threads(exec);
      body();
      stream_.wait();
    } catch (const dnnl::error& error) {
      throw BackendError(fmt::format("oneDNN {} of {}", direction, problem_.text()), "a result",
                         fmt::format("\"{}\" (status {}); ONEDNN_VERBOSE=all tells why", error.message,
                                     static_cast<int>(error.status)));
    }
  }

  ConvolutionProblem problem_;
  OnednnShapes shapes_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  std::size_t diff_src_size_;
  std::string description_;
  std::map<std::pair<int, ChainStart>, Direction> forward_;
  std::map<int, Direction> backward_data_;
  std::map<int, Direction> backward_weights_;
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

std::string onednn_version() {
  const auto* const version = dnnl::version();
  return fmt::format("oneDNN {}.{}.{}", version->major, version->minor, version->patch);
}

#define BCR_INSTANCE(Exec, T)                                                                                       \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_onednn_convolution<Exec, T>(const ConvolutionProblem&, \
                                                                                         int, const Exec&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
