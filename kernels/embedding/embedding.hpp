#ifndef BCR_KERNELS_EMBEDDING_EMBEDDING_HPP
#define BCR_KERNELS_EMBEDDING_EMBEDDING_HPP

#include "src/core/views.hpp"

#include <cstddef>
#include <cstdint>

namespace bcr::kernels {

/// Stands where a row of a batch has not begun: its sequence is shorter than that of others.
inline constexpr std::int32_t no_token = -1;

/// A table of V vectors of E numbers, one per token. tokens [N, L]: 0 to V - 1, or no_token; table, diff_table [V, E];
/// dst, diff_dst [N L, E]. Asynchronous on exec, no allocation.

/// dst(i L + t, e) = table(tokens(i, t), e), and 0 for no_token. Traffic: 2 N L E sizeof(T).
template <class Exec, class T>
void embedding_forward(const Exec& exec, ConstMatrix<std::int32_t, Exec> tokens, ConstMatrix<T, Exec> table,
                       Matrix<T, Exec> dst);

/// diff_table(v, e) = sum of diff_dst(i L + t, e) over all tokens(i, t) = v, in double, ascending i L + t from +0, and
/// rounded to T once; 0 for v = padding, the token whose vector is not trained (no_token: there is none).
/// workspace: at least embedding_workspace_size(N L) elements, contents undefined afterwards.
template <class Exec, class T>
void embedding_backward(const Exec& exec, ConstMatrix<std::int32_t, Exec> tokens, ConstMatrix<T, Exec> diff_dst,
                        std::int32_t padding, Matrix<T, Exec> diff_table, Vector<std::int32_t, Exec> workspace);

std::size_t embedding_workspace_size(std::size_t positions);

}  // namespace bcr::kernels

#endif
