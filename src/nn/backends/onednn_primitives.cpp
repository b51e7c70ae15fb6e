#include "src/nn/backends/onednn_primitives.hpp"

#include "src/nn/backends/backends.hpp"

#include <fmt/format.h>

#include <type_traits>
#include <unordered_map>

namespace bcr::nn {
namespace {

using dnnl::memory;
using kernels::ChainStart;
constexpr auto direct = dnnl::algorithm::convolution_direct;

template <class T>
void set_data(memory& target, const T* const data) {
  target.set_data_handle(const_cast<std::remove_const_t<T>*>(data));  // oneDNN has one kind of memory for both
}

class OnednnShapes {
 public:
  explicit OnednnShapes(const ConvolutionProblem& problem) : problem_(problem) {}

  memory::desc src(const int images) const { return image(images, problem_.src); }
  memory::desc dst(const int images) const { return image(images, problem_.dst); }
  memory::desc canonical_weights() const {
    return {weight_extents(), memory::data_type::f32, memory::format_tag::hwio};
  }
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

  const ConvolutionProblem& problem_;
};

template <class Made, class Key, class Make>
auto& find(Made& made, const Key& key, const Make& make) {
  const auto known = made.find(key);
  return known != made.end() ? known->second : made.emplace(key, make()).first->second;
}

}  // namespace

OnednnPrimitives::OnednnPrimitives(const ConvolutionProblem& problem, dnnl::engine engine, const OnednnMemory memory)
    : problem_(problem), engine_(std::move(engine)), memory_(memory) {}

std::string OnednnPrimitives::description(const int images) const {
  return fmt::format("oneDNN {}", forward_description(images, ChainStart::zero, Activation::none).impl_info_str());
}

void OnednnPrimitives::forward(dnnl::stream& stream, const int images, const ChainStart start,
                               const Activation activation, const float* const src, const float* const weights,
                               const float* const bias, float* const dst) {
  auto& direction = find(forward_, std::tuple(images, start, activation),
                         [&] { return make_forward(images, start, activation); });
  set_data(direction.src, src);
  set_data(direction.dst, dst);
  set_data(direction.canonical, weights);
  direction.reorder.execute(stream, direction.canonical, direction.preferred);
  std::unordered_map<int, memory> arguments{
      {DNNL_ARG_SRC, direction.src}, {DNNL_ARG_WEIGHTS, direction.preferred}, {DNNL_ARG_DST, direction.dst}};
  if (start == ChainStart::bias) {
    set_data(direction.bias, bias);
    arguments.emplace(DNNL_ARG_BIAS, direction.bias);
  }
  direction.primitive.execute(stream, arguments);
}

void OnednnPrimitives::backward_data(dnnl::stream& stream, const int images, const float* const diff_dst,
                                     const float* const weights, float* const diff_src) {
  auto& direction = find(backward_data_, images, [&] { return make_backward_data(images); });
  set_data(direction.src, diff_src);
  set_data(direction.dst, diff_dst);
  set_data(direction.canonical, weights);
  direction.reorder.execute(stream, direction.canonical, direction.preferred);
  direction.primitive.execute(stream, {{DNNL_ARG_DIFF_SRC, direction.src},
                                       {DNNL_ARG_WEIGHTS, direction.preferred},
                                       {DNNL_ARG_DIFF_DST, direction.dst}});
}

void OnednnPrimitives::backward_weights(dnnl::stream& stream, const int images, const float* const src,
                                        const float* const diff_dst, float* const diff_weights) {
  auto& direction = find(backward_weights_, images, [&] { return make_backward_weights(images); });
  set_data(direction.src, src);
  set_data(direction.dst, diff_dst);
  set_data(direction.canonical, diff_weights);
  direction.primitive.execute(stream, {{DNNL_ARG_SRC, direction.src},
                                       {DNNL_ARG_DIFF_WEIGHTS, direction.preferred},
                                       {DNNL_ARG_DIFF_DST, direction.dst}});
  direction.reorder.execute(stream, direction.preferred, direction.canonical);
}

void OnednnPrimitives::guarded(const std::string_view direction, const std::function<void()>& body) const {
  try {
    body();
  } catch (const dnnl::error& error) {
    throw BackendError(
        fmt::format("oneDNN {} of {}", direction, problem_.text()), "a result",
        fmt::format("\"{}\" (status {}); ONEDNN_VERBOSE=all tells why", error.message, static_cast<int>(error.status)));
  }
}

dnnl::convolution_forward::primitive_desc OnednnPrimitives::forward_description(const int images,
                                                                                const ChainStart start,
                                                                                const Activation activation) const {
  const OnednnShapes shapes(problem_);
  dnnl::post_ops operations;
  if (start == ChainStart::dst) operations.append_sum(1.0f);
  if (activation == Activation::relu) operations.append_eltwise(dnnl::algorithm::eltwise_relu, 0.0f, 0.0f);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(operations);
  const auto kind = dnnl::prop_kind::forward_training;
  if (start == ChainStart::bias)
    return {engine_,
            kind,
            direct,
            shapes.src(images),
            shapes.preferred_weights(),
            shapes.bias(),
            shapes.dst(images),
            shapes.strides(),
            shapes.padding(),
            shapes.far_padding(),
            attributes};
  return {engine_,
          kind,
          direct,
          shapes.src(images),
          shapes.preferred_weights(),
          shapes.dst(images),
          shapes.strides(),
          shapes.padding(),
          shapes.far_padding(),
          attributes};
}

OnednnPrimitives::Direction OnednnPrimitives::make_forward(const int images, const ChainStart start,
                                                           const Activation activation) const {
  const OnednnShapes shapes(problem_);
  const auto description = forward_description(images, start, activation);
  Direction direction{dnnl::convolution_forward(description),
                      {},
                      memory_.borrowed(description.src_desc(), engine_),
                      memory_.borrowed(description.dst_desc(), engine_),
                      {},
                      memory_.borrowed(shapes.canonical_weights(), engine_),
                      memory_.owned(description.weights_desc(), engine_)};
  if (start == ChainStart::bias) direction.bias = memory_.borrowed(shapes.bias(), engine_);
  direction.reorder = dnnl::reorder(direction.canonical, direction.preferred);
  return direction;
}

OnednnPrimitives::Direction OnednnPrimitives::make_backward_data(const int images) const {
  const OnednnShapes shapes(problem_);
  const dnnl::convolution_backward_data::primitive_desc description(
      engine_, direct, shapes.src(images), shapes.preferred_weights(), shapes.dst(images), shapes.strides(),
      shapes.padding(), shapes.far_padding(), forward_description(images, ChainStart::zero, Activation::none));
  Direction direction{dnnl::convolution_backward_data(description),
                      {},
                      memory_.borrowed(description.diff_src_desc(), engine_),
                      memory_.borrowed(description.diff_dst_desc(), engine_),
                      {},
                      memory_.borrowed(shapes.canonical_weights(), engine_),
                      memory_.owned(description.weights_desc(), engine_)};
  direction.reorder = dnnl::reorder(direction.canonical, direction.preferred);
  return direction;
}

OnednnPrimitives::Direction OnednnPrimitives::make_backward_weights(const int images) const {
  const OnednnShapes shapes(problem_);
  const dnnl::convolution_backward_weights::primitive_desc description(
      engine_, direct, shapes.src(images), shapes.preferred_weights(), shapes.dst(images), shapes.strides(),
      shapes.padding(), shapes.far_padding(), forward_description(images, ChainStart::zero, Activation::none));
  Direction direction{
      dnnl::convolution_backward_weights(description),        {}, memory_.borrowed(description.src_desc(), engine_),
      memory_.borrowed(description.diff_dst_desc(), engine_), {}, memory_.borrowed(shapes.canonical_weights(), engine_),
      memory_.owned(description.diff_weights_desc(), engine_)};
  direction.reorder = dnnl::reorder(direction.preferred, direction.canonical);
  return direction;
}

std::string onednn_version() {
  const auto* const version = dnnl::version();
  return fmt::format("oneDNN {}.{}.{}", version->major, version->minor, version->patch);
}

}  // namespace bcr::nn
