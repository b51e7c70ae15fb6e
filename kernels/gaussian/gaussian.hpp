#ifndef BCR_KERNELS_GAUSSIAN_GAUSSIAN_HPP
#define BCR_KERNELS_GAUSSIAN_GAUSSIAN_HPP

#include "kernels/conv/window.hpp"
#include "kernels/gaussian/gaussian_element.hpp"
#include "src/core/views.hpp"

namespace bcr::kernels {

// Gaussians of d independent coordinates, one per row: [N, 2 d], the means, then the numbers that their variances are
// made from (gaussian_element.hpp). All arithmetic in double, results rounded to T once; the same bits everywhere.
// Element j of row i is number i d + j of the noise. All are asynchronous on exec and allocate nothing.

/// dst = mean + sqrt(variance) noise, [N, d]; the mean where noise is not drawn.
template <class Exec, class T>
void gaussian_sample(const Exec& exec, ConstMatrix<T, Exec> src, const GaussianNoise& noise, Matrix<T, Exec> dst);

/// The gradient of the same by src, from diff_dst [N, d]; written, or added to what is there for ChainStart::dst.
template <class Exec, class T>
void gaussian_sample_backward(const Exec& exec, ConstMatrix<T, Exec> src, const GaussianNoise& noise,
                              ConstMatrix<T, Exec> diff_dst, ChainStart start, Matrix<T, Exec> diff_src);

/// A sample of the JoinedGaussian of up and down, dst [N, d], and the sum over its coordinates of the divergence from
/// down, divergence [N], in the order of kernels/reduce/fixed_sum.hpp.
template <class Exec, class T>
void gaussian_join(const Exec& exec, ConstMatrix<T, Exec> up, ConstMatrix<T, Exec> down, const GaussianNoise& noise,
                   Matrix<T, Exec> dst, Vector<T, Exec> divergence);

/// The gradient of an argument of gaussian_join, and whether it is added to what is there.
template <class Exec, class T>
struct GaussianGradient {
  ChainStart start = ChainStart::zero;
  Matrix<T, Exec> diff;
};

template <class Exec, class T>
void gaussian_join_backward(const Exec& exec, ConstMatrix<T, Exec> up, ConstMatrix<T, Exec> down,
                            const GaussianNoise& noise, ConstMatrix<T, Exec> diff_dst,
                            ConstVector<T, Exec> diff_divergence, const GaussianGradient<Exec, T>& diff_up,
                            const GaussianGradient<Exec, T>& diff_down);

}  // namespace bcr::kernels

#endif
