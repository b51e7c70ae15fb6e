#ifndef BCR_KERNELS_RNN_GRU_GRADIENTS_HPP
#define BCR_KERNELS_RNN_GRU_GRADIENTS_HPP

#include "kernels/conv/window.hpp"
#include "src/core/launch.hpp"
#include "src/core/views.hpp"

#include <cstddef>
#include <cstdint>

namespace bcr::kernels {

/// Gradients of the arguments of the gates, as gru_backward leaves them in the trace.
template <class Exec, class T>
struct GateGradients {
  ConstMatrix<T, Exec> reset_update;  ///< [N L, 2 H]
  ConstMatrix<T, Exec> third;         ///< [N L, H]: of the candidate for input weights, of q for recurrent ones
};

/// What a line of gradients meets: the line of its own step, or the one before, which is 0 before the first step.
enum class MetLine { same_step, step_before };

/// What the way back of a layer of gated recurrent units (gru.hpp) still has to sum up after gru_backward: the products
/// of kernels/linear with the same bits, but without the lines that have not begun, whose gradients are 0. Devices take
/// those of kernels/linear as they are. Asynchronous on exec, no allocation. tokens [N, L], H units; workspace: at
/// least workspace_size(N L, n, H) elements, contents undefined afterwards. Work of each: 6 H n flop for a line that
/// has begun.
template <class Exec, class T>
struct GruGradients {};

template <class Exec, class T>
  requires is_host_exec<Exec>
struct GruGradients<Exec, T> {
  /// diff_weights(c, d) = sum over the lines k of gradient(k, c) src(k or k - 1, d), in the order of
  /// linear_backward_weights. src [N L, n], diff_weights [3 H, n].
  static void weights(const Exec& exec, ConstMatrix<std::int32_t, Exec> tokens, const GateGradients<Exec, T>& gradients,
                      ConstMatrix<T, Exec> src, MetLine met, Matrix<T, Exec> diff_weights, Vector<T, Exec> workspace);

  /// diff_src(k, d) = chain of fma over c, ascending, of gradient(k, c) weights(c, d), from 0 or from what diff_src
  /// holds. weights [3 H, n], diff_src [N L, n].
  static void inputs(const Exec& exec, ConstMatrix<std::int32_t, Exec> tokens, const GateGradients<Exec, T>& gradients,
                     ConstMatrix<T, Exec> weights, ChainStart start, Matrix<T, Exec> diff_src,
                     Vector<T, Exec> workspace);

  static std::size_t workspace_size(std::size_t lines, std::size_t n, std::size_t H);
};

}  // namespace bcr::kernels

#endif
