#ifndef BCR_KERNELS_CONV_PRODUCT_TILE_HPP
#define BCR_KERNELS_CONV_PRODUCT_TILE_HPP

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace bcr::kernels::impl {

/// 16 bytes, which a device moves at once, with the interface of Lane. Addresses are multiples of 16 bytes.
template <class T>
struct alignas(16) Quad {
  static constexpr int width = static_cast<int>(16 / sizeof(T));
  T value[width] = {};

  static KOKKOS_FORCEINLINE_FUNCTION Quad load(const T* const from) { return *reinterpret_cast<const Quad*>(from); }
  KOKKOS_FORCEINLINE_FUNCTION void store(T* const to) const { *reinterpret_cast<Quad*>(to) = *this; }

  friend KOKKOS_FORCEINLINE_FUNCTION Quad operator+(Quad a, const Quad& b) {
    for (int i = 0; i < width; ++i) a.value[i] = a.value[i] + b.value[i];
    return a;
  }
  friend KOKKOS_FORCEINLINE_FUNCTION Quad operator-(Quad a, const Quad& b) {
    for (int i = 0; i < width; ++i) a.value[i] = a.value[i] - b.value[i];
    return a;
  }
};

/// Scratch memory of a team that begins at a Quad. Its policy asks for scratch_size of all of them.
template <class T, class Member>
KOKKOS_FORCEINLINE_FUNCTION T* quad_scratch(const Member& team, const int count) {
  return static_cast<T*>(team.team_scratch(0).get_shmem_aligned(sizeof(T) * count, 16));
}
template <class T>
constexpr std::size_t scratch_size(const int count) {
  return sizeof(T) * count + 16;
}

/// The products of `Matrices` pairs of matrices, Rows x K times K x Columns, as the threads of a team keep them in
/// registers: each has Side x Side neighbouring sums of one product. K passes through scratch memory, an operand as
/// [k][matrix][row or column], its k `step` elements apart (a multiple of a Quad).
///
/// Sixteen bytes at a time, Side = 8 reads 4 of them for 64 fma. Neighbouring threads have neighbouring columns, then
/// rows, then matrices: those that are served together meet no bank twice. Threads = 1 runs on a host, for tests.
template <class T, int Matrices, int Rows, int Columns, int Threads, int Side = 8>
class ProductTile {
  static constexpr bool alone = Threads == 1;
  static constexpr int own_matrices = alone ? Matrices : 1;
  static constexpr int own_rows = alone ? Rows : Side;
  static constexpr int own_columns = alone ? Columns : Side;
  static constexpr int column_threads = Columns / own_columns;
  static constexpr int row_threads = Rows / own_rows;
  static constexpr int quad = Quad<T>::width;
  static_assert(alone || Threads == Matrices * row_threads * column_threads);

 public:
  template <class Member>
  KOKKOS_FUNCTION explicit ProductTile(const Member& team)
      : matrix_(team.team_rank() / (row_threads * column_threads)),
        row_(team.team_rank() / column_threads % row_threads * own_rows),
        column_(team.team_rank() % column_threads * own_columns) {}

  /// sum(m, r, c) = fma(rows[k][m][r], columns[k][m][c], sum(m, r, c)) for k = 0, ..., count - 1 in turn.
  KOKKOS_FUNCTION void add(const T* rows, const int row_step, const T* columns, const int column_step, const int count) {
    rows += matrix_ * Rows + row_;
    columns += matrix_ * Columns + column_;
    for (int k = 0; k < count; ++k) {
      for (int m = 0; m < own_matrices; ++m) {
        Quad<T> a[own_rows / quad];
        Quad<T> b[own_columns / quad];
        for (int i = 0; i < own_rows / quad; ++i) a[i] = Quad<T>::load(rows + m * Rows + i * quad);
        for (int j = 0; j < own_columns / quad; ++j) b[j] = Quad<T>::load(columns + m * Columns + j * quad);
        for (int i = 0; i < own_rows; ++i)
          for (int j = 0; j < own_columns; ++j)
            sum_[m][i][j] =
                Kokkos::fma(a[i / quad].value[i % quad], b[j / quad].value[j % quad], sum_[m][i][j]);
      }
      rows += row_step;
      columns += column_step;
    }
  }

  /// Calls visit(matrix, row, column, quad) for the sums of this thread, a Quad of neighbouring columns at a time.
  template <class Visit>
  KOKKOS_FUNCTION void for_each_quad(const Visit& visit) {
    for (int m = 0; m < own_matrices; ++m)
      for (int i = 0; i < own_rows; ++i)
        for (int j = 0; j < own_columns / quad; ++j) {
          Quad<T> sums;
          for (int k = 0; k < quad; ++k) sums.value[k] = sum_[m][i][j * quad + k];
          visit(matrix_ + m, row_ + i, column_ + j * quad, sums);
        }
  }

  /// Calls visit(row, column, sum) for the sums of this thread that lie in the first `rows` rows, `columns` columns.
  template <class Visit>
  KOKKOS_FUNCTION void for_each(const int rows, const int columns, const Visit& visit) {
    static_assert(Matrices == 1);
    for (int i = 0; i < own_rows; ++i)
      for (int j = 0; j < own_columns; ++j)
        if (row_ + i < rows && column_ + j < columns) visit(row_ + i, column_ + j, sum_[0][i][j]);
  }

 private:
  int matrix_;
  int row_;
  int column_;
  T sum_[own_matrices][own_rows][own_columns] = {};
};

}  // namespace bcr::kernels::impl

#endif
