#include "kernels/reduce/reduce.hpp"

#include "kernels/reduce/fixed_sum.hpp"
#include "src/core/instances.hpp"

#include <string>

namespace bcr::kernels {
namespace {

constexpr int chunks_per_team = 16;

template <class Exec, class T>
struct Values {
  ConstVector<T, Exec> src;
  KOKKOS_FUNCTION double operator()(const int i, const double sum) const { return sum + double(src(i)); }
};

template <class Exec, class T>
struct Products {
  ConstVector<T, Exec> a;
  ConstVector<T, Exec> b;
  KOKKOS_FUNCTION double operator()(const int i, const double sum) const {
    return Kokkos::fma(double(a(i)), double(b(i)), sum);
  }
};

struct Identity {
  KOKKOS_FUNCTION double operator()(const double total) const { return total; }
};

struct Root {
  KOKKOS_FUNCTION double operator()(const double total) const { return Kokkos::sqrt(total); }
};

template <class Exec, class Accumulate>
struct ChunkSums {
  Accumulate accumulate;
  int length;
  Vector<double, Exec> partials;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    double* const scratch = sum_scratch(team);
    const int first = team.league_rank() * chunks_per_team;
    const int last = Kokkos::min(first + chunks_per_team, sum_chunks(length));
    for (int chunk = first; chunk < last; ++chunk) {
      const int begin = chunk * sum_chunk;
      const int end = Kokkos::min(length - begin, int(sum_chunk)) + begin;
      const double value = chunk_sum(team, scratch, begin, end, accumulate);
      Kokkos::single(Kokkos::PerTeam(team), [&] { partials(chunk) = value; });
    }
  }
};

/// The tree of neighbours in place: at stride s, entry i takes in entry i + s for every i that is a multiple of 2 s.
template <class Exec, class Finish>
struct JoinChunks {
  Vector<double, Exec> partials;
  int chunks;
  Finish finish;
  DeviceScalar<Exec> dst;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    for (int stride = 1; stride < chunks; stride *= 2) {
      const int pairs = (chunks - stride + 2 * stride - 1) / (2 * stride);
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, pairs), [&](const int pair) {
        const int i = 2 * stride * pair;
        partials(i) = partials(i) + partials(i + stride);
      });
      team.team_barrier();
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] { dst() = finish(chunks == 0 ? 0.0 : partials(0)); });
  }
};

/// Whole texts, because composing them would allocate at every call.
struct SumLabels {
  const char* operation;
  const char* chunks;
  const char* join;
};

template <class Exec, class Accumulate, class Finish>
void launch(const SumLabels& labels, const Exec& exec, const Accumulate& accumulate, const int length,
            const Vector<double, Exec>& partials, const Finish& finish, const DeviceScalar<Exec>& dst) {
  const int chunks = sum_chunks(length);
  if (partials.extent_int(0) < chunks) {
    throw ShapeError(labels.operation, "partials of at least " + std::to_string(chunks) + " entries",
                     std::to_string(partials.extent(0)));
  }
  if (chunks > 0) {
    const int teams = (chunks + chunks_per_team - 1) / chunks_per_team;
    Kokkos::parallel_for(labels.chunks,
                         block_policy(exec, teams).set_scratch_size(0, Kokkos::PerTeam(sum_scratch_bytes)),
                         ChunkSums<Exec, Accumulate>{accumulate, length, partials});
  }
  Kokkos::parallel_for(labels.join, block_policy(exec, 1), JoinChunks<Exec, Finish>{partials, chunks, finish, dst});
}

}  // namespace

template <class Exec, class T>
void sum(const Exec& exec, ConstVector<T, Exec> src, Vector<double, Exec> partials, DeviceScalar<Exec> dst) {
  launch<Exec>({"sum", "bcr::kernels::sum", "bcr::kernels::sum::join"}, exec, Values<Exec, T>{src}, src.extent_int(0),
               partials, Identity{}, dst);
}

template <class Exec, class T>
void dot(const Exec& exec, ConstVector<T, Exec> a, ConstVector<T, Exec> b, Vector<double, Exec> partials,
         DeviceScalar<Exec> dst) {
  require_shape("dot", "b", b, shape(a));
  launch<Exec>({"dot", "bcr::kernels::dot", "bcr::kernels::dot::join"}, exec, Products<Exec, T>{a, b}, a.extent_int(0),
               partials, Identity{}, dst);
}

template <class Exec, class T>
void norm2(const Exec& exec, ConstVector<T, Exec> src, Vector<double, Exec> partials, DeviceScalar<Exec> dst) {
  launch<Exec>({"norm2", "bcr::kernels::norm2", "bcr::kernels::norm2::join"}, exec, Products<Exec, T>{src, src},
               src.extent_int(0), partials, Root{}, dst);
}

#define BCR_INSTANCE(Exec, T)                                                                               \
  template void sum<Exec, T>(const Exec&, ConstVector<T, Exec>, Vector<double, Exec>, DeviceScalar<Exec>);  \
  template void dot<Exec, T>(const Exec&, ConstVector<T, Exec>, ConstVector<T, Exec>, Vector<double, Exec>, \
                             DeviceScalar<Exec>);                                                           \
  template void norm2<Exec, T>(const Exec&, ConstVector<T, Exec>, Vector<double, Exec>, DeviceScalar<Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
