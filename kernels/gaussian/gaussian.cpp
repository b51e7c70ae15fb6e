#include "kernels/gaussian/gaussian.hpp"

#include "kernels/reduce/fixed_sum.hpp"
#include "src/core/error.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <string_view>

namespace bcr::kernels {
namespace {

template <class View>
KOKKOS_FORCEINLINE_FUNCTION GaussianElement element_of(const View& rows, const int i, const int j, const int d) {
  return {.mean = double(rows(i, j)), .raw = double(rows(i, d + j))};
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void put(T& place, const double value, const bool adds) {
  place = adds ? T(double(place) + value) : T(value);
}

template <class Exec, class T>
struct SampleMap {
  ConstMatrix<T, Exec> src;
  GaussianNoise noise;
  Matrix<T, Exec> dst;
  int d;

  KOKKOS_FUNCTION void operator()(const std::size_t e) const {
    const int i = int(e / std::size_t(d)), j = int(e % std::size_t(d));
    const GaussianElement from = element_of(src, i, j, d);
    dst(i, j) = noise.drawn ? T(Kokkos::fma(Kokkos::sqrt(from.variance()), noise(e), from.mean)) : src(i, j);
  }
};

template <class Exec, class T>
struct SampleBackwardMap {
  ConstMatrix<T, Exec> src;
  GaussianNoise noise;
  ConstMatrix<T, Exec> diff_dst;
  Matrix<T, Exec> diff_src;
  int d;
  bool adds;

  KOKKOS_FUNCTION void operator()(const std::size_t e) const {
    const int i = int(e / std::size_t(d)), j = int(e % std::size_t(d));
    const GaussianElement from = element_of(src, i, j, d);
    const double diff = double(diff_dst(i, j));
    const double by_variance = noise.drawn ? diff * noise(e) / (2 * Kokkos::sqrt(from.variance())) : 0.0;
    put(diff_src(i, j), diff, adds);
    put(diff_src(i, d + j), by_variance * from.slope(), adds);
  }
};

template <class Exec, class T>
struct JoinRow {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  ConstMatrix<T, Exec> up;
  ConstMatrix<T, Exec> down;
  GaussianNoise noise;
  Matrix<T, Exec> dst;
  Vector<T, Exec> divergence;
  int d;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int i = team.league_rank();
    const auto accumulate = [&](const int j, const double sum) {
      const JoinedGaussian joined(element_of(up, i, j, d), element_of(down, i, j, d));
      const double deviation = noise.drawn ? Kokkos::sqrt(joined.variance) : 0.0;
      dst(i, j) = T(Kokkos::fma(deviation, noise(std::uint64_t(i) * d + j), joined.mean));
      return sum + joined.divergence();
    };
    const double total = team_sum(team, sum_scratch(team), d, accumulate);
    Kokkos::single(Kokkos::PerTeam(team), [&] { divergence(i) = T(total); });
  }
};

template <class Exec, class T>
struct JoinBackwardMap {
  ConstMatrix<T, Exec> up;
  ConstMatrix<T, Exec> down;
  GaussianNoise noise;
  ConstMatrix<T, Exec> diff_dst;
  ConstVector<T, Exec> diff_divergence;
  Matrix<T, Exec> diff_up;
  Matrix<T, Exec> diff_down;
  int d;
  bool adds_up;
  bool adds_down;

