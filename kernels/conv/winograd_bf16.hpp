#ifndef BCR_KERNELS_CONV_WINOGRAD_BF16_HPP
#define BCR_KERNELS_CONV_WINOGRAD_BF16_HPP

#include "kernels/conv/bf16_pairs.hpp"
#include "kernels/conv/convolution_algorithm.hpp"
#include "kernels/conv/epilogue.hpp"
#include "kernels/conv/window.hpp"
#include "src/core/views.hpp"

#include <cstddef>

namespace bcr::kernels {

// The algorithms of winograd.hpp for fast mode, with factors of bf16: images, gradients and weights are transformed in
// float, rounded to bf16 (nearest, ties to even; subnormal numbers count as 0), and multiplied in pairs: of input
// channels (forward), of output channels (gradient of src), of neighbouring tiles (gradient of the weights). Sums are
// float, in an order that is a property of the shapes, and so is all that follows them. Arguments and workspaces are
// those of winograd.hpp; channels are multiples of 16.
//
// Error: that of a product of rounded factors, 2^-8 of the sum of magnitudes of the products in the transformed space,
// plus that of winograd.hpp. Which bits a pair's two products add up to is the processor's affair: not for strict mode.

/// Whether a layer can be computed so.
bool winograd_serves_bf16(const ConvolutionShape& shape);
/// Whether that is quicker than direct products, of float or of bf16: an image must save at least a quarter of the
/// products, which holds from 4 x 4 on, but not at 5 x 5, where tiles overhang.
bool winograd_bf16_pays(const ConvolutionShape& shape);

/// Host spaces only.
template <class Exec>
void winograd_bf16_forward(const Exec& exec, int pad, ConstTensor4<float, Exec> src, ConstTensor4<float, Exec> weights,
                           ConstVector<float, Exec> bias, Tensor4<float, Exec> dst, ChainStart start,
                           Vector<float, Exec> workspace, const Epilogue<Exec, float>& epilogue = {});
template <class Exec>
void winograd_bf16_backward_data(const Exec& exec, int pad, ConstTensor4<float, Exec> diff_dst,
                                 ConstTensor4<float, Exec> weights, Tensor4<float, Exec> diff_src, ChainStart start,
                                 Vector<float, Exec> workspace);
template <class Exec>
void winograd_bf16_backward_weights(const Exec& exec, int pad, ConstTensor4<float, Exec> src,
                                    ConstTensor4<float, Exec> diff_dst, Tensor4<float, Exec> diff_weights,
                                    Vector<float, Exec> workspace);

}  // namespace bcr::kernels

#endif
