#include "kernels/rnn/gru.hpp"
#include "kernels/rnn/gru_cell.hpp"
#include "kernels/rnn/row_tiles.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

namespace bcr::kernels {
namespace {

using impl::blocks_of;

/// Where the state of row i after step t lies: after the last step in `last`, else in the history, or in turn in one of
/// two rings if there is none. Before the first step it is a line of zeros.
template <class T>
struct StatePlaces {
  T* history;
  T* rings;
  T* last;
  const T* zeros;
  int rows;
  int steps;
  int units;

  KOKKOS_FORCEINLINE_FUNCTION T* after(const int i, const int t) const {
    if (last != nullptr && t + 1 == steps) return last + std::size_t(i) * units;
    if (history != nullptr) return history + (std::size_t(i) * steps + t) * units;
    return rings + (std::size_t(t % 2) * rows + i) * units;
  }
  KOKKOS_FORCEINLINE_FUNCTION const T* before(const int i, const int t) const {
    return t == 0 ? zeros : after(i, t - 1);
  }
};

/// The forward pass of a layer: what the tilings for hosts and devices share.
template <class Exec, class T>
struct ForwardSweep {
  static constexpr int lanes = channel_block<T>;

  ConstMatrix<std::int32_t, Exec> tokens;
  ConstMatrix<T, Exec> src;
  GruWeights<Exec, T> weights;
  const T* packed_input;      ///< [blocks of units, 3, E, lanes]
  const T* packed_recurrent;  ///< [blocks of units, 3, H, lanes]
  StatePlaces<T> states;
  GruTrace<Exec, T> trace;
  std::int32_t shared;

  KOKKOS_FORCEINLINE_FUNCTION int inputs() const { return src.extent_int(1); }
  KOKKOS_FORCEINLINE_FUNCTION int units() const { return states.units; }
  KOKKOS_FORCEINLINE_FUNCTION int steps() const { return states.steps; }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t line(const int i, const int t) const { return std::size_t(i) * steps() + t; }
  KOKKOS_FORCEINLINE_FUNCTION const T* input_weights(const int block, const int gate) const {
    return packed_input + (std::size_t(block) * 3 + gate) * inputs() * lanes;
  }
  KOKKOS_FORCEINLINE_FUNCTION const T* recurrent_weights(const int block, const int gate) const {
    return packed_recurrent + (std::size_t(block) * 3 + gate) * units() * lanes;
  }

  /// Where the chains of a unit start: reset, update, candidate, q.
  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<T, 4> chain_starts(const int unit) const {
    const int H = units();
    return {weights.input_bias(unit) + weights.recurrent_bias(unit),
            weights.input_bias(H + unit) + weights.recurrent_bias(H + unit), weights.input_bias(2 * H + unit),
            weights.recurrent_bias(2 * H + unit)};
  }

  KOKKOS_FORCEINLINE_FUNCTION void keep(const std::size_t at, const int unit, const GruGates<T>& gates,
                                        const T q) const {
    trace.reset_update(at, unit) = gates.r;
    trace.reset_update(at, units() + unit) = gates.z;
    trace.candidate(at, unit) = gates.n;
    trace.recurrent(at, unit) = q;
  }
};

template <class Exec, class T>
class ForwardOnHost {
  using Sweep = ForwardSweep<Exec, T>;
  static constexpr int lanes = Sweep::lanes;
  static constexpr int most_rows = impl::RowTiles::most_rows;
  static constexpr int gate_rows = impl::tile_rows_of(3);
  using Sums = T[4][lanes];  ///< of reset, update, candidate and q of one row

 public:
  ForwardOnHost(const Sweep& sweep, const impl::RowTiles& tiles) : sweep_(sweep), tiles_(tiles) {}

  void operator()(const int item) const {
    int shared_steps[most_rows] = {};  // of a row so far; -1 after another token
    for (int t = 0; t < sweep_.steps(); ++t) {
      Rows rows;
      for (int i = tiles_.first(item); i < tiles_.last(item); ++i) {
        const std::int32_t token = sweep_.tokens(i, t);
        if (token == no_token) {
          std::fill_n(sweep_.states.after(i, t), sweep_.units(), T(0));
          continue;
        }
        int& steps = shared_steps[i - tiles_.first(item)];
        steps = token == sweep_.shared && steps >= 0 ? steps + 1 : -1;
        rows.add(i, steps);
      }
      if (rows.size == 0) continue;
      for (int block = 0; block < blocks_of(sweep_.units(), lanes); ++block) advance(rows, t, block);
    }
  }

