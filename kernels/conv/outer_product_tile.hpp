#ifndef BCR_KERNELS_CONV_OUTER_PRODUCT_TILE_HPP
#define BCR_KERNELS_CONV_OUTER_PRODUCT_TILE_HPP

#include <Kokkos_Core.hpp>

namespace bcr::kernels::impl {

/// A square of tile x tile sums that the ThreadsPerSide^2 threads of a team keep in registers: thread (r, c) has the
/// rows r, r + ThreadsPerSide, ... of the columns c, c + ThreadsPerSide, ... ThreadsPerSide 1 runs on a host, for
/// tests.
template <class T, int tile, int ThreadsPerSide>
class OuterProductTile {
  static constexpr int side = tile / ThreadsPerSide;

 public:
  template <class Member>
  KOKKOS_FUNCTION explicit OuterProductTile(const Member& team)
      : row_(team.team_rank() / ThreadsPerSide), column_(team.team_rank() % ThreadsPerSide) {}

  /// sum(r, c) = fma(rows(k, r), columns(k, c), sum(r, c)) for k = 0, ..., count - 1 in turn.
  template <class Slice>
  KOKKOS_FUNCTION void add(const Slice& rows, const Slice& columns, const int count) {
    for (int k = 0; k < count; ++k)
      for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j)
          sum_[i][j] =
              Kokkos::fma(rows(k, row_ + i * ThreadsPerSide), columns(k, column_ + j * ThreadsPerSide), sum_[i][j]);
  }

  /// Calls visit(row, column, sum) for the sums of this thread that lie in the first `rows` rows, `columns` columns.
  template <class Visit>
  KOKKOS_FUNCTION void for_each(const int rows, const int columns, const Visit& visit) {
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) {
        const int r = row_ + i * ThreadsPerSide;
        const int c = column_ + j * ThreadsPerSide;
        if (r < rows && c < columns) visit(r, c, sum_[i][j]);
      }
  }

 private:
  int row_;
  int column_;
  T sum_[side][side] = {};
};

}  // namespace bcr::kernels::impl

#endif
