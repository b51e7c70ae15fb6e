#ifndef BCR_KERNELS_EMBEDDING_TOKEN_ORDER_HPP
#define BCR_KERNELS_EMBEDDING_TOKEN_ORDER_HPP

#include "src/core/views.hpp"

#include <cstdint>

namespace bcr::kernels::impl {

/// order [N L]: the positions i L + t of tokens [N, L] sorted by token, equal ones ascending; no_token comes last.
/// Tokens are below `vocabulary`. spare [N L]. Asynchronous on exec, no allocation.
template <class Exec>
void token_order(const Exec& exec, ConstMatrix<std::int32_t, Exec> tokens, int vocabulary,
                 Vector<std::int32_t, Exec> order, Vector<std::int32_t, Exec> spare);

}  // namespace bcr::kernels::impl

#endif
