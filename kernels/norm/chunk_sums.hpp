#ifndef BCR_KERNELS_NORM_CHUNK_SUMS_HPP
#define BCR_KERNELS_NORM_CHUNK_SUMS_HPP

#include "kernels/norm/channel_map.hpp"
#include "kernels/norm/dropout_mask.hpp"
#include "src/core/launch.hpp"
#include "src/core/views.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace bcr::kernels::impl {

/// Rows of a chunk: part of the definition of the sums.
inline constexpr int norm_chunk = 256;

KOKKOS_INLINE_FUNCTION std::size_t norm_chunks(const std::size_t rows) {
  return (rows + norm_chunk - 1) / norm_chunk;
}

/// What a column of sums is made of. Plain: sum a. Products: sum a and sum a b, in this order in memory.
enum class SumKind { plain, products };

/// Sums down the columns of [rows, channels] in double, by ascending rows of a chunk:
///   sum_0 = sum_0 + a,   sum_1 = fma(a, b, sum_1),   where {a, b} = term(e, c, keep) for element e = row channels + c.
/// Sum i of chunk k is partials[(k width + i) channels + c], where width is 1 or 2.
///
/// A host thread prepares a and b of up to eight rows and 128 columns in T and then adds four rows at a time; the sums
/// stay in the first cache. If Term::is_source, a and b are read where they are. A device thread walks down its
/// channels.
template <class Exec, class T, class Term, Masking masking>
struct ChunkSums {
  static constexpr int group = 8;
  static constexpr int piece = DropoutMask::batch;
  static constexpr int width = Term::kind == SumKind::products ? 2 : 1;

  Term term;
  DropoutMask mask;
  int channels;
  int rows;
  double* partials;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    if constexpr (is_host_exec<Exec>) {
      KOKKOS_IF_ON_HOST((on_host(team.league_rank());))
    } else {
      const int first = team.league_rank() * chunks_of_team(channels);
      const int left = int(norm_chunks(std::size_t(rows))) - first;
      const int count = left < chunks_of_team(channels) ? left : chunks_of_team(channels);
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count * channels),
                           [&](const int i) { sum_column(first + i / channels, i % channels); });
    }
  }

  /// A team of a device has 64 threads, or one chunk.
  static constexpr int team_threads = 64;
  KOKKOS_FUNCTION static int chunks_of_team(const int channels) {
    return is_host_exec<Exec> || channels >= team_threads ? 1 : team_threads / channels;
  }

 private:
  KOKKOS_FUNCTION int rows_of(const int chunk) const {
    const int left = rows - chunk * norm_chunk;
    return left < norm_chunk ? left : norm_chunk;
  }

  /// One channel of a chunk. The terms of eight rows are made before any is added, so that their loads wait together.
  KOKKOS_FUNCTION void sum_column(const int chunk, const int c) const {
    const std::size_t first = std::size_t(chunk) * norm_chunk * channels + c;
    const int count = rows_of(chunk);
    double sum[2] = {};
    const auto term_of = [&](const int row) {
      const std::size_t e = first + std::size_t(row) * channels;
      bool keep = true;
      if constexpr (masking == Masking::on) keep = mask.keeps(e);
      return term(e, c, keep);
    };
    const auto add = [&](const Kokkos::pair<T, T>& pair) {
      sum[0] = sum[0] + double(pair.first);
      sum[1] = Kokkos::fma(double(pair.first), double(pair.second), sum[1]);
    };
    int row = 0;
    for (; row + group <= count; row += group) {
      Kokkos::pair<T, T> pairs[group];
      for (int i = 0; i < group; ++i) pairs[i] = term_of(row + i);
      for (int i = 0; i < group; ++i) add(pairs[i]);
    }
    for (; row < count; ++row) add(term_of(row));
    double* const sums = partials + std::size_t(chunk) * width * channels;
    for (int i = 0; i < width; ++i) sums[i * channels + c] = sum[i];
  }

  void on_host(const int chunk) const {
    const int first = chunk * norm_chunk;
    const int last = first + rows_of(chunk);
    double* const sums = partials + std::size_t(chunk) * width * channels;
    for (int i = 0; i < width * channels; ++i) sums[i] = 0;
    for (int row = first; row < last; row += group)
      add_group(row, last - row < group ? last - row : group, sums);
  }

  void add_group(const int row, const int count, double* const sums) const {
    const std::size_t first = std::size_t(row) * channels;
    if constexpr (Term::is_source) {
      add_rows(term.src + first, term.src + first, channels, count, channels, sums);
    } else {
      alignas(64) T a[group * piece], b[group * piece];
      alignas(64) std::uint16_t room[group * piece + DropoutMask::padded(piece)];
      const bool narrow = channels <= piece;  // then the mask of the group is one stretch
      const std::uint16_t* group_halves = room;
      if (masking == Masking::on && narrow) group_halves = mask.fill(first, count * channels, room);
      for (int begin = 0; begin < channels; begin += piece) {
        const int length = channels - begin < piece ? channels - begin : piece;
        for (int r = 0; r < count; ++r) {
          const std::size_t e = first + std::size_t(r) * channels + begin;
          const std::uint16_t* halves = group_halves + r * channels;
          if (masking == Masking::on && !narrow) halves = mask.fill(e, length, room);
          prepare(e, begin, length, halves, a + r * piece, b + r * piece);
        }
        add_rows(a, b, piece, count, length, sums + begin);
      }
    }
  }

  void prepare(const std::size_t e, const int begin, const int length, const std::uint16_t* const halves, T* const a,
               T* const b) const {
    const Term here = term;
    const std::uint16_t threshold = mask.threshold();
#pragma omp simd
    for (int i = 0; i < length; ++i) {
      const auto pair = here(e + i, begin + i, masking == Masking::off || halves[i] >= threshold);
      a[i] = pair.first;
      b[i] = pair.second;
    }
  }

  /// a and b hold `count` rows of `length` entries, `stride` apart.
  void add_rows(const T* const a, const T* const b, const int stride, const int count, const int length,
                double* const sums) const {
    double* const sum_a = sums;
    double* const sum_ab = sums + channels;  // not touched if plain
    int r = 0;
    for (; r + 4 <= count; r += 4) {
      const T *const a0 = a + r * stride, *const a1 = a0 + stride, *const a2 = a1 + stride, *const a3 = a2 + stride;
      const T *const b0 = b + r * stride, *const b1 = b0 + stride, *const b2 = b1 + stride, *const b3 = b2 + stride;
#pragma omp simd
      for (int c = 0; c < length; ++c) {
        const double x0 = a0[c], x1 = a1[c], x2 = a2[c], x3 = a3[c];
        sum_a[c] = sum_a[c] + x0 + x1 + x2 + x3;
        if constexpr (Term::kind == SumKind::products) {
          const double two = Kokkos::fma(x1, double(b1[c]), Kokkos::fma(x0, double(b0[c]), sum_ab[c]));
          sum_ab[c] = Kokkos::fma(x3, double(b3[c]), Kokkos::fma(x2, double(b2[c]), two));
        }
      }
    }
    for (; r < count; ++r) {
      for (int c = 0; c < length; ++c) {
        const double x = a[r * stride + c];
        sum_a[c] = sum_a[c] + x;
        if constexpr (Term::kind == SumKind::products) sum_ab[c] = Kokkos::fma(x, double(b[r * stride + c]), sum_ab[c]);
      }
    }
  }
};

