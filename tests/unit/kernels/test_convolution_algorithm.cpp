#include "kernels/conv/convolution_algorithm.hpp"

#include <gtest/gtest.h>

namespace bcr::test {
namespace {

using kernels::backward_data_algorithm;
using kernels::backward_weights_algorithm;
using kernels::ConvolutionShape;
using kernels::forward_algorithm;
using enum kernels::ConvolutionAlgorithm;

ConvolutionShape three_taps(const int size, const int inputs, const int outputs) {
  return {.window = {.stride = 1, .pad = 1},
          .taps = 3,
          .height = size,
          .width = size,
          .inputs = inputs,
          .outputs = outputs};
}

TEST(ConvolutionAlgorithm, OfTheWideLayersIsWinogradInAllDirections) {
  for (const auto& shape : {three_taps(32, 32, 32), three_taps(16, 64, 64), three_taps(8, 128, 128)}) {
    EXPECT_EQ(forward_algorithm(shape), winograd) << shape.inputs;
    EXPECT_EQ(backward_data_algorithm(shape), winograd) << shape.inputs;
    EXPECT_EQ(backward_weights_algorithm(shape), winograd) << shape.inputs;
  }
}

TEST(ConvolutionAlgorithm, NeedsChannelsInTheSum) {
  const auto widening = three_taps(32, 16, 32);
  const auto first = three_taps(32, 3, 16);

  EXPECT_EQ(forward_algorithm(widening), direct);
  EXPECT_EQ(backward_data_algorithm(widening), winograd);
  EXPECT_EQ(backward_weights_algorithm(widening), winograd);
  EXPECT_EQ(forward_algorithm(first), direct);
  EXPECT_EQ(backward_data_algorithm(first), direct);
  EXPECT_EQ(backward_weights_algorithm(first), direct);
}

TEST(ConvolutionAlgorithm, OfSmallAndOddImagesDependsOnWhatTheTilesSave) {
  EXPECT_EQ(forward_algorithm(three_taps(5, 64, 64)), direct);
  EXPECT_EQ(forward_algorithm(three_taps(6, 64, 64)), winograd);
  EXPECT_EQ(forward_algorithm(three_taps(7, 64, 64)), winograd);
  EXPECT_EQ(backward_weights_algorithm(three_taps(6, 64, 64)), winograd);
  EXPECT_EQ(backward_weights_algorithm(three_taps(7, 64, 64)), direct);
  EXPECT_EQ(backward_weights_algorithm(three_taps(9, 64, 64)), winograd);
  EXPECT_EQ(forward_algorithm(three_taps(0, 64, 64)), winograd);  // nothing to do is served by either
}

TEST(ConvolutionAlgorithm, IsDirectForOtherTapsAndStrides) {
  auto strided = three_taps(16, 64, 64);
  strided.window.stride = 2;
  auto shortcut = three_taps(16, 64, 64);
  shortcut.taps = 1;
  shortcut.window.pad = 0;

  EXPECT_EQ(forward_algorithm(strided), direct);
  EXPECT_EQ(backward_data_algorithm(strided), direct);
  EXPECT_EQ(backward_weights_algorithm(strided), direct);
  EXPECT_EQ(forward_algorithm(shortcut), direct);
  EXPECT_EQ(backward_weights_algorithm(shortcut), direct);
}

}  // namespace
}  // namespace bcr::test
