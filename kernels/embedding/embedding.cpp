#include "kernels/embedding/embedding.hpp"

#include "kernels/conv/window.hpp"
#include "kernels/embedding/token_order.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

namespace bcr::kernels {
namespace {

/// Positions that a team takes, one after the other.
constexpr int block = 64;

int blocks(const std::size_t positions) {
  return static_cast<int>((positions + block - 1) / block);
}

template <class Exec, class T>
struct Gather {
  const std::int32_t* tokens;
  ConstMatrix<T, Exec> table;
  Matrix<T, Exec> dst;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    const int first = team.league_rank() * block;
    const int last = Kokkos::min(first + int(block), dst.extent_int(0));
    for (int at = first; at < last; ++at) {
      const std::int32_t token = tokens[at];
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, table.extent_int(1)),
                           [&](const int e) { dst(at, e) = token == no_token ? T(0) : table(token, e); });
    }
  }
};

/// The positions of a token lie side by side in `order`; whoever meets the first of them adds them all up.
template <class Exec, class T>
struct SumRuns {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int columns = 64;  ///< at a time, on hosts

  const std::int32_t* tokens;
  const std::int32_t* order;
  ConstMatrix<T, Exec> diff_dst;
  std::int32_t padding;
  Matrix<T, Exec> diff_table;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int size = diff_dst.extent_int(0);
    const int begin = team.league_rank() * block;
    const int end = Kokkos::min(begin + int(block), size);
    for (int k = begin; k < end; ++k) {
      const std::int32_t token = tokens[order[k]];
      if (token == no_token || token == padding) continue;
      if (k > 0 && tokens[order[k - 1]] == token) continue;
      int last = k + 1;
      while (last < size && tokens[order[last]] == token) ++last;
      sum_run(team, token, k, last);
    }
  }

 private:
  KOKKOS_FUNCTION void sum_run(const Member& team, const std::int32_t token, const int first, const int last) const {
    const int width = diff_table.extent_int(1);
    if constexpr (is_host_exec<Exec>) {
      for (int e = 0; e < width; e += columns) {
        double sum[columns] = {};
        const int count = Kokkos::min(int(columns), width - e);
        for (int k = first; k < last; ++k) {
          const T* const diff = &diff_dst(order[k], e);
#pragma omp simd
          for (int c = 0; c < count; ++c) sum[c] = sum[c] + double(diff[c]);
        }
        for (int c = 0; c < count; ++c) diff_table(token, e + c) = T(sum[c]);
      }
    } else {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, width), [&](const int e) {
        double sum = 0;
        for (int k = first; k < last; ++k) sum = sum + double(diff_dst(order[k], e));
        diff_table(token, e) = T(sum);
      });
    }
  }
};

}  // namespace

template <class Exec, class T>
void embedding_forward(const Exec& exec, ConstMatrix<std::int32_t, Exec> tokens, ConstMatrix<T, Exec> table,
                       Matrix<T, Exec> dst) {
  require_shape("embedding_forward", "dst", dst, {tokens.size(), table.extent(1)});
  if (dst.size() == 0) return;
  Kokkos::parallel_for("bcr::kernels::embedding_forward", block_policy(exec, blocks(tokens.size()), 64),
                       Gather<Exec, T>{tokens.data(), table, dst});
}

template <class Exec, class T>
void embedding_backward(const Exec& exec, ConstMatrix<std::int32_t, Exec> tokens, ConstMatrix<T, Exec> diff_dst,
                        const std::int32_t padding, Matrix<T, Exec> diff_table, Vector<std::int32_t, Exec> workspace) {
  const std::size_t positions = tokens.size();
  require_shape("embedding_backward", "diff_dst", diff_dst, {positions, diff_table.extent(1)});
  impl::require_workspace("embedding_backward", workspace, embedding_workspace_size(positions));
  Kokkos::deep_copy(exec, diff_table, T(0));
  if (diff_dst.size() == 0) return;
  const Vector<std::int32_t, Exec> order(workspace.data(), positions);
  const Vector<std::int32_t, Exec> spare(workspace.data() + positions, positions);
  impl::token_order<Exec>(exec, tokens, diff_table.extent_int(0), order, spare);
  Kokkos::parallel_for("bcr::kernels::embedding_backward", block_policy(exec, blocks(positions), 64),
                       SumRuns<Exec, T>{tokens.data(), order.data(), diff_dst, padding, diff_table});
}

std::size_t embedding_workspace_size(const std::size_t positions) {
  return 2 * positions;
}

#define BCR_INSTANCE(Exec, T)                                                                                   \
  template void embedding_forward<Exec, T>(const Exec&, ConstMatrix<std::int32_t, Exec>, ConstMatrix<T, Exec>,  \
                                           Matrix<T, Exec>);                                                    \
  template void embedding_backward<Exec, T>(const Exec&, ConstMatrix<std::int32_t, Exec>, ConstMatrix<T, Exec>, \
                                            std::int32_t, Matrix<T, Exec>, Vector<std::int32_t, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