/// Joins the sums of neighbouring chunks, columns [0, columns) of partials [chunks, columns], in levels of 32 chunks,
/// so that different teams join different branches of the tree. The last level hands its results to finish(column,
/// sum).
template <class Exec, class Finish>
struct JoinChunks {
  static constexpr int branch = 32;
  static constexpr int column_block = 64;

  double* partials;
  int chunks;
  int columns;
  int stride;  // chunks that are joined already
  Finish finish;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    const int blocks = (columns + column_block - 1) / column_block;
    const int first = team.league_rank() % blocks * column_block;
    const int count = columns - first < column_block ? columns - first : column_block;
    const std::int64_t root = std::int64_t(team.league_rank() / blocks) * branch * stride;
    const std::int64_t end =
        root + branch * std::int64_t(stride) < chunks ? root + branch * std::int64_t(stride) : chunks;
    if constexpr (is_host_exec<Exec>) {
      // No barrier: a column stays with its thread.
      for (std::int64_t step = stride; step < end - root; step *= 2) {
        for (std::int64_t k = root; k + step < end; k += 2 * step) {
          double* const left = partials + k * columns + first;
          const double* const right = left + step * columns;
          Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count), [&](const int c) { left[c] = left[c] + right[c]; });
        }
      }
    } else {
      const int sums = int((end - root + stride - 1) / stride);
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count),
                           [&](const int c) { join(partials + root * columns + first + c, sums); });
    }
    if (std::int64_t(stride) * branch < chunks) return;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count),
                         [&](const int c) { finish(first + c, chunks == 0 ? 0.0 : partials[first + c]); });
  }

 private:
  /// The same tree in the registers of a device's thread: all sums are read before any is added.
  KOKKOS_FUNCTION void join(double* const column, const int count) const {
    double sum[branch];
    for (int k = 0; k < branch; ++k) sum[k] = k < count ? column[std::size_t(k) * stride * columns] : 0.0;
    for (int step = 1; step < branch; step *= 2)
      for (int k = 0; k + step < branch; k += 2 * step)
        if (k + step < count) sum[k] = sum[k] + sum[k + step];
    if (count > 0) column[0] = sum[0];
  }
};

/// The sums of all chunks, joined.
template <class T, class Exec, class Term, class Finish>
void chunk_sums(const char* const label, const Exec& exec, const Term& term, const Finish& finish,
                const Dropout& dropout, const int rows, const int channels, const Vector<double, Exec>& partials) {
  if (channels == 0) return;
  const int chunks = int(norm_chunks(std::size_t(rows)));
  const DropoutMask mask(dropout);
  double* const memory = partials.data();
  const auto launch = [&](const auto& sums) {
    const int together = sums.chunks_of_team(channels);
    Kokkos::parallel_for(label, block_policy(exec, (chunks + together - 1) / together, sums.team_threads), sums);
  };
  if (chunks > 0 && dropout.active())
    launch(ChunkSums<Exec, T, Term, Masking::on>{term, mask, channels, rows, memory});
  else if (chunks > 0)
    launch(ChunkSums<Exec, T, Term, Masking::off>{term, mask, channels, rows, memory});
  using Join = JoinChunks<Exec, Finish>;
  const int columns = (Term::kind == SumKind::products ? 2 : 1) * channels;
  const int blocks = (columns + Join::column_block - 1) / Join::column_block;
  std::int64_t stride = 1;
  do {
    const std::int64_t joined = stride * Join::branch;
    const int roots = chunks == 0 ? 1 : int((chunks + joined - 1) / joined);
    Kokkos::parallel_for("bcr::kernels::join_chunks", block_policy(exec, roots * blocks, Join::column_block),
                         Join{memory, chunks, columns, int(stride), finish});
    stride = joined;
  } while (stride < chunks);
}

}  // namespace bcr::kernels::impl

#endif