  KOKKOS_FUNCTION void operator()(const std::size_t e) const {
    const int i = int(e / std::size_t(d)), j = int(e % std::size_t(d));
    const GaussianElement from_up = element_of(up, i, j, d), from_down = element_of(down, i, j, d);
    const JoinedGaussian joined(from_up, from_down);
    const double diff = double(diff_dst(i, j));
    const double by_variance = noise.drawn ? diff * noise(e) / (2 * Kokkos::sqrt(joined.variance)) : 0.0;
    const auto by = joined.gradient(diff, by_variance, double(diff_divergence(i)));
    put(diff_up(i, j), by.up_mean, adds_up);
    put(diff_up(i, d + j), by.a * from_up.slope(), adds_up);
    put(diff_down(i, j), by.down_mean, adds_down);
    put(diff_down(i, d + j), by.b * from_down.slope(), adds_down);
  }
};

template <class Exec>
using Elements = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;

/// [N, 2 d] for a result [N, d].
template <class Gaussians, class Result>
void require_gaussians(const std::string_view operation, const std::string_view name, const Gaussians& rows,
                       const Result& dst) {
  require_shape(operation, name, rows, {dst.extent(0), 2 * dst.extent(1)});
}

}  // namespace

template <class Exec, class T>
void gaussian_sample(const Exec& exec, ConstMatrix<T, Exec> src, const GaussianNoise& noise, Matrix<T, Exec> dst) {
  require_gaussians("gaussian_sample", "src", src, dst);
  Kokkos::parallel_for("bcr::kernels::gaussian_sample", Elements<Exec>(exec, 0, dst.size()),
                       SampleMap<Exec, T>{src, noise, dst, dst.extent_int(1)});
}

template <class Exec, class T>
void gaussian_sample_backward(const Exec& exec, ConstMatrix<T, Exec> src, const GaussianNoise& noise,
                              ConstMatrix<T, Exec> diff_dst, const ChainStart start, Matrix<T, Exec> diff_src) {
  require_gaussians("gaussian_sample_backward", "src", src, diff_dst);
  require_gaussians("gaussian_sample_backward", "diff_src", diff_src, diff_dst);
  Kokkos::parallel_for("bcr::kernels::gaussian_sample_backward", Elements<Exec>(exec, 0, diff_dst.size()),
                       SampleBackwardMap<Exec, T>{src, noise, diff_dst, diff_src, diff_dst.extent_int(1),
                                                  start == ChainStart::dst});
}

template <class Exec, class T>
void gaussian_join(const Exec& exec, ConstMatrix<T, Exec> up, ConstMatrix<T, Exec> down, const GaussianNoise& noise,
                   Matrix<T, Exec> dst, Vector<T, Exec> divergence) {
  require_gaussians("gaussian_join", "up", up, dst);
  require_gaussians("gaussian_join", "down", down, dst);
  require_shape("gaussian_join", "divergence", divergence, {dst.extent(0)});
  if (dst.extent(0) == 0) return;
  auto teams = block_policy(exec, dst.extent_int(0), 64);
  teams.set_scratch_size(0, Kokkos::PerTeam(sum_scratch_bytes));
  Kokkos::parallel_for("bcr::kernels::gaussian_join", teams,
                       JoinRow<Exec, T>{up, down, noise, dst, divergence, dst.extent_int(1)});
}

template <class Exec, class T>
void gaussian_join_backward(const Exec& exec, ConstMatrix<T, Exec> up, ConstMatrix<T, Exec> down,
                            const GaussianNoise& noise, ConstMatrix<T, Exec> diff_dst,
                            ConstVector<T, Exec> diff_divergence, const GaussianGradient<Exec, T>& diff_up,
                            const GaussianGradient<Exec, T>& diff_down) {
  require_gaussians("gaussian_join_backward", "up", up, diff_dst);
  require_gaussians("gaussian_join_backward", "down", down, diff_dst);
  require_gaussians("gaussian_join_backward", "diff_up", diff_up.diff, diff_dst);
  require_gaussians("gaussian_join_backward", "diff_down", diff_down.diff, diff_dst);
  require_shape("gaussian_join_backward", "diff_divergence", diff_divergence, {diff_dst.extent(0)});
  Kokkos::parallel_for(
      "bcr::kernels::gaussian_join_backward", Elements<Exec>(exec, 0, diff_dst.size()),
      JoinBackwardMap<Exec, T>{up, down, noise, diff_dst, diff_divergence, diff_up.diff, diff_down.diff,
                               diff_dst.extent_int(1), diff_up.start == ChainStart::dst,
                               diff_down.start == ChainStart::dst});
}

#define BCR_INSTANCE(Exec, T)                                                                                        \
  template void gaussian_sample<Exec, T>(const Exec&, ConstMatrix<T, Exec>, const GaussianNoise&, Matrix<T, Exec>);  \
  template void gaussian_sample_backward<Exec, T>(const Exec&, ConstMatrix<T, Exec>, const GaussianNoise&,           \
                                                  ConstMatrix<T, Exec>, ChainStart, Matrix<T, Exec>);                \
  template void gaussian_join<Exec, T>(const Exec&, ConstMatrix<T, Exec>, ConstMatrix<T, Exec>,                      \
                                       const GaussianNoise&, Matrix<T, Exec>, Vector<T, Exec>);                      \
  template void gaussian_join_backward<Exec, T>(const Exec&, ConstMatrix<T, Exec>, ConstMatrix<T, Exec>,             \
                                                const GaussianNoise&, ConstMatrix<T, Exec>, ConstVector<T, Exec>,    \
                                                const GaussianGradient<Exec, T>&, const GaussianGradient<Exec, T>&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
