#ifndef BCR_KERNELS_AUGMENT_PAD_TOKENS_HPP
#define BCR_KERNELS_AUGMENT_PAD_TOKENS_HPP

#include "kernels/augment/batch_order.hpp"
#include "src/core/views.hpp"

namespace bcr::kernels {

/// How documents of different lengths become rows of a batch.
struct TokenPadding {
  std::int32_t token = 1;  ///< what a short document begins with
  int most = 0;            ///< tokens of a document that are used, its first ones
  int width = 0;           ///< steps of a row, filled up in front if the document has fewer tokens
};

/// With r = order(first + i).row, a document of the tokens src(offsets(r)), ..., l = min(its length, most) of which are
/// used, and w = max(l, width), row i of L steps is
///   dst(i, t) = no_token for t < L - w (the row has not begun), padding.token for t < L - l, then the document
///   dst_labels(i) = labels(r)
/// src [T]; offsets [order.size + 1], from 0 to T; dst [B, L] with most, width <= L; labels [order.size] and dst_labels
/// [B], or both empty. Asynchronous on exec, no allocation. Traffic: 8 B L.
template <class Exec>
void pad_tokens(const Exec& exec, ConstVector<std::int32_t, Exec> src, ConstVector<std::uint64_t, Exec> offsets,
                ConstLabels<Exec> labels, const BatchOrder& order, std::uint64_t first, const TokenPadding& padding,
                Matrix<std::int32_t, Exec> dst, std::type_identity_t<Labels<Exec>> dst_labels);

}  // namespace bcr::kernels

#endif