 private:
  /// Rows that have begun: those that are computed, and those that have the gates of one of these.
  struct Rows {
    struct Follower {
      int number;
      int leader;  ///< its place among those that are computed
    };
    int number[most_rows];
    int shared_steps[most_rows];
    int size = 0;
    Follower followers[most_rows];
    int follower_count = 0;

    void add(const int row, const int steps) {
      const int* const end = shared_steps + size;
      const int* const leader = steps < 0 ? end : std::find(shared_steps, shared_steps + size, steps);
      if (leader != end) {
        followers[follower_count++] = {.number = row, .leader = static_cast<int>(leader - shared_steps)};
      } else {
        shared_steps[size] = steps;
        number[size++] = row;
      }
    }
  };

  /// One step of one block of units.
  void advance(const Rows& rows, const int t, const int block) const {
    alignas(64) Sums sums[most_rows];
    const int count = std::min(lanes, sweep_.units() - block * lanes);
    start_chains(block * lanes, count, sums[0]);
    for (int p = 1; p < rows.size; ++p) std::copy_n(&sums[0][0][0], 4 * lanes, &sums[p][0][0]);
    add_products(rows, sums, sweep_.input_weights(block, 0), sweep_.inputs(), 2,
                 [&](const int row) { return sweep_.src.data() + sweep_.line(row, t) * sweep_.inputs(); });
    add_products(rows, sums, sweep_.recurrent_weights(block, 0), sweep_.units(), 3,
                 [&](const int row) { return sweep_.states.before(row, t); });
    finish_gates(sums, rows.size);
    for (int p = 0; p < rows.size; ++p) finish(rows.number[p], t, block * lanes, count, sums[p]);
    for (int f = 0; f < rows.follower_count; ++f)
      finish(rows.followers[f].number, t, block * lanes, count, sums[rows.followers[f].leader]);
  }

  /// Of all rows with the weights of three gates, which then are in the nearest cache; the third goes to sum number
  /// `candidate`.
  template <class LineOf>
  static void add_products(const Rows& rows, Sums* const sums, const T* const weights, const int length,
                           const int candidate, const LineOf& line_of) {
    for (int first = 0; first < rows.size;) {
      impl::PixelTile<T> tile;
      tile.size = impl::tile_size(rows.size - first, gate_rows);
      for (int p = 0; p < tile.size; ++p) {
        tile.src[p] = line_of(rows.number[first + p]);
        tile.dst[p] = sums[first + p][0];
      }
      impl::add_row_products(tile, weights,
                             {.length = length,
                              .columns = 3 * lanes,
                              .next_weights = std::ptrdiff_t(length) * lanes,
                              .third_dst = candidate});
      first += tile.size;
    }
  }

  void start_chains(const int first, const int count, Sums& sums) const {
    for (int l = 0; l < lanes; ++l) {
      const auto start = l < count ? sweep_.chain_starts(first + l) : Kokkos::Array<T, 4>{};
      for (int gate = 0; gate < 4; ++gate) sums[gate][l] = start[gate];
    }
  }

  /// The cell, one gate of all rows after the other: a chain of so many steps as a whole cell would wait for itself.
  static void finish_gates(Sums* const sums, const int rows) {
    for (int p = 0; p < rows; ++p) {
      T* const gates = sums[p][0];  // reset, then update
#pragma omp simd
      for (int l = 0; l < 2 * lanes; ++l) gates[l] = strict::sigmoid(gates[l]);
    }
    for (int p = 0; p < rows; ++p) {
      const T *const r = sums[p][0], *const q = sums[p][3];
      T* const n = sums[p][2];
#pragma omp simd
      for (int l = 0; l < lanes; ++l) n[l] = gru_candidate(r[l], n[l], q[l]);
    }
  }

