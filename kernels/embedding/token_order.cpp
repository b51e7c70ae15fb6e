#include "kernels/embedding/token_order.hpp"

#include "kernels/embedding/embedding.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <cstddef>

namespace bcr::kernels::impl {
namespace {

/// One stable pass of a radix sort, by one team: thread k moves the k-th of equal stretches of the positions. How many
/// threads there are and how wide a digit is change nothing of the result. One team is enough: a batch has some
/// ten thousand positions, and the products beside it take a thousand times as long.
template <class Exec>
struct RadixPass {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Counts = Kokkos::View<int*, typename Exec::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  static constexpr int digit_bits = is_host_exec<Exec> ? 8 : 4;
  static constexpr int digits = 1 << digit_bits;

  const std::int32_t* tokens;
  const std::int32_t* src;  ///< positions, or null for 0, 1, 2, ...
  std::int32_t* dst;
  int size;
  int vocabulary;
  int shift;

  KOKKOS_FORCEINLINE_FUNCTION std::int32_t position(const int k) const { return src == nullptr ? k : src[k]; }
  KOKKOS_FORCEINLINE_FUNCTION int digit(const std::int32_t position) const {
    const std::int32_t token = tokens[position];
    return (token == no_token ? vocabulary : token) >> shift & (digits - 1);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int threads = team.team_size();
    const Counts counts(team.team_scratch(0), static_cast<std::size_t>(digits) * threads);
    const int stretch = (size + threads - 1) / threads;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, threads), [&](const int thread) {
      for (int d = 0; d < digits; ++d) counts(d * threads + thread) = 0;
      const int end = Kokkos::min(size, (thread + 1) * stretch);
      for (int k = thread * stretch; k < end; ++k) ++counts(digit(position(k)) * threads + thread);
    });
    team.team_barrier();
    Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, digits * threads),
                          [&](const int k, int& before, const bool last) {
                            const int here = counts(k);
                            if (last) counts(k) = before;
                            before += here;
                          });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, threads), [&](const int thread) {
      const int end = Kokkos::min(size, (thread + 1) * stretch);
      for (int k = thread * stretch; k < end; ++k) {
        const std::int32_t from = position(k);
        dst[counts(digit(from) * threads + thread)++] = from;
      }
    });
  }
};

}  // namespace

template <class Exec>
void token_order(const Exec& exec, ConstMatrix<std::int32_t, Exec> tokens, const int vocabulary,
                 Vector<std::int32_t, Exec> order, Vector<std::int32_t, Exec> spare) {
  require_shape("token_order", "order", order, {tokens.size()});
  require_shape("token_order", "spare", spare, {tokens.size()});
  if (tokens.size() == 0) return;
  using Pass = RadixPass<Exec>;
  int passes = 1;
  while (vocabulary >> (passes * Pass::digit_bits) != 0) ++passes;
  const std::int32_t* src = nullptr;
  for (int pass = 0; pass < passes; ++pass) {
    std::int32_t* const dst = (passes - pass) % 2 == 1 ? order.data() : spare.data();  // the last one ends in `order`
    auto policy = block_policy(exec, 1, 256);
    const auto scratch = Pass::Counts::shmem_size(static_cast<std::size_t>(Pass::digits) * policy.team_size());
    Kokkos::parallel_for(
        "bcr::kernels::token_order", policy.set_scratch_size(0, Kokkos::PerTeam(scratch)),
        Pass{tokens.data(), src, dst, static_cast<int>(tokens.size()), vocabulary, pass * Pass::digit_bits});
    src = dst;
  }
}

#define BCR_INSTANCE(Exec)                                                                                       \
  template void token_order<Exec>(const Exec&, ConstMatrix<std::int32_t, Exec>, int, Vector<std::int32_t, Exec>, \
                                  Vector<std::int32_t, Exec>);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels::impl
