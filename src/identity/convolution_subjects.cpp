#include "kernels/conv/convolution.hpp"
#include "kernels/conv/winograd.hpp"
#include "src/core/instances.hpp"
#include "src/identity/digest.hpp"
#include "src/identity/inputs.hpp"
#include "src/identity/subject.hpp"

#include <algorithm>

namespace bcr::identity {
namespace {

template <class T>
T pixel(Random& random) {
  return uniform_between<T>(random, T(-1), T(1));
}

template <class T, class Exec>
Tensor4<T, Exec> tensor_input(const Exec& exec, const std::string_view name, const std::size_t a, const std::size_t b,
                              const std::size_t c, const std::size_t d) {
  return fill_input<Tensor4<T, Exec>>(exec, name, Kokkos::LayoutRight(a, b, c, d), pixel<T>);
}

/// A layer of `taps` x `taps` over odd images, with widths that fill no vector, and everything to run it both ways.
template <class Exec, class T, int taps, int stride>
struct Layer {
  static constexpr int images = 9, height = 13, width = 11, in = 19, out = 37;
  static constexpr kernels::ConvolutionWindow window{stride, taps / 2};
  static constexpr int out_height = window.outputs(height, taps), out_width = window.outputs(width, taps);

  Tensor4<T, Exec> src, weights, diff_dst;
  Tensor4<T, Exec> dst{"bcr::identity::dst", images, out_height, out_width, out};
  Tensor4<T, Exec> diff_src{"bcr::identity::diff_src", images, height, width, in};
  Tensor4<T, Exec> diff_weights{"bcr::identity::diff_weights", taps, taps, in, out};