  /// The state of one row from its gates, which are kept if they are asked for.
  void finish(const int i, const int t, const int first, const int count, const Sums& gates) const {
    const T *const z = gates[1], *const n = gates[2];
    const T* const before = sweep_.states.before(i, t) + first;
    T* const after = sweep_.states.after(i, t) + first;
#pragma omp simd
    for (int l = 0; l < count; ++l) after[l] = gru_state(z[l], n[l], before[l]);
    if (sweep_.trace.candidate.data() == nullptr) return;
    const std::size_t at = sweep_.line(i, t);
    keep(gates[0], count, &sweep_.trace.reset_update(at, first));
    keep(gates[1], count, &sweep_.trace.reset_update(at, sweep_.units() + first));
    keep(gates[2], count, &sweep_.trace.candidate(at, first));
    keep(gates[3], count, &sweep_.trace.recurrent(at, first));
  }

  static void keep(const T* const from, const int count, T* const to) {
    if (count == lanes)
      impl::Lanes<T>::load(from).store(to);
    else
      std::copy_n(from, count, to);
  }

  Sweep sweep_;
  impl::RowTiles tiles_;
};

/// One team: a few rows through all steps, a unit per thread.
template <class Exec, class T>
struct ForwardOnDevice {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int rows = 4;
  static constexpr int lanes = ForwardSweep<Exec, T>::lanes;

  ForwardSweep<Exec, T> sweep;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int first = team.league_rank() * rows;
    for (int t = 0; t < sweep.steps(); ++t) {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, sweep.units()),
                           [&](const int unit) { advance(first, t, unit); });
      team.team_barrier();
    }
  }

 private:
  KOKKOS_FUNCTION void advance(const int first, const int t, const int unit) const {
    const Kokkos::Array<T, 4> start = sweep.chain_starts(unit);
    const T* inputs[rows];
    const T* states[rows];
    T sum[rows][4];
    for (int p = 0; p < rows; ++p) {
      const int i = first + p < sweep.states.rows ? first + p : sweep.states.rows - 1;
      inputs[p] = sweep.src.data() + sweep.line(i, t) * sweep.inputs();
      states[p] = sweep.states.before(i, t);
      for (int gate = 0; gate < 4; ++gate) sum[p][gate] = start[gate];
    }
    add_products<2>(inputs, &sweep.input_weights(unit / lanes, 0)[unit % lanes], sweep.inputs(), sum);
    add_products<3>(states, &sweep.recurrent_weights(unit / lanes, 0)[unit % lanes], sweep.units(), sum);
    for (int p = 0; p < rows && first + p < sweep.states.rows; ++p) {
      const int i = first + p;
      const bool begun = sweep.tokens(i, t) != no_token;
      const GruGates<T> gates = gru_cell(sum[p][0], sum[p][1], sum[p][2], sum[p][3], states[p][unit]);
      sweep.states.after(i, t)[unit] = begun ? gates.h : T(0);
      if (begun && sweep.trace.candidate.data() != nullptr) sweep.keep(sweep.line(i, t), unit, gates, sum[p][3]);
    }
  }

  /// The third gate goes to sum number `candidate`.
  template <int candidate>
  KOKKOS_FORCEINLINE_FUNCTION static void add_products(const T* const (&src)[rows], const T* const weights,
                                                       const int length, T (&sum)[rows][4]) {
    for (int d = 0; d < length; ++d) {
      const T reset = weights[d * lanes];
      const T update = weights[(length + d) * lanes];
      const T input = weights[(2 * length + d) * lanes];
      for (int p = 0; p < rows; ++p) {
        const T x = src[p][d];
        sum[p][0] = Kokkos::fma(x, reset, sum[p][0]);
        sum[p][1] = Kokkos::fma(x, update, sum[p][1]);
        sum[p][candidate] = Kokkos::fma(x, input, sum[p][candidate]);
      }
    }
  }
};

/// The gates apart, the units of each in lanes.
template <class Exec, class T>
Vector<T, Exec> pack_gates(const Exec& exec, const ConstMatrix<T, Exec>& weights, T* const to) {
  const std::size_t H = weights.extent(0) / 3;
  const ConstTensor4<T, Exec> gates(weights.data(), 3, 1, H, weights.extent(1));
  const Vector<T, Exec> packed(to, impl::packed_size<impl::LaneChannels::input, T>(gates));
  impl::pack_weights<impl::LaneChannels::input, Exec, T>(exec, gates, packed);
  return packed;
}

}  // namespace

