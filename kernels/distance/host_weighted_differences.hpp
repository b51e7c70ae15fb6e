#ifndef BCR_KERNELS_DISTANCE_HOST_WEIGHTED_DIFFERENCES_HPP
#define BCR_KERNELS_DISTANCE_HOST_WEIGHTED_DIFFERENCES_HPP

#include "kernels/distance/tile_sweep.hpp"
#include "src/core/launch.hpp"
#include "src/core/views.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace bcr::kernels::impl {

/// Which index of the weights is contiguous in memory: the one of the sum, or the one of the output's rows.
enum class WeightOrder { along_sum, along_rows };

/// out(i, k) = 2 sum_j weight(i, j) (own(i, k) - other(j, k)) on the host, in the order of tile_sweep.hpp.
///
/// A tile is 6 rows of one vector; on AVX2 6 sums, 6 vectors of `own`, other(j), a weight and a difference are 15 of 16
/// registers. With 6 chains an fma of 4 cycles bounds the speed at 3/4 of one subtraction and one fma per pipe and
/// cycle; a seventh row was measured slower, since part of `own` is then read again for every j. A team lays a chunk of
/// `other` out in panels of one vector, which the second cache holds, and sweeps them with each tile of rows.
template <class Exec, class T, WeightOrder order>
struct HostWeightedDifferences {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int R = 6;
  static constexpr int L = host_vector_bytes / int(sizeof(T));
  static constexpr int most_panels = 40;                       // 160 KB of `other`
  static constexpr int panel_size = chunk_length * L + 2 * L;  // 4 KB apart, panels would share few sets of a cache
  static constexpr int slab_pitch = 8;
  static constexpr int weight_step = order == WeightOrder::along_sum ? 1 : slab_pitch;
  static constexpr int alignment = 64;

  ConstMatrix<T, Exec> own;
  ConstMatrix<T, Exec> other;
  ConstMatrix<T, Exec> weights;
  Matrix<T, Exec> out;
  int row_block = 0;
  int panel_block = 0;
  int column_blocks = 0;

  int scratch_bytes() const {
    return int(sizeof(T)) * (panel_block * panel_size + chunk_length * slab_pitch) + 2 * alignment;
  }

  void operator()(const Member& team) const {
    const int first_panel = team.league_rank() % column_blocks * panel_block;
    const int first_row = team.league_rank() / column_blocks * row_block;
    const int panel_count = std::min(panel_block, (own.extent_int(1) + L - 1) / L - first_panel);
    const int end_row = std::min(first_row + row_block, own.extent_int(0));
    const int length = other.extent_int(0);
    T* const panels = scratch(team, panel_block * panel_size);
    T* const slab = scratch(team, chunk_length * slab_pitch);
    int first_j = 0;
    do {  // an empty sum is stored as +0
      const int count = std::min(chunk_length, length - first_j);
      const Chunk chunk{first_j, count, first_j == 0, first_j + count == length};
      stage(chunk, first_panel, panel_count, panels);
      for (int row = first_row; row < end_row; row += R) {
        const RowTile tile = row_tile(chunk, row, slab);
        for (int p = 0; p < panel_count; ++p) {
          const int column = (first_panel + p) * L;
          const T* const panel = panels + p * panel_size;
          if (columns_from(column) == L) {
            sweep_tile(chunk, tile, column, panel);
          } else {
            sweep_edge(chunk, tile, column, panel);
          }
        }
      }
      first_j += count;
    } while (first_j < length);
  }

 private:
  struct Chunk {
    int first_j;
    int count;
    bool is_first;
    bool is_last;
  };
  struct RowTile {
    const T* own[R];
    const T* weight[R];  ///< of the first j; the next are weight_step apart
    T* total[R];
    int rows;
  };

  static T* scratch(const Member& team, const int count) {
    return static_cast<T*>(team.team_scratch(1).get_shmem_aligned(count * sizeof(T), alignment));
  }

  int columns_from(const int column) const { return std::min(L, own.extent_int(1) - column); }

  /// Lanes beyond the last column repeat it; their sums are never stored.
  static void load_lanes(const T* const from, const int columns, T* const to) {
    if (columns == L) {
#pragma omp simd
      for (int l = 0; l < L; ++l) to[l] = from[l];
    } else {
      for (int l = 0; l < L; ++l) to[l] = from[std::min(l, columns - 1)];
    }
  }

  void stage(const Chunk& chunk, const int first_panel, const int panel_count, T* const panels) const {
    const int first_column = first_panel * L;
    const int last_columns = columns_from(first_column + (panel_count - 1) * L);
    for (int j = 0; j < chunk.count; ++j) {
      const T* const from = other.data() + (chunk.first_j + j) * std::ptrdiff_t(other.stride(0)) + first_column;
      T* const to = panels + j * L;
      for (int p = 0; p + 1 < panel_count; ++p) load_lanes(from + p * L, L, to + p * panel_size);
      load_lanes(from + (panel_count - 1) * L, last_columns, to + (panel_count - 1) * panel_size);
    }
  }

