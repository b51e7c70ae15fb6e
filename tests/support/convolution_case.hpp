#ifndef BCR_TESTS_SUPPORT_CONVOLUTION_CASE_HPP
#define BCR_TESTS_SUPPORT_CONVOLUTION_CASE_HPP

#include "kernels/conv/convolution.hpp"
#include "tests/reference/convolution.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace bcr::test {

/// The shape of one convolution.
struct ConvolutionCase {
  int images, height, width, inputs, outputs, kernel, stride, pad;

  kernels::ConvolutionWindow window() const { return {stride, pad}; }
  std::array<int, 4> src() const { return {images, height, width, inputs}; }
  std::array<int, 4> weights() const { return {kernel, kernel, inputs, outputs}; }
  std::array<int, 4> dst() const {
    return {images, window().outputs(height, kernel), window().outputs(width, kernel), outputs};
  }
};

inline std::ostream& operator<<(std::ostream& stream, const ConvolutionCase& c) {
  return stream << c.images << " images of " << c.height << " x " << c.width << ", " << c.inputs << " to " << c.outputs
                << " channels, " << c.kernel << " x " << c.kernel << " taps, stride " << c.stride << ", pad " << c.pad;
}

/// Sizes 0, 1, odd, above one block of channels, above one band of pixels; both strides; borders on every side.
inline std::vector<ConvolutionCase> convolution_cases() {
  return {{0, 5, 5, 3, 4, 3, 1, 1},    {1, 1, 1, 1, 1, 1, 1, 0},   {1, 1, 1, 3, 16, 3, 1, 1},
          {2, 7, 5, 3, 17, 3, 1, 1},   {1, 8, 8, 65, 33, 3, 1, 1}, {7, 8, 8, 16, 16, 3, 1, 1},
          {3, 9, 11, 5, 19, 3, 2, 1},  {2, 9, 8, 16, 32, 1, 2, 0}, {2, 6, 7, 32, 16, 1, 1, 0},
          {2, 7, 9, 4, 6, 3, 1, 0},    {1, 2, 3, 2, 3, 3, 2, 1},   {1, 70, 3, 2, 2, 3, 1, 1},
          {1, 3, 131, 1, 16, 3, 1, 1}, {37, 8, 8, 3, 5, 3, 1, 1},  {5, 32, 33, 2, 3, 3, 1, 1},
          {2, 15, 13, 3, 8, 7, 2, 3},  {2, 11, 10, 3, 4, 5, 3, 2}, {1, 6, 6, 0, 5, 3, 1, 1},
          {1, 4, 4, 2, 0, 3, 1, 1},    {3, 5, 1, 7, 9, 3, 2, 1},   {1, 2, 2, 2, 2, 2, 2, 1}};
}

/// A repeatable stream of values.
class Values {
 public:
  explicit Values(const std::uint64_t seed) : state_(seed) {}

  /// Whole numbers from -4 to 4: sums of products of few million of them are exact in float.
  double integer() { return static_cast<double>(next() % 9) - 4; }

  /// Multiples of 2^-20 in (-1, 1): products and sums round.
  double real() { return (static_cast<double>(next() % (1u << 21)) - (1 << 20)) / (1 << 20); }

 private:
  std::uint64_t next() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return state_ >> 33;
  }
  std::uint64_t state_;
};

template <class T>
reference::Tensor<T> integers(const std::array<int, 4>& extent, const std::uint64_t seed) {
  reference::Tensor<T> tensor(extent);
  Values values(seed);
  for (T& v : tensor.value) v = static_cast<T>(values.integer());
  return tensor;
}

template <class T>
reference::Tensor<T> reals(const std::array<int, 4>& extent, const std::uint64_t seed) {
  reference::Tensor<T> tensor(extent);
  Values values(seed);
  for (T& v : tensor.value) v = static_cast<T>(values.real());
  return tensor;
}

template <class To, class From>
reference::Tensor<To> converted(const reference::Tensor<From>& from) {
  reference::Tensor<To> to(from.extent);
  for (std::size_t i = 0; i < from.value.size(); ++i) to.value[i] = static_cast<To>(from.value[i]);
  return to;
}

