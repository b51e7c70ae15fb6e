#ifndef BCR_KERNELS_LINEAR_LINEAR_HPP
#define BCR_KERNELS_LINEAR_LINEAR_HPP

#include "kernels/conv/window.hpp"
#include "src/core/views.hpp"

#include <cstddef>

namespace bcr::kernels {

/// A fully connected layer. Shapes: src, diff_src [N, n]; weights, diff_weights [C, n]; bias, diff_bias [C];
/// dst, diff_dst [N, C]; any may be empty. The order of every sum is part of the definition, hence the same bits on
/// every device: these are convolutions with a window of one pixel over an image of N pixels. Asynchronous on exec, no
/// allocation; outputs must not overlap inputs. Work of each: 2 N C n flop.
/// workspace: at least linear_workspace_size(N, C, n) elements, contents undefined afterwards.

/// dst(i, c) = bias(c) + sum_d src(i, d) weights(c, d): one chain of fma from bias(c), ascending d. An empty bias is 0.
template <class Exec, class T>
void linear_forward(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> weights, ConstVector<T, Exec> bias,
                    Matrix<T, Exec> dst, Vector<T, Exec> workspace);

/// diff_src(i, d) = sum_c diff_dst(i, c) weights(c, d): one chain of fma, ascending c, from 0 or, for ChainStart::dst,
/// from what diff_src holds.
template <class Exec, class T>
void linear_backward_data(const Exec& exec, ConstMatrix<T, Exec> diff_dst, ConstMatrix<T, Exec> weights,
                          Matrix<T, Exec> diff_src, ChainStart start, Vector<T, Exec> workspace);

/// diff_weights(c, d) = sum_i diff_dst(i, c) src(i, d): a chain of fma, ascending i, for each 1024 consecutive i; the
/// chains are joined by the tree of neighbours, (0 + 1), (2 + 3), ...; what is left over moves up.
template <class Exec, class T>
void linear_backward_weights(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> diff_dst,
                             Matrix<T, Exec> diff_weights, Vector<T, Exec> workspace);

/// diff_bias(c) = sum_i diff_dst(i, c), in double: ascending i from +0 in chunks of 256, joined by the same tree, and
/// rounded to T once.
template <class Exec, class T>
void linear_backward_bias(const Exec& exec, ConstMatrix<T, Exec> diff_dst, Vector<T, Exec> diff_bias);

/// Elements of workspace that any of these needs for up to N rows.
template <class Exec, class T>
std::size_t linear_workspace_size(std::size_t N, std::size_t C, std::size_t n);

/// dst(i, d) = factor(i) src(i, d), rounded once.            src, dst [N, n], factor [N]; dst may be src.
template <class Exec, class T>
void scale_rows(const Exec& exec, ConstVector<T, Exec> factor, ConstMatrix<T, Exec> src, Matrix<T, Exec> dst);

/// dst(i, c) = row(c).            row [C], dst [N, C]
template <class Exec, class T>
void fill_rows(const Exec& exec, ConstVector<T, Exec> row, Matrix<T, Exec> dst);

}  // namespace bcr::kernels

#endif
