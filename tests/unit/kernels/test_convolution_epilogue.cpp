#include "kernels/conv/epilogue.hpp"
#include "kernels/conv/gather_device.hpp"
#include "kernels/conv/weights.hpp"
#include "kernels/conv/winograd_device.hpp"
#include "tests/reference/winograd.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/winograd_case.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bcr::test {
namespace {

using kernels::Activation;
using kernels::ChainStart;
using kernels::Epilogue;

/// One way to end a convolution.
struct Ending {
  bool adds;
  Activation activation;
};

constexpr Ending endings[] = {
    {false, Activation::relu}, {false, Activation::none}, {true, Activation::relu}, {true, Activation::none}};

/// A convolution from what dst holds, on random numbers, with everything that its epilogue reads.
template <class Exec, class T>
struct EndedCase {
  ConvolutionCase shape;
  Ending ending;
  reference::Tensor<T> host_src = reals<T>(shape.src(), 1);
  reference::Tensor<T> host_weights = reals<T>(shape.weights(), 2);
  reference::Tensor<T> host_start = reals<T>(shape.dst(), 3);
  reference::Tensor<T> host_scale = reals<T>({1, 1, 1, shape.outputs}, 4);
  reference::Tensor<T> host_shift = reals<T>({1, 1, 1, shape.outputs}, 5);
  reference::Tensor<T> host_addend = reals<T>(shape.dst(), 6);

  Tensor4<T, Exec> src = upload<Exec>(host_src);
  Tensor4<T, Exec> weights = upload<Exec>(host_weights);
  Tensor4<T, Exec> dst = upload<Exec>(host_start);
  Tensor4<T, Exec> scale = upload<Exec>(host_scale);
  Tensor4<T, Exec> shift = upload<Exec>(host_shift);
  Tensor4<T, Exec> addend = upload<Exec>(host_addend);

  Epilogue<Exec, T> epilogue() const {
    return {.scale = Vector<T, Exec>(scale.data(), scale.size()),
            .shift = Vector<T, Exec>(shift.data(), shift.size()),
            .addend = ending.adds ? addend : Tensor4<T, Exec>(),
            .activation = ending.activation};
  }

  /// The documented formula on the sums of the convolution.
  reference::Tensor<T> ended(const reference::Tensor<T>& sums) const {
    reference::Tensor<T> expected = sums;
    for (std::size_t i = 0; i < sums.value.size(); ++i) {
      const std::size_t c = i % static_cast<std::size_t>(shape.outputs);
      T y = std::fma(host_scale.value[c], sums.value[i], host_shift.value[c]);
      if (ending.adds) y = y + host_addend.value[i];
      expected.value[i] = ending.activation == Activation::relu && y <= 0 ? T(0) : y;
    }
    return expected;
  }

