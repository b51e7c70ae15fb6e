#ifndef BCR_KERNELS_REDUCE_FIXED_SUM_HPP
#define BCR_KERNELS_REDUCE_FIXED_SUM_HPP

#include "src/core/launch.hpp"

#include <Kokkos_Core.hpp>

namespace bcr::kernels {

/// The one order in which this project sums a list x_0 .. x_{n-1}, whatever the backend, team size or vector width:
///   chunk k is x_{1024 k} .. x_{1024 k + 1023}, the last one shorter;
///   lane l of 32 adds the chunk's entries l, l + 32, l + 64, ... to +0, ascending;
///   the lanes are joined by a binary tree: l + (l + 16) for l < 16, then + 8, 4, 2, 1;
///   the chunk sums are joined by the tree of neighbours: (s_0 + s_1), (s_2 + s_3), ...; what is left over moves up.
/// Accumulation is in double for every input type. Error: at most (37 + log2(n / 1024)) u sum |x_i|, u = 2^-53.
inline constexpr int sum_chunk = 1024;
inline constexpr int sum_lanes = 32;

/// Chunks of a list: the number of partial sums a kernel must keep when different teams sum different chunks.
KOKKOS_INLINE_FUNCTION int sum_chunks(const int length) {
  return (length + sum_chunk - 1) / sum_chunk;
}

/// Joins chunk sums that arrive in ascending order by the tree of neighbours, keeping one open node per level.
class NeighbourTree {
 public:
  KOKKOS_FUNCTION void push(double sum) {
    int level = 0;
    for (unsigned bits = count_++; (bits & 1u) != 0; bits >>= 1) sum = open_[level++] + sum;
    open_[level] = sum;
  }

  KOKKOS_FUNCTION double result() const {
    double sum = 0;
    bool empty = true;
    for (int level = 0; level < levels; ++level) {
      if ((count_ >> level & 1u) == 0) continue;
      sum = empty ? open_[level] : open_[level] + sum;
      empty = false;
    }
    return sum;
  }

 private:
  static constexpr int levels = 22;  // 2^31 entries are 2^21 chunks
  double open_[levels] = {};
  unsigned count_ = 0;
};

/// Bytes of team scratch (level 0) that chunk_sum and team_sum use.
inline constexpr int sum_scratch_bytes = sum_lanes * int(sizeof(double)) + 64;

/// The scratch of chunk_sum and team_sum; ask for it once per team.
template <class Member>
KOKKOS_FUNCTION double* sum_scratch(const Member& team) {
  return static_cast<double*>(team.team_scratch(0).get_shmem_aligned(sum_lanes * sizeof(double), 64));
}

namespace impl {
KOKKOS_INLINE_FUNCTION double join_lanes(const double* const lanes) {
  double half[sum_lanes / 2];
  for (int l = 0; l < sum_lanes / 2; ++l) half[l] = lanes[l] + lanes[l + sum_lanes / 2];
  for (int width = sum_lanes / 4; width > 0; width /= 2)
    for (int l = 0; l < width; ++l) half[l] = half[l] + half[l + width];
  return half[0];
}
}  // namespace impl

/// The sum over i in [begin, end), at most one chunk, known to every thread of the team. accumulate(i, sum) is called
/// once for each i and returns sum + x_i, or fma(a_i, b_i, sum) for a product; it may also store x_i.
template <class Member, class Accumulate>
KOKKOS_FUNCTION double chunk_sum(const Member& team, double* const scratch, const int begin, const int end,
                                 const Accumulate& accumulate) {
  if constexpr (is_host_exec<typename Member::execution_space>) {
    double lanes[sum_lanes] = {};
    int i = begin;
    for (; i + sum_lanes <= end; i += sum_lanes) {
#pragma omp simd
      for (int l = 0; l < sum_lanes; ++l) lanes[l] = accumulate(i + l, lanes[l]);
    }
    for (int l = 0; i + l < end; ++l) lanes[l] = accumulate(i + l, lanes[l]);
    return impl::join_lanes(lanes);
  } else {
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, int(sum_lanes)), [&](const int l) {
      double sum = 0;
      for (int i = begin + l; i < end; i += sum_lanes) sum = accumulate(i, sum);
      scratch[l] = sum;
    });
    team.team_barrier();
    return impl::join_lanes(scratch);
  }
}

/// The sum over i in [0, length) by one team: a row of logits, say. Same conditions as chunk_sum.
template <class Member, class Accumulate>
KOKKOS_FUNCTION double team_sum(const Member& team, double* const scratch, const int length,
                                const Accumulate& accumulate) {
  NeighbourTree tree;
  for (int begin = 0; begin < length; begin += sum_chunk) {
    tree.push(chunk_sum(team, scratch, begin, Kokkos::min(begin + sum_chunk, length), accumulate));
  }
  return tree.result();
}

}  // namespace bcr::kernels

#endif
