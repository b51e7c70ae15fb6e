#ifndef BCR_KERNELS_CONV_WINOGRAD_HPP
#define BCR_KERNELS_CONV_WINOGRAD_HPP

#include "kernels/conv/epilogue.hpp"
#include "kernels/conv/window.hpp"
#include "src/core/views.hpp"

#include <cstddef>

namespace bcr::kernels {

/// The 3 x 3 convolution of stride 1 by the minimal filtering algorithm F(2 x 2, 3 x 3) (S. Winograd 1980; A. Lavin and
/// S. Gray, CVPR 2016): 16 products in place of 36 for four outputs. A named alternative to convolution_forward that
/// rounds differently, so whoever chooses must choose by the shape alone. For the 4 x 4 patch d of src at every second output, 0 outside,
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

}  // namespace bcr::kernels

#endif