template <class Exec, class T>
std::size_t gru_workspace_size(const std::size_t N, const std::size_t E, const std::size_t H) {
  const auto units = static_cast<std::size_t>(blocks_of(static_cast<int>(H), channel_block<T>)) * channel_block<T>;
  return 3 * units * (E + H) + (2 * N + 1) * H;
}

template <class Exec, class T>
void gru_forward(const Exec& exec, ConstMatrix<std::int32_t, Exec> tokens, ConstMatrix<T, Exec> src,
                 const GruWeights<Exec, T>& weights, Matrix<T, Exec> states, Matrix<T, Exec> last,
                 const GruTrace<Exec, T>& trace, Vector<T, Exec> workspace, const std::int32_t shared) {
  constexpr const char* operation = "gru_forward";
  const std::size_t N = tokens.extent(0);
  const std::size_t lines = N * tokens.extent(1);
  const std::size_t E = src.extent(1);
  const std::size_t H = weights.recurrent.extent(1);
  require_shape(operation, "src", src, {lines, E});
  require_shape(operation, "weights.input", weights.input, {3 * H, E});
  require_shape(operation, "weights.recurrent", weights.recurrent, {3 * H, H});
  require_shape(operation, "weights.input_bias", weights.input_bias, {3 * H});
  require_shape(operation, "weights.recurrent_bias", weights.recurrent_bias, {3 * H});
  impl::require_workspace(operation, workspace, gru_workspace_size<Exec, T>(N, E, H));
  if (states.data() != nullptr) require_shape(operation, "states", states, {lines, H});
  if (last.data() != nullptr) require_shape(operation, "last", last, {N, H});
  if (trace.candidate.data() != nullptr) {
    require_shape(operation, "trace.reset_update", trace.reset_update, {lines, 2 * H});
    require_shape(operation, "trace.candidate", trace.candidate, {lines, H});
    require_shape(operation, "trace.recurrent", trace.recurrent, {lines, H});
  }
  if (lines == 0 || H == 0) return;

  const Vector<T, Exec> zeros(workspace.data(), H);
  Kokkos::deep_copy(exec, zeros, T(0));
  T* const rings = zeros.data() + H;
  const Vector<T, Exec> input = pack_gates<Exec, T>(exec, weights.input, rings + 2 * N * H);
  const Vector<T, Exec> recurrent = pack_gates<Exec, T>(exec, weights.recurrent, input.data() + input.size());
  const ForwardSweep<Exec, T> sweep{.tokens = tokens,
                                    .src = src,
                                    .weights = weights,
                                    .packed_input = input.data(),
                                    .packed_recurrent = recurrent.data(),
                                    .states = {.history = states.data(),
                                               .rings = rings,
                                               .last = last.data(),
                                               .zeros = zeros.data(),
                                               .rows = tokens.extent_int(0),
                                               .steps = tokens.extent_int(1),
                                               .units = static_cast<int>(H)},
                                    .trace = trace,
                                    .shared = shared};
  constexpr const char* label = "bcr::kernels::gru_forward";
  if constexpr (is_host_exec<Exec>) {
    using Policy = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<int>>;
    const impl::RowTiles tiles(tokens.extent_int(0), exec.concurrency());
    Kokkos::parallel_for(label, Policy(exec, 0, tiles.items(), Kokkos::ChunkSize(1)),
                         ForwardOnHost<Exec, T>(sweep, tiles));
  } else {
    using Functor = ForwardOnDevice<Exec, T>;
    Kokkos::parallel_for(label, block_policy(exec, blocks_of(tokens.extent_int(0), Functor::rows)), Functor{sweep});
  }
}

#define BCR_INSTANCE(Exec, T)                                                                            \
  template std::size_t gru_workspace_size<Exec, T>(std::size_t, std::size_t, std::size_t);               \
  template void gru_forward<Exec, T>(const Exec&, ConstMatrix<std::int32_t, Exec>, ConstMatrix<T, Exec>, \
                                     const GruWeights<Exec, T>&, Matrix<T, Exec>, Matrix<T, Exec>,       \
                                     const GruTrace<Exec, T>&, Vector<T, Exec>, std::int32_t);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
