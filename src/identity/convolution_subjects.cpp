#include "kernels/conv/convolution_backward_data.hpp"
#include "kernels/conv/convolution_backward_weights.hpp"
#include "kernels/conv/convolution_forward.hpp"
#include "kernels/conv/winograd.hpp"
#include "src/core/instances.hpp"
#include "src/identity/digest.hpp"
#include "src/identity/inputs.hpp"
#include "src/identity/subject.hpp"

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
  kernels::convolution_forward<Exec, T>(
      exec, layer.window, layer.src, layer.weights, {}, layer.dst, ChainStart::zero,
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

}  // namespace

template <class Exec>
void add_convolution_subjects(std::vector<Subject<Exec>>& subjects) {
  subjects.push_back({"convolution.3x3.float32", convolution_digest<Exec, float, 3, 1>});
  subjects.push_back({"convolution.3x3.stride2.float32", convolution_digest<Exec, float, 3, 2>});
  subjects.push_back({"convolution.1x1.stride2.float32", convolution_digest<Exec, float, 1, 2>});
  subjects.push_back({"convolution.3x3.float64", convolution_digest<Exec, double, 3, 1>});
  subjects.push_back({"winograd.3x3.float32", winograd_digest<Exec, float>});
}

#define BCR_INSTANCE(Exec) template void add_convolution_subjects<Exec>(std::vector<Subject<Exec>>&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::identity
