#include "kernels/embedding/embedding.hpp"
#include "kernels/rnn/gru.hpp"
#include "kernels/rnn/gru_cell.hpp"
#include "kernels/rnn/row_tiles.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

namespace bcr::kernels {
namespace {

using impl::blocks_of;

/// Back-propagation through time: what the tilings for hosts and devices share. carry(i, j) is the gradient of the
/// state of row i that comes from later steps.
template <class Exec, class T>
struct BackwardSweep {
  ConstMatrix<std::int32_t, Exec> tokens;
  ConstMatrix<T, Exec> weights;
  const T* states;
  const T* zeros;        ///< the state before the first step
  const T* diff_states;  ///< or null
  GruTrace<Exec, T> trace;
  Matrix<T, Exec> carry;

  KOKKOS_FORCEINLINE_FUNCTION int rows() const { return tokens.extent_int(0); }
  KOKKOS_FORCEINLINE_FUNCTION int steps() const { return tokens.extent_int(1); }
  KOKKOS_FORCEINLINE_FUNCTION int units() const { return carry.extent_int(1); }
  KOKKOS_FORCEINLINE_FUNCTION bool begun(const int i, const int t) const { return tokens(i, t) != no_token; }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t line(const int i, const int t) const { return std::size_t(i) * steps() + t; }
  KOKKOS_FORCEINLINE_FUNCTION T* reset_update(const int i, const int t) const {
    return trace.reset_update.data() + line(i, t) * 2 * units();
  }
  KOKKOS_FORCEINLINE_FUNCTION T* recurrent(const int i, const int t) const {
    return trace.recurrent.data() + line(i, t) * units();
  }

  /// What one step of one row reads and writes.
  struct Step {
    T* reset;
    T* update;
    T* candidate;
    T* q;
    T* carry;
    const T* before;
    const T* diff_state;

    /// Gates become gradients, and the carry what of it goes past them.
    KOKKOS_FORCEINLINE_FUNCTION void differentiate(const int unit) const {
      const T diff = diff_state == nullptr ? carry[unit] : carry[unit] + diff_state[unit];
      const GruGradients<T> gradients =
          gru_cell_gradients(reset[unit], update[unit], candidate[unit], q[unit], before[unit], diff);
      reset[unit] = gradients.reset;
      update[unit] = gradients.update;
      candidate[unit] = gradients.input;
      q[unit] = gradients.q;
      carry[unit] = gradients.h;
    }
    KOKKOS_FORCEINLINE_FUNCTION void clear(const int unit) const {
      reset[unit] = update[unit] = candidate[unit] = q[unit] = T(0);
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION Step step(const int i, const int t) const {
    const std::size_t at = line(i, t) * units();
    return {.reset = reset_update(i, t),
            .update = reset_update(i, t) + units(),
            .candidate = trace.candidate.data() + at,
            .q = recurrent(i, t),
            .carry = carry.data() + std::size_t(i) * units(),
            .before = t == 0 ? zeros : states + at - units(),
            .diff_state = diff_states == nullptr ? nullptr : diff_states + at};
  }
};

template <class Exec, class T>
class BackwardOnHost {
  using Sweep = BackwardSweep<Exec, T>;
  static constexpr int lanes = channel_block<T>;

 public:
  BackwardOnHost(const Sweep& sweep, const T* const packed, const impl::RowTiles& tiles)
      : sweep_(sweep), packed_(packed), tiles_(tiles) {}

  void operator()(const int item) const {
    for (int t = sweep_.steps() - 1; t >= 0; --t) {
      Rows rows;
      for (int i = tiles_.first(item); i < tiles_.last(item); ++i) {
        differentiate(sweep_.step(i, t), sweep_.begun(i, t));
        if (sweep_.begun(i, t)) rows.number[rows.size++] = i;
      }
      if (t == 0) continue;
      for (int unit = 0; unit < sweep_.units(); unit += impl::tile_blocks * lanes) add_products(rows, t, unit);
    }
  }

 private:
  /// Rows that have begun.
  struct Rows {
    int number[impl::RowTiles::most_rows];
    int size = 0;
  };

