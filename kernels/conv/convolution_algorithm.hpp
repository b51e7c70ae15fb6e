#ifndef BCR_KERNELS_CONV_CONVOLUTION_ALGORITHM_HPP
#define BCR_KERNELS_CONV_CONVOLUTION_ALGORITHM_HPP

#include "kernels/conv/window.hpp"

namespace bcr::kernels {

enum class ConvolutionAlgorithm {
  direct,   ///< convolution_forward, convolution_backward_data, convolution_backward_weights
  winograd  ///< winograd_forward, winograd_backward_data, winograd_backward_weights
};

/// The shape of a layer, images aside: taps x taps weights on images of height x width.
struct ConvolutionShape {
  ConvolutionWindow window;
  int taps;
  int height;
  int width;
  int inputs;   ///< channels
  int outputs;  ///< channels
};

/// Of the products of the direct algorithm.
struct ProductFraction {
  int numerator;
  int denominator;
};

/// Whether Winograd's tiles make at most that many.
bool winograd_saves(const ConvolutionShape& shape, const ProductFraction& most);

/// Which algorithm a layer uses in strict mode. The two round differently, so the answer is part of the definition of a
/// trained network: a function of the shape alone, the same on every machine and for every number of images.
///
/// Winograd serves 3 x 3 taps of stride 1. Measured on a Zen 3 core it is faster from 32 channels in the sum (forward:
/// inputs, backward data: outputs) and 16 in the result; for the weights, whose sum runs over pixels, from 16 and 16.
/// An image must save enough: of the products that the direct algorithm makes (it skips the padding) at least a
/// quarter, for the weights a third. That holds from 4 x 4 on, but not at 5 x 5, for the weights neither at 7 x 7,
/// where tiles overhang.
ConvolutionAlgorithm forward_algorithm(const ConvolutionShape& shape);
ConvolutionAlgorithm backward_data_algorithm(const ConvolutionShape& shape);
ConvolutionAlgorithm backward_weights_algorithm(const ConvolutionShape& shape);

}  // namespace bcr::kernels

#endif
