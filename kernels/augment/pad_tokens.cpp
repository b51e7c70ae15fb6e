#include "kernels/augment/pad_tokens.hpp"

#include "kernels/embedding/embedding.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <string>

namespace bcr::kernels {
namespace {

/// One team per document.
template <class Exec>
struct PadTokens {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  ConstVector<std::int32_t, Exec> src;
  ConstVector<std::uint64_t, Exec> offsets;
  ConstLabels<Exec> labels;
  BatchOrder order;
  std::uint64_t first;
  TokenPadding padding;
  Matrix<std::int32_t, Exec> dst;
  Labels<Exec> dst_labels;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int i = team.league_rank();
    std::uint32_t row = 0;
    Kokkos::single(
        Kokkos::PerTeam(team), [&](std::uint32_t& drawn) { drawn = order(first + i).row; }, row);
    if (dst_labels.extent(0) > 0) Kokkos::single(Kokkos::PerTeam(team), [&] { dst_labels(i) = labels(row); });
    const std::uint64_t begin = offsets(row);
    const int length = static_cast<int>(Kokkos::min(offsets(row + 1) - begin, std::uint64_t(padding.most)));
    const int steps = dst.extent_int(1);
    const int row_begin = steps - Kokkos::max(length, padding.width);
    const int document_begin = steps - length;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, steps), [&](const int t) {
      const std::int32_t before = t < row_begin ? no_token : padding.token;
      dst(i, t) = t < document_begin ? before : src(begin + static_cast<std::uint64_t>(t - document_begin));
    });
  }
};

}  // namespace

template <class Exec>
void pad_tokens(const Exec& exec, ConstVector<std::int32_t, Exec> src, ConstVector<std::uint64_t, Exec> offsets,
                ConstLabels<Exec> labels, const BatchOrder& order, const std::uint64_t first,
                const TokenPadding& padding, Matrix<std::int32_t, Exec> dst,
                std::type_identity_t<Labels<Exec>> dst_labels) {
  const std::size_t rows = dst.extent(0);
  if (rows == 0) return;
  require_shape("pad_tokens", "offsets", offsets, {std::size_t{order.size} + 1});
  const bool fits = padding.most >= 0 && padding.width >= 0 && padding.most <= dst.extent_int(1) &&
                    padding.width <= dst.extent_int(1);
  require<ShapeError>(fits, "pad_tokens", "at most " + std::to_string(dst.extent(1)) + " tokens and steps of a row",
                      std::to_string(padding.most) + " and " + std::to_string(padding.width));
  if (dst_labels.extent(0) > 0) {
    require_shape("pad_tokens", "dst_labels", dst_labels, {rows});
    require_shape("pad_tokens", "labels", labels, {std::size_t{order.size}});
  }
  Kokkos::parallel_for("bcr::kernels::pad_tokens", block_policy(exec, static_cast<int>(rows)),
                       PadTokens<Exec>{src, offsets, labels, order, first, padding, dst, dst_labels});
}

#define BCR_INSTANCE(Exec)                                                                                       \
  template void pad_tokens<Exec>(const Exec&, ConstVector<std::int32_t, Exec>, ConstVector<std::uint64_t, Exec>, \
                                 ConstLabels<Exec>, const BatchOrder&, std::uint64_t, const TokenPadding&,       \
                                 Matrix<std::int32_t, Exec>, std::type_identity_t<Labels<Exec>>);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
