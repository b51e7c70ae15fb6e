#ifndef BCR_KERNELS_RNN_GRU_HPP
#define BCR_KERNELS_RNN_GRU_HPP

#include "kernels/embedding/embedding.hpp"
#include "src/core/views.hpp"

#include <cstddef>
#include <cstdint>

namespace bcr::kernels {

/// One layer of gated recurrent units over N rows of L steps: E inputs, H units, the cell of gru_cell.hpp. Row i, step
/// t is line i L + t of a matrix. Where tokens(i, t) is no_token the row has not begun: its state is 0 and nothing
/// flows back; there may be none after a row's first step. Asynchronous on exec, no allocation. Every number is one
/// chain that is part of the definition, hence the same bits on every device, whoever shares the batch with a row.

/// Gates in the order reset, update, candidate, as PyTorch has them.
template <class Exec, class T>
struct GruWeights {
  ConstMatrix<T, Exec> input;           ///< [3 H, E]
  ConstMatrix<T, Exec> recurrent;       ///< [3 H, H]
  ConstVector<T, Exec> input_bias;      ///< [3 H]
  ConstVector<T, Exec> recurrent_bias;  ///< [3 H]
};

/// What a training pass keeps for the way back, or nothing for inference. Three matrices: then the gradients that the
/// input products need (both of the first) and those that the recurrent ones need (first and third) have no gaps.
template <class Exec, class T>
struct GruTrace {
  Matrix<T, Exec> reset_update;  ///< [N L, 2 H]: r, z
  Matrix<T, Exec> candidate;     ///< [N L, H]: n
  Matrix<T, Exec> recurrent;     ///< [N L, H]: q, the recurrent sum of the candidate
};

/// states(i L + t, j): what unit j of row i holds after step t; last(i, j): after the last step, L > 0. The chains of
/// fma, from left to right:
///   reset, update:  (input_bias + recurrent_bias) + inputs, ascending + states before, ascending
///   candidate:      input_bias + inputs, and q = recurrent_bias + states before
/// tokens [N, L]; src [N L, E]; states [N L, H] or empty; last [N, H] or empty, else nobody writes the lines of the
/// last step in `states`; trace as above or empty. workspace: at least gru_workspace_size(N, E, H) elements, contents
/// undefined afterwards. Work: 6 N L H (E + H) flop. Rows whose tokens so far are all `shared` must have the same lines
/// of src there: those that have as many steps behind them have the same state, and a host computes it for one of them.
template <class Exec, class T>
void gru_forward(const Exec& exec, ConstMatrix<std::int32_t, Exec> tokens, ConstMatrix<T, Exec> src,
                 const GruWeights<Exec, T>& weights, Matrix<T, Exec> states, Matrix<T, Exec> last,
                 const GruTrace<Exec, T>& trace, Vector<T, Exec> workspace, std::int32_t shared = no_token);

/// Back-propagation through time: turns the trace into the gradients of the arguments of the gates, and of q.
/// The gradient of the state of row i after step t is diff_last(i, j) after the last step, and before it a chain of fma
/// from diff z over the gradients of reset, update and q of step t + 1, ascending; to either diff_states(i L + t, j) is
/// added. diff_last [N, H] and diff_states [N L, H]: either may be empty, an empty one is 0. Work: 6 N L H^2 flop.
template <class Exec, class T>
void gru_backward(const Exec& exec, ConstMatrix<std::int32_t, Exec> tokens, ConstMatrix<T, Exec> recurrent_weights,
                  ConstMatrix<T, Exec> states, ConstMatrix<T, Exec> diff_last, ConstMatrix<T, Exec> diff_states,
                  const GruTrace<Exec, T>& trace, Vector<T, Exec> workspace);

/// Elements of workspace that any of these needs.
template <class Exec, class T>
std::size_t gru_workspace_size(std::size_t N, std::size_t E, std::size_t H);

/// dst(i L + t, j) = the state of row i before step t. Its lines beside those of the gradients of reset, update and q
/// are what the gradient of the recurrent weights sums up. states, dst [N L, H].
template <class Exec, class T>
void gru_states_before(const Exec& exec, std::size_t steps, ConstMatrix<T, Exec> states, Matrix<T, Exec> dst);

}  // namespace bcr::kernels

#endif