  /// Rows beyond the last repeat it; their sums are never stored.
  RowTile row_tile(const Chunk& chunk, const int row, T* const slab) const {
    RowTile tile;
    tile.rows = std::min(R, own.extent_int(0) - row);
    const std::ptrdiff_t pitch = weights.stride(0);
    for (int r = 0; r < R; ++r) {
      const std::ptrdiff_t i = row + std::min(r, tile.rows - 1);
      tile.own[r] = own.data() + i * own.stride(0);
      tile.total[r] = out.data() + i * out.stride(0);
      tile.weight[r] = order == WeightOrder::along_sum ? weights.data() + i * pitch + chunk.first_j : slab + r;
    }
    if constexpr (order == WeightOrder::along_rows) {
      const T* const from = weights.data() + chunk.first_j * pitch + row;
      for (int j = 0; j < chunk.count; ++j) {
        for (int r = 0; r < R; ++r) slab[j * slab_pitch + r] = from[j * pitch + std::min(r, tile.rows - 1)];
      }
    }
    return tile;
  }

  /// The last panel may have too few columns: it is computed in a copy.
  void sweep_edge(const Chunk& chunk, const RowTile& tile, const int column, const T* const panel) const {
    T mine[R][L];
    T total[R][L];
    RowTile edge = tile;
    const int columns = columns_from(column);
    for (int r = 0; r < R; ++r) {
      load_lanes(tile.own[r] + column, columns, mine[r]);
      load_lanes(tile.total[r] + column, columns, total[r]);
      edge.own[r] = mine[r];
      edge.total[r] = total[r];
    }
    sweep_tile(chunk, edge, 0, panel);
    for (int r = 0; r < tile.rows; ++r) std::copy_n(total[r], columns, tile.total[r] + column);
  }

  static void sweep_tile(const Chunk& chunk, const RowTile& tile, const int column, const T* const panel) {
    T mine[R][L];
    T sums[R][L];
    const T* weight[R];
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
      const T* const row = tile.own[r] + column;
#pragma omp simd
      for (int l = 0; l < L; ++l) {
        mine[r][l] = row[l];
        sums[r][l] = 0;
      }
      weight[r] = order == WeightOrder::along_sum ? tile.weight[r] : tile.weight[0] + r;  // one pointer, if one will do
    }
#pragma GCC unroll 2
    for (int j = 0; j < chunk.count; ++j) {
#pragma GCC unroll 6
      for (int r = 0; r < R; ++r) {
        const T factor = weight[r][j * weight_step];
#pragma omp simd
        for (int l = 0; l < L; ++l) {
          const T difference = mine[r][l] - panel[j * L + l];
          sums[r][l] = Kokkos::fma(factor, difference, sums[r][l]);
        }
      }
    }
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
      if (r < tile.rows) join(chunk, sums[r], tile.total[r] + column);
    }
  }

  /// Adds the sums of a chunk to the totals, which live in `out` until the last chunk doubles them.
  static void join(const Chunk& chunk, const T (&sums)[L], T* const total) {
    const T factor = chunk.is_last ? T(2) : T(1);
    if (chunk.is_first) {
#pragma omp simd
      for (int l = 0; l < L; ++l) total[l] = factor * sums[l];
    } else {
#pragma omp simd
      for (int l = 0; l < L; ++l) total[l] = factor * (total[l] + sums[l]);
    }
  }
};

/// Blocks of like size: as many columns as the second cache holds, and rows enough to pay for the staging of `other`.
template <class Exec, class Body>
void host_weighted_differences(const char* const label, const Exec& exec, Body body) {
  const int rows = body.own.extent_int(0);
  const int columns = body.own.extent_int(1);
  if (rows == 0 || columns == 0) return;
  const auto ceil_div = [](const int a, const int b) { return (a + b - 1) / b; };
  const int panels = ceil_div(columns, Body::L);
  body.panel_block = ceil_div(panels, ceil_div(panels, Body::most_panels));
  body.column_blocks = ceil_div(panels, body.panel_block);
  const int for_the_cores = ceil_div(4 * exec.concurrency(), body.column_blocks);
  const int row_blocks = std::min(exec.concurrency() == 1 ? 1 : for_the_cores, ceil_div(rows, 8 * Body::R));
  body.row_block = ceil_div(ceil_div(rows, row_blocks), Body::R) * Body::R;
  auto policy = block_policy(exec, ceil_div(rows, body.row_block) * body.column_blocks);
  Kokkos::parallel_for(label, policy.set_scratch_size(1, Kokkos::PerTeam(body.scratch_bytes())), body);
}

}  // namespace bcr::kernels::impl

#endif
