#ifndef BCR_KERNELS_FILM_FILM_HPP
#define BCR_KERNELS_FILM_FILM_HPP

#include "kernels/conv/window.hpp"
#include "kernels/norm/dropout_mask.hpp"
#include "src/core/random.hpp"
#include "src/core/views.hpp"

#include <cstdint>

namespace bcr::kernels {

// Feature-wise linear modulation (Perez et al. 2018) by a class, as C2AE has it (Oza and Patel, CVPR 2019): with the
// code l_k of class k, +1 at k and -1 at the other C - 1 places,
//   gamma_k = W_gamma l_k + b_gamma,   beta_k = W_beta l_k + b_beta,   z_k = gamma_k f + beta_k,
// for each of the S conditions k of a row f. All arithmetic in double, sums over classes ascending and over rows in the
// order of kernels/reduce/fixed_sum.hpp, results rounded to T once; the same bits everywhere. Asynchronous on exec;
// nothing is allocated.

/// Which conditions a row has.
struct ConditionChoice {
  int classes = 1;     ///< C
  int first = 0;       ///< where they are not drawn, condition s of a row is class first + s, modulo C
  bool drawn = false;  ///< of a row with a label y, 0 <= y < C: y first, then classes other than y, all alike likely, a
                       ///< function of these numbers and the row's number in the whole batch
  std::uint64_t seed = 0;
  Stream stream{""};
  std::uint32_t step = 0;
  ElementNumbers numbers{};  ///< of rows
};

/// conditions [N, S]. Rows beyond the labels have none.
template <class Exec>
void choose_conditions(const Exec& exec, const ConditionChoice& choice, ConstLabels<Exec> labels,
                       Matrix<std::int32_t, Exec> conditions);

/// Weights [n, C], biases [n].
template <class Exec, class T>
struct FilmParameters {
  Matrix<T, Exec> factor_weights;
  Vector<T, Exec> factor_bias;
  Matrix<T, Exec> shift_weights;
  Vector<T, Exec> shift_bias;
};

/// dst [N S, n] from src [N, n]: row i S + s is that of condition s of row i.
template <class Exec, class T>
void film_forward(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<std::int32_t, Exec> conditions,
                  const FilmParameters<Exec, T>& parameters, Matrix<T, Exec> dst);

/// Doubles of workspace for film_backward_parameters.
inline std::size_t film_sums(const std::size_t features, const std::size_t classes) {
  return 2 * features * classes;
}

/// The gradients of the parameters.
template <class Exec, class T>
void film_backward_parameters(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<std::int32_t, Exec> conditions,
                              ConstMatrix<T, Exec> diff_dst, Vector<double, Exec> sums,
                              const FilmParameters<Exec, T>& gradients);

/// The gradient of src: written, or added to what is there for ChainStart::dst.
template <class Exec, class T>
void film_backward_source(const Exec& exec, ConstMatrix<std::int32_t, Exec> conditions,
                          const FilmParameters<Exec, T>& parameters, ConstMatrix<T, Exec> diff_dst, ChainStart start,
                          Matrix<T, Exec> diff_src);

}  // namespace bcr::kernels

#endif
