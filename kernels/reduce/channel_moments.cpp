#include "kernels/reduce/reduce.hpp"

#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <string>

namespace bcr::kernels {
namespace {

constexpr int channel_block = 64;

struct Value {
  KOKKOS_FUNCTION static double add(const double sum, const double x, double) { return sum + x; }
};

struct SquaredDeviation {
  KOKKOS_FUNCTION static double add(const double sum, const double x, const double mean) {
    const double deviation = x - mean;
    return Kokkos::fma(deviation, deviation, sum);
  }
};

/// One team sums one chunk of rows into its row of partials. A host thread streams whole rows and keeps the sums in
/// that row (it stays in the first cache); a device thread walks down its channels with the sum in a register.
template <class Exec, class T, class Term>
struct ChunkMoments {
  ConstMatrix<T, Exec> src;
  Vector<double, Exec> mean;
  Matrix<double, Exec> partials;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    const int chunk = team.league_rank();
    const int channels = src.extent_int(1);
    const int first = chunk * moment_chunk;
    const int last = Kokkos::min(first + moment_chunk, src.extent_int(0));
    if constexpr (is_host_exec<Exec>) {
      double* KOKKOS_RESTRICT const sums = &partials(chunk, 0);
      const double* KOKKOS_RESTRICT const centre = mean.data();
      for (int c = 0; c < channels; ++c) sums[c] = 0;
      int row = first;
      for (; row + 4 <= last; row += 4) {
        const T* const x0 = &src(row, 0);
        const T* const x1 = &src(row + 1, 0);
        const T* const x2 = &src(row + 2, 0);
        const T* const x3 = &src(row + 3, 0);
#pragma omp simd
        for (int c = 0; c < channels; ++c) {
          double sum = Term::add(sums[c], double(x0[c]), centre[c]);
          sum = Term::add(sum, double(x1[c]), centre[c]);
          sum = Term::add(sum, double(x2[c]), centre[c]);
          sums[c] = Term::add(sum, double(x3[c]), centre[c]);
        }
      }
      for (; row < last; ++row)
        for (int c = 0; c < channels; ++c) sums[c] = Term::add(sums[c], double(src(row, c)), centre[c]);
    } else {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, channels), [&](const int c) {
        double sum = 0;
        for (int row = first; row < last; ++row) sum = Term::add(sum, double(src(row, c)), mean(c));
        partials(chunk, c) = sum;
      });
    }
  }
};

/// The tree of neighbours down each column of partials, then the division. No barrier: a channel stays with its thread.
template <class Exec>
struct JoinChannels {
  Matrix<double, Exec> partials;
  int chunks;
  int rows;
  Vector<double, Exec> dst;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    const int first = team.league_rank() * channel_block;
    const int count = Kokkos::min(int(channel_block), dst.extent_int(0) - first);
    for (int stride = 1; stride < chunks; stride *= 2) {
      for (int k = 0; k + stride < chunks; k += 2 * stride) {
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count), [&](const int c) {
          partials(k, first + c) = partials(k, first + c) + partials(k + stride, first + c);
        });
      }
    }
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count),
                         [&](const int c) { dst(first + c) = partials(0, first + c) / double(rows); });
  }
};

}  // namespace

template <class Exec, class T>
void channel_moments(const Exec& exec, ConstMatrix<T, Exec> src, Matrix<double, Exec> partials,
                     Vector<double, Exec> mean, Vector<double, Exec> variance) {
  const int rows = src.extent_int(0);
  const int channels = src.extent_int(1);
  const int chunks = int(moment_chunks(src.extent(0)));
  require_shape("channel_moments", "mean", mean, {src.extent(1)});
  require_shape("channel_moments", "variance", variance, {src.extent(1)});
  if (channels == 0) return;
  require<ShapeError>(rows > 0, "channel_moments", "src with at least one row", "no row");
  if (partials.extent_int(0) < chunks || partials.extent(1) != src.extent(1)) {
    throw ShapeError("channel_moments", "partials of shape [" + std::to_string(chunks) + " or more, channels]",
                     shape_text(shape(partials)));
  }
  const auto join = [&](const char* const label, const Vector<double, Exec>& dst) {
    const int teams = (channels + channel_block - 1) / channel_block;
    Kokkos::parallel_for(label, block_policy(exec, teams, channel_block),
                         JoinChannels<Exec>{partials, chunks, rows, dst});
  };
  Kokkos::parallel_for("bcr::kernels::channel_moments::sum", block_policy(exec, chunks),
                       ChunkMoments<Exec, T, Value>{src, mean, partials});
  join("bcr::kernels::channel_moments::mean", mean);
  Kokkos::parallel_for("bcr::kernels::channel_moments::deviation", block_policy(exec, chunks),
                       ChunkMoments<Exec, T, SquaredDeviation>{src, mean, partials});
  join("bcr::kernels::channel_moments::variance", variance);
}

#define BCR_INSTANCE(Exec, T)                                                                     \
  template void channel_moments<Exec, T>(const Exec&, ConstMatrix<T, Exec>, Matrix<double, Exec>, \
                                         Vector<double, Exec>, Vector<double, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
