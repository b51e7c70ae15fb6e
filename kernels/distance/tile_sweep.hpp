#ifndef BCR_KERNELS_DISTANCE_TILE_SWEEP_HPP
#define BCR_KERNELS_DISTANCE_TILE_SWEEP_HPP

#include "src/core/launch.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace bcr::kernels::impl {

/// The order of summation of this folder, part of every result's definition: a sum over j is cut into chunks of 128
/// consecutive j (the last may be shorter), each chunk is one chain of fma from +0 in ascending j, and the chunk sums
/// are added in ascending order. Each output is owned by one lane of one thread, so tiles never touch the bits.
inline constexpr int chunk_length = 128;

#if defined(__AVX512F__)
inline constexpr int host_vector_bytes = 64;
#else
inline constexpr int host_vector_bytes = 32;
#endif

/// How outputs are spread over registers, a team and its scratch; any choice gives the same bits.
///   host:   a thread sweeps panels of `host_vectors` vectors of columns, `host_rows` rows at a time.
///   device: a thread owns one tile of 4 x 4 outputs; 12 x 16 (float) or 8 x 8 (double) threads make a team, as many as
///           the shared memory of every device has room for.
template <class Exec, class T, int host_rows, int host_vectors = 2>
struct TileShape {
  static constexpr bool host = is_host_exec<Exec>;
  static constexpr int rows = host ? host_rows : 4;
  static constexpr int lanes = host ? host_vectors * host_vector_bytes / int(sizeof(T)) : 4;
  static constexpr int panel_lanes = host ? lanes : 256 / int(sizeof(T));
  static constexpr int panel_pitch = host ? panel_lanes : panel_lanes + 1;  // an odd pitch spreads shared memory banks
  static constexpr int max_row_block = host ? 360 : (sizeof(T) == 4 ? 48 : 32);  // 62 KB of scratch on the host at most
  static constexpr int team_size = host ? 1 : (max_row_block / rows) * (panel_lanes / lanes);
};

/// The sums of one tile of outputs.
template <class T, int R, int L>
struct TileSums {
  T value[R][L];
};

/// out(i, k) = sum over j of a term that Body defines, i < rows, k < columns, j < length. A Body has a Shape and
///   stage(team, panel, first_column, first_j, count)       copies what depends on (j, k) alone to panel[j][lane];
///   chunk_sums(row, column, panel, first_j, count)         the fma chains of one chunk, for one tile;
///   row(i), finish(sum)                                    out(i, k) = row(i)[k] = finish(sum).
template <class Exec, class T, class Body>
struct TileSweep {
  using Shape = typename Body::Shape;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int R = Shape::rows;
  static constexpr int L = Shape::lanes;
  using Sums = TileSums<T, R, L>;
  static constexpr int alignment = 64;
  static constexpr int panel_size = chunk_length * Shape::panel_pitch;
  static_assert(Shape::host || sizeof(T) * (panel_size + Shape::max_row_block * Shape::panel_lanes) <= 46 * 1024,
                "a CUDA device gives a team 48 KB unasked, and Kokkos keeps a part of them");

  Body body;
  int rows;
  int begin_column;
  int columns;  ///< where they end
  int length;
  int row_block;
  int panels;

  int scratch_bytes() const { return int(sizeof(T)) * (panel_size + row_block * Shape::panel_lanes) + 2 * alignment; }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int first_column = begin_column + team.league_rank() % panels * Shape::panel_lanes;
    const int first_row = team.league_rank() / panels * row_block;
    const int block_rows = Kokkos::min(row_block, rows - first_row);
    const int across = (Kokkos::min(int(Shape::panel_lanes), columns - first_column) + L - 1) / L;
    const int tiles = (block_rows + R - 1) / R * across;
    const int chunks = length == 0 ? 1 : (length + chunk_length - 1) / chunk_length;  // an empty sum is stored as +0
    T* const panel = aligned_scratch(team, panel_size);
    T* const totals = aligned_scratch(team, row_block * Shape::panel_lanes);

