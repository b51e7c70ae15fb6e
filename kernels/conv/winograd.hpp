#ifndef BCR_KERNELS_CONV_WINOGRAD_HPP
#define BCR_KERNELS_CONV_WINOGRAD_HPP

#include "kernels/conv/epilogue.hpp"
#include "kernels/conv/window.hpp"
#include "src/core/views.hpp"

#include <cstddef>

namespace bcr::kernels {

/// The 3 x 3 convolution of stride 1 by the minimal filtering algorithm F(2 x 2, 3 x 3) (S. Winograd 1980; A. Lavin and
/// S. Gray, CVPR 2016): 16 products in place of 36 for four outputs. A named alternative to convolution_forward that
/// rounds differently, so whoever chooses must choose by the shape alone. For the 4 x 4 patch d of src at every second
/// output, 0 outside,
///
///   V = B^T d B, U = G g G^T, M = chain of fma over ic of V U (from 0), dst = A^T M A (+ start)
///
///   B^T d: d0 - d2, d1 + d2, d2 - d1, d1 - d3     G g: g0, ((g0 + g2) + g1) / 2, ((g0 + g2) - g1) / 2, g2
///   A^T m: (m0 + m1) + m2, (m1 - m2) - m3         rows first, then columns
///
/// with start 0, bias(oc) or dst added last: a fixed order, hence the same bits on every device. The epilogue follows.
/// src [N, H, W, IC], weights [3, 3, IC, OC], dst [N, OH, OW, OC]; pad 0 to 2. Asynchronous on exec; dst must not
/// overlap an input. workspace: winograd_forward_workspace_size(weights) elements or more. Error: the largest is below
/// that of convolution_forward on random data, because the chains are shorter (tests/numerics).
template <class Exec, class T>
void winograd_forward(const Exec& exec, int pad, ConstTensor4<T, Exec> src, ConstTensor4<T, Exec> weights,
                      ConstVector<T, Exec> bias, Tensor4<T, Exec> dst, ChainStart start, Vector<T, Exec> workspace,
                      const Epilogue<Exec, T>& epilogue = {});

/// The gradient of src for the same window: the algorithm above on diff_dst with the kernel turned round and pad 2 -
/// pad. start: zero or dst.
template <class Exec, class T>
void winograd_backward_data(const Exec& exec, int pad, ConstTensor4<T, Exec> diff_dst, ConstTensor4<T, Exec> weights,
                            Tensor4<T, Exec> diff_src, ChainStart start, Vector<T, Exec> workspace);

/// Elements of workspace: the transformed weights.
template <class Exec, class T>
std::size_t winograd_forward_workspace_size(ConstTensor4<T, Exec> weights);
template <class Exec, class T>
std::size_t winograd_backward_data_workspace_size(ConstTensor4<T, Exec> weights);

/// The gradient of the weights of a 3 x 3 convolution of stride 1 by the transpose of the minimal filtering algorithm
/// F(2 x 2, 3 x 3) (winograd.hpp): 16 products in place of 36. A named alternative to convolution_backward_weights
/// that rounds differently, so whoever chooses must choose by the shape alone. For the 4 x 4 patch d of src at every
/// tile y of 2 x 2 elements of diff_dst, both 0 outside,
///
///   V = B^T d B, Z = A y A^T, M(ic, oc) = sum of V(ic) Z(oc) over the tiles, diff_weights = G^T M G
///
///   B^T d: d0 - d2, d1 + d2, d2 - d1, d1 - d3     A y: y0, y0 + y1, y0 - y1, y1 (its sign is taken up by G^T)
///   G^T m: fma(1/2, m1 + m2, m0), (m1 - m2) / 2, fma(1/2, m1 + m2, -m3)         rows first, then columns
///
/// The images are cut into chunks of winograd_backward_weights_chunk(OH, OW) images; in a chunk the 16 sums of a pair
/// of channels are chains of fma from 0 over images, rows and columns of tiles, and the chunks are joined pairwise as
/// in convolution_backward_weights. The order is a property of the shapes alone, hence the same bits on every device.
/// src [N, H, W, IC], diff_dst [N, OH, OW, OC], diff_weights [3, 3, IC, OC]; pad 0 to 2; every extent may be 0 (N = 0
/// gives 0). workspace: winograd_backward_weights_workspace_size(...) elements or more. Asynchronous on exec.
/// Error: the largest is below 3 times that of convolution_backward_weights on random data (tests/numerics).
template <class Exec, class T>
void winograd_backward_weights(const Exec& exec, int pad, ConstTensor4<T, Exec> src, ConstTensor4<T, Exec> diff_dst,
                               Tensor4<T, Exec> diff_weights, Vector<T, Exec> workspace);

/// Images of a chunk: the fewest that have 512 tiles. The number is part of the definition of the result.
int winograd_backward_weights_chunk(int output_height, int output_width);

/// Elements of workspace: the sums of all chunks, for as many output channels at a time as fit 64 MB of float.
template <class Exec, class T>
std::size_t winograd_backward_weights_workspace_size(ConstTensor4<T, Exec> diff_dst,
                                                     ConstTensor4<T, Exec> diff_weights);

}  // namespace bcr::kernels

#endif
