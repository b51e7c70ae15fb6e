#include "kernels/reduce/reduce.hpp"

#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <cstdint>

namespace bcr::kernels {
namespace {

template <class Exec>
constexpr int lanes_of = is_host_exec<Exec> ? 16 : 32;

/// The smallest: for the largest the signs are turned over, which is exact.
struct Smallest {
  template <class T>
  KOKKOS_FUNCTION static T key(const T value) {
    return value;
  }
};

struct Largest {
  template <class T>
  KOKKOS_FUNCTION static T key(const T value) {
    return -value;
  }
};

/// Whether a new key beats an older one; equal keys do not, and two NaN are equal here.
template <class T>
KOKKOS_FUNCTION bool beats(const T fresh, const T old) {
  return (fresh < old) | ((fresh != fresh) & (old == old));
}

/// Index before key: a lane that has seen nothing holds the first column, which is never wrong.
template <class Exec, class T, class Extreme>
struct RowExtreme {
  ConstMatrix<T, Exec> src;
  Labels<Exec> index;
  Vector<T, Exec> value;
  int rows_per_team;

  struct Best {
    T key;
    std::int32_t column;
  };

  static constexpr int lanes = lanes_of<Exec>;
  static constexpr int scratch_bytes = is_host_exec<Exec> ? 0 : lanes * int(sizeof(Best)) + 64;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int first = team.league_rank() * rows_per_team;
    const int last = Kokkos::min(first + rows_per_team, src.extent_int(0));
    for (int row = first; row < last; ++row) {
      if constexpr (is_host_exec<Exec>)
        on_host(row);
      else
        on_device(team, row);
    }
  }

  KOKKOS_FUNCTION void on_host(const int row) const {
    const int columns = src.extent_int(1);
    const T* const values = &src(row, 0);
    T key[lanes];
    std::int32_t column[lanes];
    for (int l = 0; l < lanes; ++l) {
      key[l] = Extreme::key(values[0]);
      column[l] = 0;
    }
    int begin = 0;
    for (; begin + lanes <= columns; begin += lanes) {
#pragma omp simd
      for (int l = 0; l < lanes; ++l) {
        const T fresh = Extreme::key(values[begin + l]);
        const bool better = beats(fresh, key[l]);
        key[l] = better ? fresh : key[l];
        column[l] = better ? begin + l : column[l];
      }
    }
    for (int c = begin; c < columns; ++c) {
      const T fresh = Extreme::key(values[c]);
      if (!beats(fresh, key[c - begin])) continue;
      key[c - begin] = fresh;
      column[c - begin] = c;
    }
    Best best{key[0], column[0]};
    const int used = Kokkos::min(int(lanes), columns);
    for (int l = 1; l < used; ++l) best = better_of(best, Best{key[l], column[l]});
    store(row, best);
  }

  KOKKOS_FUNCTION void on_device(const Member& team, const int row) const {
    Best* const scratch = static_cast<Best*>(team.team_scratch(0).get_shmem_aligned(lanes * sizeof(Best), 64));
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, int(lanes)), [&](const int l) {
      Best best{Extreme::key(src(row, 0)), 0};
      for (int c = l; c < src.extent_int(1); c += lanes) {
        const T fresh = Extreme::key(src(row, c));
        if (beats(fresh, best.key)) best = Best{fresh, c};
      }
      scratch[l] = best;
    });
    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      Best best = scratch[0];
      for (int l = 1; l < lanes; ++l) best = better_of(best, scratch[l]);
      store(row, best);
    });
  }

  KOKKOS_FUNCTION static Best better_of(const Best& a, const Best& b) {
    const bool take_b = beats(b.key, a.key) || (!beats(a.key, b.key) && b.column < a.column);
    return Best{take_b ? b.key : a.key, take_b ? b.column : a.column};
  }

  KOKKOS_FUNCTION void store(const int row, const Best& best) const {
    index(row) = best.column;
    value(row) = src(row, best.column);
  }
};

template <class Extreme, class Exec, class T>
void launch(const char* const operation, const char* const label, const Exec& exec, const ConstMatrix<T, Exec>& src,
            const Labels<Exec>& index, const Vector<T, Exec>& value) {
  const int rows = src.extent_int(0);
  require<ShapeError>(rows == 0 || src.extent(1) > 0, operation, "src with at least one column", "no column");
  require_shape(operation, "index", index, {src.extent(0)});
  require_shape(operation, "value", value, {src.extent(0)});
  if (rows == 0) return;
  using Functor = RowExtreme<Exec, T, Extreme>;
  const int rows_per_team = is_host_exec<Exec> ? 16 : 1;
  const int teams = (rows + rows_per_team - 1) / rows_per_team;
  Kokkos::parallel_for(
      label, block_policy(exec, teams, lanes_of<Exec>).set_scratch_size(0, Kokkos::PerTeam(Functor::scratch_bytes)),
      Functor{src, index, value, rows_per_team});
}

}  // namespace

template <class Exec, class T>
void row_argmin(const Exec& exec, ConstMatrix<T, Exec> src, Labels<Exec> index, Vector<T, Exec> value) {
  launch<Smallest, Exec, T>("row_argmin", "bcr::kernels::row_argmin", exec, src, index, value);
}

template <class Exec, class T>
void row_argmax(const Exec& exec, ConstMatrix<T, Exec> src, Labels<Exec> index, Vector<T, Exec> value) {
  launch<Largest, Exec, T>("row_argmax", "bcr::kernels::row_argmax", exec, src, index, value);
}

#define BCR_INSTANCE(Exec, T)                                                                          \
  template void row_argmin<Exec, T>(const Exec&, ConstMatrix<T, Exec>, Labels<Exec>, Vector<T, Exec>); \
  template void row_argmax<Exec, T>(const Exec&, ConstMatrix<T, Exec>, Labels<Exec>, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