    for (int chunk = 0; chunk < chunks; ++chunk) {
      const int first_j = chunk * chunk_length;
      const int count = Kokkos::min(int(chunk_length), length - first_j);
      team.team_barrier();
      body.stage(team, panel, first_column, first_j, count);
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, tiles), [&](const int tile) {
        const int row = tile / across * R;
        const int lane = tile % across * L;
        T* const total = totals + row * Shape::panel_lanes + lane;
        Sums sums = body.chunk_sums(first_row + row, first_column + lane, panel + lane, first_j, count);
        if (chunk > 0) add_total(total, sums);
        if (chunk + 1 < chunks)
          keep_total(total, sums);
        else
          store(first_row + row, first_column + lane, sums);
      });
    }
  }

 private:
  KOKKOS_FUNCTION static T* aligned_scratch(const Member& team, const int count) {
    return static_cast<T*>(team.team_scratch(0).get_shmem_aligned(count * sizeof(T), alignment));
  }

  KOKKOS_FUNCTION static void add_total(const T* const total, Sums& sums) {
    for (int r = 0; r < R; ++r)
      for (int l = 0; l < L; ++l) sums.value[r][l] = total[r * Shape::panel_lanes + l] + sums.value[r][l];
  }

  KOKKOS_FUNCTION static void keep_total(T* const total, const Sums& sums) {
    for (int r = 0; r < R; ++r)
      for (int l = 0; l < L; ++l) total[r * Shape::panel_lanes + l] = sums.value[r][l];
  }

  KOKKOS_FUNCTION void store(const int row, const int column, const Sums& sums) const {
    const int last_row = Kokkos::min(int(R), rows - row);
    const int last_lane = Kokkos::min(int(L), columns - column);
    for (int r = 0; r < last_row; ++r) {
      T* const out = body.row(row + r) + column;
      if (last_lane == L) {
        for (int l = 0; l < L; ++l) out[l] = body.finish(sums.value[r][l]);
      } else {
        for (int l = 0; l < last_lane; ++l) out[l] = body.finish(sums.value[r][l]);
      }
    }
  }
};

/// Rows of one team: enough to pay for the staging of a panel, few enough to occupy every core; blocks of like size.
template <class Shape, class Exec>
int choose_row_block(const Exec& exec, const int rows, const int panels) {
  if constexpr (!Shape::host) return Shape::max_row_block;
  const auto ceil_div = [](const int a, const int b) { return (a + b - 1) / b; };
  const int for_the_cores = std::min(ceil_div(4 * exec.concurrency(), panels), ceil_div(rows, 48));
  const int blocks = std::max(for_the_cores, ceil_div(rows, Shape::max_row_block));
  return ceil_div(ceil_div(rows, blocks), Shape::rows) * Shape::rows;
}

/// Columns [begin, end) of the output.
struct ColumnRange {
  int begin;
  int end;
};

template <class Exec, class T, class Body>
void tile_sweep(const char* const label, const Exec& exec, const Body& body, const int rows, const ColumnRange columns,
                const int length) {
  using Shape = typename Body::Shape;
  if (rows == 0 || columns.begin == columns.end) return;
  const int panels = (columns.end - columns.begin + Shape::panel_lanes - 1) / Shape::panel_lanes;
  const int row_block = choose_row_block<Shape>(exec, rows, panels);
  const int row_blocks = (rows + row_block - 1) / row_block;
  const TileSweep<Exec, T, Body> sweep{body, rows, columns.begin, columns.end, length, row_block, panels};
  auto policy = block_policy(exec, row_blocks * panels, Shape::team_size);
  Kokkos::parallel_for(label, policy.set_scratch_size(0, Kokkos::PerTeam(sweep.scratch_bytes())), sweep);
}

}  // namespace bcr::kernels::impl

#endif