  void expect(const reference::Tensor<T>& sums) const {
    Kokkos::fence("bcr::tests");
    EXPECT_EQ(first_difference(download<T, Exec>(dst), ended(sums)), "") << shape;
  }
};

template <class Exec>
class ConvolutionEpilogue : public ::testing::Test {};
TYPED_TEST_SUITE(ConvolutionEpilogue, ExecSpaces);

template <class Exec, class T>
void expect_direct_bits() {
  for (const auto& shape : convolution_cases())
    for (const auto& ending : endings) {
      const EndedCase<Exec, T> c{shape, ending};
      kernels::convolution_forward<Exec, T>(Exec{}, shape.window(), c.src, c.weights, {}, c.dst, ChainStart::dst,
                                            workspace<Exec, T>(kernels::forward_workspace_size<Exec, T>(c.weights)),
                                            c.epilogue());
      c.expect(reference::forward_chain(c.host_src, c.host_weights, c.host_start, shape.stride, shape.pad));
    }
}

TYPED_TEST(ConvolutionEpilogue, OfTheDirectAlgorithmHasTheBitsOfTheFormula) {
  expect_direct_bits<TypeParam, float>();
  expect_direct_bits<TypeParam, double>();
}

template <class Exec, class T>
void expect_winograd_bits() {
  for (const auto& shape : winograd_cases())
    for (const auto& ending : endings) {
      const EndedCase<Exec, T> c{shape, ending};
      kernels::winograd_forward<Exec, T>(
          Exec{}, shape.pad, c.src, c.weights, {}, c.dst, ChainStart::dst,
          workspace<Exec, T>(kernels::winograd_forward_workspace_size<Exec, T>(c.weights)), c.epilogue());
      c.expect(reference::winograd_chain(c.host_src, c.host_weights, c.host_start, shape.pad));
    }
}

TYPED_TEST(ConvolutionEpilogue, OfWinogradHasTheBitsOfTheFormula) {
  expect_winograd_bits<TypeParam, float>();
  expect_winograd_bits<TypeParam, double>();
}

TYPED_TEST(ConvolutionEpilogue, RefusesWhatDoesNotFit) {
  using Exec = TypeParam;
  const EndedCase<Exec, float> c{{2, 6, 6, 3, 5, 3, 1, 1}, endings[2]};
  const auto space = workspace<Exec, float>(kernels::winograd_forward_workspace_size<Exec, float>(c.weights));
  auto narrow = c.epilogue();
  narrow.shift = Vector<float, Exec>("bcr::tests::shift", 4);
  auto small = c.epilogue();
  small.addend = Tensor4<float, Exec>("bcr::tests::addend", 2, 6, 6, 4);

  for (const auto& wrong : {narrow, small}) {
    EXPECT_THROW((kernels::convolution_forward<Exec, float>(Exec{}, {1, 1}, c.src, c.weights, {}, c.dst,
                                                            ChainStart::zero, space, wrong)),
                 ShapeError);
    EXPECT_THROW((kernels::winograd_forward<Exec, float>(Exec{}, 1, c.src, c.weights, {}, c.dst, ChainStart::zero,
                                                         space, wrong)),
                 ShapeError);
  }
}

/// The tiles of GPUs with one thread per team.
TEST(ConvolutionEpilogueTiles, OfDevicesHaveTheBitsOfTheFormula) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  namespace impl = kernels::impl;
  for (const auto& shape : winograd_cases())
    for (const auto& ending : endings) {
      if (shape.images == 0 || shape.outputs == 0) continue;
      const EndedCase<Exec, float> direct{shape, ending};
      const auto packed = workspace<Exec, float>(kernels::forward_workspace_size<Exec, float>(direct.weights));
      impl::pack_weights<impl::LaneChannels::output, Exec, float>(Exec{}, direct.weights, packed);
      const impl::Gather<Exec, float> gather{.rows = impl::forward_segments(shape.window(), shape.height, 3),
                                             .columns = impl::forward_segments(shape.window(), shape.width, 3),
                                             .src = direct.src,
                                             .packed = packed,
                                             .bias = {},
                                             .dst = direct.dst,
                                             .kh = 3,
                                             .kw = 3,
                                             .start = ChainStart::dst,
                                             .epilogue = direct.epilogue()};
      impl::gather_on_device<1>(Exec{}, "bcr::tests::gather", gather);
      direct.expect(reference::forward_chain(direct.host_src, direct.host_weights, direct.host_start, 1, shape.pad));

      const EndedCase<Exec, float> c{shape, ending};
      const auto space = workspace<Exec, float>(kernels::winograd_forward_workspace_size<Exec, float>(c.weights));
      kernels::winograd_forward<Exec, float>(Exec{}, shape.pad, c.src, c.weights, {}, upload<Exec>(c.host_start),
                                             ChainStart::zero, space);  // leaves the transformed kernels in space
      const impl::Winograd<Exec, float> problem{.pad = shape.pad,
                                                .src = c.src,
                                                .kernels = space,
                                                .bias = {},
                                                .dst = c.dst,
                                                .start = ChainStart::dst,
                                                .epilogue = c.epilogue()};
      impl::WinogradOnDevice<Exec, float, 1>(problem).launch(Exec{}, "bcr::tests::winograd");
      c.expect(reference::winograd_chain(c.host_src, c.host_weights, c.host_start, shape.pad));
    }
}

TYPED_TEST(ConvolutionEpilogue, FoldedIntoTheWeightsIsExactOnIntegers) {
  using Exec = TypeParam;
  const auto weights = integers<float>({3, 3, 5, 7}, 1);
  const auto bias = integers<float>({1, 1, 1, 7}, 2);
  const auto scale = integers<float>({1, 1, 1, 7}, 3);
  const auto shift = integers<float>({1, 1, 1, 7}, 4);
  const auto vector = [](const Tensor4<float, Exec>& from) { return Vector<float, Exec>(from.data(), from.size()); };
  const auto device_bias = upload<Exec>(bias), device_scale = upload<Exec>(scale), device_shift = upload<Exec>(shift);
  for (const bool has_bias : {true, false}) {
    const Tensor4<float, Exec> folded("bcr::tests::folded", 3, 3, 5, 7);
    const Tensor4<float, Exec> folded_bias("bcr::tests::folded_bias", 1, 1, 1, 7);

    kernels::fold_scale<Exec, float>(Exec{}, upload<Exec>(weights),
                                     has_bias ? vector(device_bias) : Vector<float, Exec>(), vector(device_scale),
                                     vector(device_shift), folded, vector(folded_bias));
    Kokkos::fence("bcr::tests");

    auto expected = weights;
    for (std::size_t i = 0; i < expected.value.size(); ++i) expected.value[i] *= scale.value[i % 7];
    auto expected_bias = shift;
    for (std::size_t c = 0; c < 7 && has_bias; ++c) expected_bias.value[c] += scale.value[c] * bias.value[c];
    EXPECT_EQ((download<float, Exec>(folded).value), expected.value);
    EXPECT_EQ((download<float, Exec>(folded_bias).value), expected_bias.value);
  }
}

}  // namespace
}  // namespace bcr::test