template <class Exec, class T>
Tensor4<T, Exec> upload(const reference::Tensor<T>& from) {
  Tensor4<T, Exec> view("bcr::tests::tensor", from.extent[0], from.extent[1], from.extent[2], from.extent[3]);
  const auto mirror = Kokkos::create_mirror_view(view);
  std::copy(from.value.begin(), from.value.end(), mirror.data());
  Kokkos::deep_copy(view, mirror);
  return view;
}

template <class T, class Exec>
reference::Tensor<T> download(const Tensor4<T, Exec>& view) {
  reference::Tensor<T> to({view.extent_int(0), view.extent_int(1), view.extent_int(2), view.extent_int(3)});
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, view);
  std::copy(mirror.data(), mirror.data() + mirror.size(), to.value.begin());
  return to;
}

/// A workspace that is too large by nothing and starts full of a value that would show.
template <class Exec, class T>
Vector<T, Exec> workspace(const std::size_t size) {
  Vector<T, Exec> view("bcr::tests::workspace", size);
  Kokkos::deep_copy(view, T(1e30));
  return view;
}

/// The three convolutions on host tensors; `dst` holds what the output held before.
template <class Exec, class T>
reference::Tensor<T> forward(const ConvolutionCase& c, const reference::Tensor<T>& src,
                             const reference::Tensor<T>& weights, const reference::Tensor<T>& dst,
                             const kernels::ChainStart start, const std::vector<T>& bias = {}) {
  const auto device_weights = upload<Exec>(weights);
  const auto device_dst = upload<Exec>(dst);
  const auto device_bias = upload<Exec>([&] {
    reference::Tensor<T> tensor({1, 1, 1, static_cast<int>(bias.size())});
    tensor.value = bias;
    return tensor;
  }());
  const Vector<T, Exec> bias_vector(device_bias.data(), bias.size());
  kernels::convolution_forward<Exec, T>(Exec{}, c.window(), upload<Exec>(src), device_weights, bias_vector, device_dst,
                                        start,
                                        workspace<Exec, T>(kernels::forward_workspace_size<Exec, T>(device_weights)));
  Kokkos::fence("bcr::tests");
  return download<T, Exec>(device_dst);
}

template <class Exec, class T>
reference::Tensor<T> backward_data(const ConvolutionCase& c, const reference::Tensor<T>& diff_dst,
                                   const reference::Tensor<T>& weights, const reference::Tensor<T>& diff_src,
                                   const kernels::ChainStart start) {
  const auto device_weights = upload<Exec>(weights);
  const auto device_diff_src = upload<Exec>(diff_src);
  kernels::convolution_backward_data<Exec, T>(
      Exec{}, c.window(), upload<Exec>(diff_dst), device_weights, device_diff_src, start,
      workspace<Exec, T>(kernels::backward_data_workspace_size<Exec, T>(device_weights)));
  Kokkos::fence("bcr::tests");
  return download<T, Exec>(device_diff_src);
}

template <class Exec, class T>
reference::Tensor<T> backward_weights(const ConvolutionCase& c, const reference::Tensor<T>& src,
                                      const reference::Tensor<T>& diff_dst) {
  const auto diff_weights = upload<Exec>(reals<T>(c.weights(), 99));
  const auto device_diff_dst = upload<Exec>(diff_dst);
  kernels::convolution_backward_weights<Exec, T>(
      Exec{}, c.window(), upload<Exec>(src), device_diff_dst, diff_weights,
      workspace<Exec, T>(kernels::backward_weights_workspace_size<Exec, T>(device_diff_dst, diff_weights)));
  Kokkos::fence("bcr::tests");
  return download<T, Exec>(diff_weights);
}

/// Where two tensors differ first, as text; empty if all bits are equal.
template <class T>
std::string first_difference(const reference::Tensor<T>& received, const reference::Tensor<T>& expected) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  if (received.extent != expected.extent) return "different extents";
  for (std::size_t i = 0; i < received.value.size(); ++i)
    if (std::bit_cast<Bits>(received.value[i]) != std::bit_cast<Bits>(expected.value[i]))
      return "element " + std::to_string(i) + ": received " + std::to_string(received.value[i]) + ", expected " +
             std::to_string(expected.value[i]);
  return {};
}

}  // namespace bcr::test

#endif