  void differentiate(const typename Sweep::Step step, const bool begun) const {
    const int units = sweep_.units();
    if (begun) {
#pragma omp simd
      for (int unit = 0; unit < units; ++unit) step.differentiate(unit);
    } else {
      for (int unit = 0; unit < units; ++unit) step.clear(unit);
    }
  }

  /// The units of a tile of the step before, from `unit` on: over reset and update of this step, then over q. So many
  /// weights at a time stay in the nearest cache for all rows.
  void add_products(const Rows& rows, const int t, const int unit) const {
    const int units = sweep_.units();
    const T* const weights = packed_ + std::size_t(unit) * 3 * units;
    add_products(rows, unit, weights, 2 * units, [&](const int row) { return sweep_.reset_update(row, t); });
    add_products(rows, unit, weights + std::size_t(2) * units * lanes, units,
                 [&](const int row) { return sweep_.recurrent(row, t); });
  }

  template <class GradientsOf>
  void add_products(const Rows& rows, const int unit, const T* const weights, const int length,
                    const GradientsOf& gradients_of) const {
    const int columns = std::min(impl::tile_blocks * lanes, sweep_.units() - unit);
    for (int first = 0; first < rows.size;) {
      impl::PixelTile<T> tile;
      tile.size = impl::tile_size(rows.size - first);
      for (int p = 0; p < tile.size; ++p) {
        const int row = rows.number[first + p];
        tile.src[p] = gradients_of(row);
        tile.dst[p] = sweep_.carry.data() + std::size_t(row) * sweep_.units() + unit;
      }
      impl::add_row_products(tile, weights, {.length = length, .columns = columns, .next_weights = block_weights()});
      first += tile.size;
    }
  }

  std::ptrdiff_t block_weights() const { return std::ptrdiff_t(3) * sweep_.units() * lanes; }

  Sweep sweep_;
  const T* packed_;  ///< [blocks of units of the step before, 3 H, lanes]
  impl::RowTiles tiles_;
};

/// One team: a few rows through all steps, a unit per thread.
template <class Exec, class T>
struct BackwardOnDevice {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int rows = 4;

  BackwardSweep<Exec, T> sweep;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int first = team.league_rank() * rows;
    const int last = first + rows < sweep.rows() ? first + rows : sweep.rows();
    for (int t = sweep.steps() - 1; t >= 0; --t) {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, sweep.units()), [&](const int unit) {
        for (int i = first; i < last; ++i)
          if (sweep.begun(i, t))
            sweep.step(i, t).differentiate(unit);
          else
            sweep.step(i, t).clear(unit);
      });
      team.team_barrier();
      if (t == 0) break;
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, sweep.units()),
                           [&](const int unit) { add_products(first, last, t, unit); });
      team.team_barrier();
    }
  }

 private:
  KOKKOS_FUNCTION void add_products(const int first, const int last, const int t, const int unit) const {
    const T* gates[rows];
    const T* q[rows];
    T sum[rows];
    for (int p = 0; p < rows; ++p) {
      const int i = first + p < last ? first + p : last - 1;
      gates[p] = sweep.reset_update(i, t);
      q[p] = sweep.recurrent(i, t);
      sum[p] = sweep.carry(i, unit);
    }
    const int H = sweep.units();
    for (int c = 0; c < 2 * H; ++c)
      for (int p = 0; p < rows; ++p) sum[p] = Kokkos::fma(gates[p][c], sweep.weights(c, unit), sum[p]);
    for (int c = 0; c < H; ++c)
      for (int p = 0; p < rows; ++p) sum[p] = Kokkos::fma(q[p][c], sweep.weights(2 * H + c, unit), sum[p]);
    for (int i = first; i < last; ++i) sweep.carry(i, unit) = sum[i - first];
  }
};

template <class Exec, class T>
struct StatesBefore {
  ConstMatrix<T, Exec> states;
  Matrix<T, Exec> dst;
  int steps;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    const int first = team.league_rank() * steps;
    for (int line = first; line < first + steps; ++line)
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, states.extent_int(1)),
                           [&](const int unit) { dst(line, unit) = line == first ? T(0) : states(line - 1, unit); });
  }
};

}  // namespace