  explicit Layer(const Exec& exec)
      : src(tensor_input<T>(exec, "identity/conv/src", images, height, width, in)),
        weights(tensor_input<T>(exec, "identity/conv/weights", taps, taps, in, out)),
        diff_dst(tensor_input<T>(exec, "identity/conv/diff_dst", images, out_height, out_width, out)) {}
};

template <class T, class Exec>
Vector<T, Exec> workspace(const std::size_t size) {
  return Vector<T, Exec>("bcr::identity::workspace", size);
}

using kernels::ChainStart;

template <class Exec, class T, int taps, int stride>
std::string convolution_digest(const Exec& exec) {
  const Layer<Exec, T, taps, stride> layer(exec);
  kernels::convolution_forward<Exec, T>(exec, layer.window, layer.src, layer.weights, {}, layer.dst, ChainStart::zero,
                                        workspace<T, Exec>(kernels::forward_workspace_size<Exec, T>(layer.weights)));
  kernels::convolution_backward_data<Exec, T>(
      exec, layer.window, layer.diff_dst, layer.weights, layer.diff_src, ChainStart::zero,
      workspace<T, Exec>(kernels::backward_data_workspace_size<Exec, T>(layer.weights)));
  kernels::convolution_backward_weights<Exec, T>(
      exec, layer.window, layer.src, layer.diff_dst, layer.diff_weights,
      workspace<T, Exec>(kernels::backward_weights_workspace_size<Exec, T>(layer.diff_dst, layer.diff_weights)));
  return digest_of(exec, layer.dst, layer.diff_src, layer.diff_weights);
}

template <class Exec, class T>
std::string winograd_digest(const Exec& exec) {
  const Layer<Exec, T, 3, 1> layer(exec);
  kernels::winograd_forward<Exec, T>(
      exec, layer.window.pad, layer.src, layer.weights, {}, layer.dst, ChainStart::zero,
      workspace<T, Exec>(kernels::winograd_forward_workspace_size<Exec, T>(layer.weights)));
  kernels::winograd_backward_data<Exec, T>(
      exec, layer.window.pad, layer.diff_dst, layer.weights, layer.diff_src, ChainStart::zero,
      workspace<T, Exec>(kernels::winograd_backward_data_workspace_size<Exec, T>(layer.weights)));
  return digest_of(exec, layer.dst, layer.diff_src);
}

template <class Exec, class T>
std::string winograd_weights_digest(const Exec& exec) {
  const Layer<Exec, T, 3, 1> layer(exec);
  kernels::winograd_backward_weights<Exec, T>(
      exec, layer.window.pad, layer.src, layer.diff_dst, layer.diff_weights,
      workspace<T, Exec>(
          kernels::winograd_backward_weights_workspace_size<Exec, T>(layer.diff_dst, layer.diff_weights)));
  return digest_of(exec, layer.diff_weights);
}

/// Both algorithms from a bias, and added to what the results hold.
template <class Exec, class T>
std::string starts_digest(const Exec& exec) {
  using L = Layer<Exec, T, 3, 1>;
  const L layer(exec);
  const auto bias = vector_input<T>(exec, "identity/conv/bias", L::out, pixel<T>);
  const auto results = [&](const std::string_view name) {
    return tensor_input<T>(exec, name, L::images, L::out_height, L::out_width, L::out);
  };
  const auto gradients = [&](const std::string_view name) {
    return tensor_input<T>(exec, name, L::images, L::height, L::width, L::in);
  };
  const auto direct_dst = results("identity/conv/dst"), winograd_dst = results("identity/conv/dst");
  const auto direct_diff = gradients("identity/conv/diff_src"), winograd_diff = gradients("identity/conv/diff_src");
  const auto winograd_bias = results("identity/conv/dst");
  const auto space =
      workspace<T, Exec>(std::max(kernels::winograd_forward_workspace_size<Exec, T>(layer.weights),
                                  kernels::winograd_backward_data_workspace_size<Exec, T>(layer.weights)));
  kernels::convolution_forward<Exec, T>(exec, layer.window, layer.src, layer.weights, bias, layer.dst, ChainStart::bias,
                                        space);
  kernels::convolution_forward<Exec, T>(exec, layer.window, layer.src, layer.weights, {}, direct_dst, ChainStart::dst,
                                        space);
  kernels::convolution_backward_data<Exec, T>(exec, layer.window, layer.diff_dst, layer.weights, direct_diff,
                                              ChainStart::dst, space);
  kernels::winograd_forward<Exec, T>(exec, layer.window.pad, layer.src, layer.weights, bias, winograd_bias,
                                     ChainStart::bias, space);
  kernels::winograd_forward<Exec, T>(exec, layer.window.pad, layer.src, layer.weights, {}, winograd_dst,
                                     ChainStart::dst, space);
  kernels::winograd_backward_data<Exec, T>(exec, layer.window.pad, layer.diff_dst, layer.weights, winograd_diff,
                                           ChainStart::dst, space);
  return digest_of(exec, layer.dst, direct_dst, direct_diff, winograd_bias, winograd_dst, winograd_diff);
}

/// Both algorithms with batch norm of inference and relu, and with a residual besides.
template <class Exec, class T>
std::string epilogue_digest(const Exec& exec) {
  using L = Layer<Exec, T, 3, 1>;
  const L layer(exec);
  const auto coefficients = [&](const std::string_view name) { return vector_input<T>(exec, name, L::out, pixel<T>); };
  const auto results = [&](const std::string_view name) {
    return tensor_input<T>(exec, name, L::images, L::out_height, L::out_width, L::out);
  };
  kernels::Epilogue<Exec, T> epilogue{.scale = coefficients("identity/conv/scale"),
                                      .shift = coefficients("identity/conv/shift"),
                                      .addend = {},
                                      .activation = kernels::Activation::relu};
  const auto space = workspace<T, Exec>(kernels::winograd_forward_workspace_size<Exec, T>(layer.weights));
  const auto run = [&](const Tensor4<T, Exec>& direct, const Tensor4<T, Exec>& winograd) {
    kernels::convolution_forward<Exec, T>(exec, layer.window, layer.src, layer.weights, {}, direct, ChainStart::dst,
                                          space, epilogue);
    kernels::winograd_forward<Exec, T>(exec, layer.window.pad, layer.src, layer.weights, {}, winograd, ChainStart::dst,
                                       space, epilogue);
  };
  const auto direct = results("identity/conv/dst"), winograd = results("identity/conv/dst");
  run(direct, winograd);
  const auto direct_sum = results("identity/conv/dst"), winograd_sum = results("identity/conv/dst");
  epilogue.addend = results("identity/conv/addend");
  run(direct_sum, winograd_sum);
  return digest_of(exec, direct, winograd, direct_sum, winograd_sum);
}

}  // namespace

template <class Exec>
void add_convolution_subjects(std::vector<Subject<Exec>>& subjects) {
  subjects.push_back({"convolution.3x3.float32", convolution_digest<Exec, float, 3, 1>});
  subjects.push_back({"convolution.3x3.stride2.float32", convolution_digest<Exec, float, 3, 2>});
  subjects.push_back({"convolution.1x1.stride2.float32", convolution_digest<Exec, float, 1, 2>});
  subjects.push_back({"convolution.3x3.float64", convolution_digest<Exec, double, 3, 1>});
  subjects.push_back({"convolution.starts.float32", starts_digest<Exec, float>});
  subjects.push_back({"convolution.starts.float64", starts_digest<Exec, double>});
  subjects.push_back({"convolution.epilogue.float32", epilogue_digest<Exec, float>});
  subjects.push_back({"convolution.epilogue.float64", epilogue_digest<Exec, double>});
  subjects.push_back({"winograd.3x3.float32", winograd_digest<Exec, float>});
  subjects.push_back({"winograd.3x3.float64", winograd_digest<Exec, double>});
  subjects.push_back({"winograd.weights.float32", winograd_weights_digest<Exec, float>});
  subjects.push_back({"winograd.weights.float64", winograd_weights_digest<Exec, double>});
}

#define BCR_INSTANCE(Exec) template void add_convolution_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
