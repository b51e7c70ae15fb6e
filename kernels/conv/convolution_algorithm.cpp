#include "kernels/conv/convolution_algorithm.hpp"

#include "kernels/conv/weights_sums.hpp"

#include <cstdint>

namespace bcr::kernels {
namespace {

/// Pairs of an output and a tap inside the image, along an axis.
std::int64_t pairs(const ConvolutionShape& shape, const int extent) {
  std::int64_t count = 0;
  for (int tap = 0; tap < shape.taps; ++tap)
    count += impl::outputs_of_tap(shape.window, tap, extent, shape.window.outputs(extent, shape.taps)).count;
  return count;
}

/// Products along an axis of the tiles of two outputs.
std::int64_t tile_products(const ConvolutionShape& shape, const int extent) {
  return 4 * ((shape.window.outputs(extent, shape.taps) + 1) / 2);
}

/// Winograd if its products are at most `most` of those of the direct algorithm and there are channels enough.
ConvolutionAlgorithm choose(const ConvolutionShape& shape, const int least_inputs, const int least_outputs,
                            const ProductFraction& most) {
  const bool served = shape.taps == 3 && shape.window.stride == 1;
  if (!served || shape.inputs < least_inputs || shape.outputs < least_outputs) return ConvolutionAlgorithm::direct;
  return winograd_saves(shape, most) ? ConvolutionAlgorithm::winograd : ConvolutionAlgorithm::direct;
}

}  // namespace

bool winograd_saves(const ConvolutionShape& shape, const ProductFraction& most) {
  const std::int64_t direct = pairs(shape, shape.height) * pairs(shape, shape.width);
  const std::int64_t winograd = tile_products(shape, shape.height) * tile_products(shape, shape.width);
  return winograd * most.denominator <= direct * most.numerator;
}

ConvolutionAlgorithm forward_algorithm(const ConvolutionShape& shape) {
  return choose(shape, 32, 16, {3, 4});
}

ConvolutionAlgorithm backward_data_algorithm(const ConvolutionShape& shape) {
  return choose(shape, 16, 32, {3, 4});
}

ConvolutionAlgorithm backward_weights_algorithm(const ConvolutionShape& shape) {
  return choose(shape, 16, 16, {2, 3});
}

}  // namespace bcr::kernels