template <class Exec, class T>
void gru_backward(const Exec& exec, ConstMatrix<std::int32_t, Exec> tokens, ConstMatrix<T, Exec> recurrent_weights,
                  ConstMatrix<T, Exec> states, ConstMatrix<T, Exec> diff_last, ConstMatrix<T, Exec> diff_states,
                  const GruTrace<Exec, T>& trace, Vector<T, Exec> workspace) {
  constexpr const char* operation = "gru_backward";
  const std::size_t N = tokens.extent(0);
  const std::size_t lines = N * tokens.extent(1);
  const std::size_t H = recurrent_weights.extent(1);
  require_shape(operation, "recurrent_weights", recurrent_weights, {3 * H, H});
  require_shape(operation, "states", states, {lines, H});
  require_shape(operation, "trace.reset_update", trace.reset_update, {lines, 2 * H});
  require_shape(operation, "trace.candidate", trace.candidate, {lines, H});
  require_shape(operation, "trace.recurrent", trace.recurrent, {lines, H});
  if (diff_last.data() != nullptr) require_shape(operation, "diff_last", diff_last, {N, H});
  if (diff_states.data() != nullptr) require_shape(operation, "diff_states", diff_states, {lines, H});
  impl::require_workspace(operation, workspace, gru_workspace_size<Exec, T>(N, 0, H));
  if (lines == 0 || H == 0) return;

  const Matrix<T, Exec> carry(workspace.data(), N, H);
  if (diff_last.data() != nullptr)
    Kokkos::deep_copy(exec, carry, diff_last);
  else
    Kokkos::deep_copy(exec, carry, T(0));
  const Vector<T, Exec> zeros(carry.data() + N * H, H);
  Kokkos::deep_copy(exec, zeros, T(0));
  const BackwardSweep<Exec, T> sweep{.tokens = tokens,
                                     .weights = recurrent_weights,
                                     .states = states.data(),
                                     .zeros = zeros.data(),
                                     .diff_states = diff_states.data(),
                                     .trace = trace,
                                     .carry = carry};
  constexpr const char* label = "bcr::kernels::gru_backward";
  if constexpr (is_host_exec<Exec>) {
    const ConstTensor4<T, Exec> window(recurrent_weights.data(), 1, 1, 3 * H, H);
    const Vector<T, Exec> packed(zeros.data() + H, impl::packed_size<impl::LaneChannels::output, T>(window));
    impl::pack_weights<impl::LaneChannels::output, Exec, T>(exec, window, packed);
    using Policy = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<int>>;
    const impl::RowTiles tiles(sweep.rows(), exec.concurrency());
    Kokkos::parallel_for(label, Policy(exec, 0, tiles.items(), Kokkos::ChunkSize(1)),
                         BackwardOnHost<Exec, T>(sweep, packed.data(), tiles));
  } else {
    using Functor = BackwardOnDevice<Exec, T>;
    Kokkos::parallel_for(label, block_policy(exec, blocks_of(sweep.rows(), Functor::rows)), Functor{sweep});
  }
}

template <class Exec, class T>
void gru_states_before(const Exec& exec, const std::size_t steps, ConstMatrix<T, Exec> states, Matrix<T, Exec> dst) {
  require_shape("gru_states_before", "dst", dst, shape(states));
  if (states.size() == 0) return;
  require<ShapeError>(steps > 0 && states.extent(0) % steps == 0, "gru_states_before",
                      "as many lines as rows of " + std::to_string(steps) + " steps have",
                      std::to_string(states.extent(0)));
  Kokkos::parallel_for("bcr::kernels::gru_states_before",
                       block_policy(exec, static_cast<int>(states.extent(0) / steps)),
                       StatesBefore<Exec, T>{states, dst, static_cast<int>(steps)});
}

#define BCR_INSTANCE(Exec, T)                                                                             \
  template void gru_backward<Exec, T>(const Exec&, ConstMatrix<std::int32_t, Exec>, ConstMatrix<T, Exec>, \
                                      ConstMatrix<T, Exec>, ConstMatrix<T, Exec>, ConstMatrix<T, Exec>,   \
                                      const GruTrace<Exec, T>&, Vector<T, Exec>);                         \
  template void gru_states_before<Exec, T>(const Exec&, std::size_t, ConstMatrix<T, Exec>, Matrix<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
