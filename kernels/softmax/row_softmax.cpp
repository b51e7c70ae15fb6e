#include "kernels/softmax/row_softmax.hpp"

#include "kernels/math/exp.hpp"
#include "kernels/math/log.hpp"
#include "kernels/reduce/fixed_sum.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

namespace bcr::kernels {
namespace {

enum class Output { log_sum_exp, softmax };

template <class Exec, class T, Output output>
struct RowSoftmax {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr bool host = is_host_exec<Exec>;
  static constexpr int rows_per_team = host ? 16 : 1;

  ConstMatrix<T, Exec> src;
  double scale;
  Matrix<T, Exec> dst;
  Vector<T, Exec> log_sum_exp;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    double* const scratch = sum_scratch(team);
    const int first = team.league_rank() * rows_per_team;
    const int last = Kokkos::min(first + rows_per_team, src.extent_int(0));
    for (int row = first; row < last; ++row) one_row(team, scratch, row);
  }

  KOKKOS_FUNCTION void one_row(const Member& team, double* const scratch, const int row) const {
    const int columns = src.extent_int(1);
    const T* const from = &src(row, 0);
    const double largest = row_maximum(team, scratch, from, columns);
    T* const to = output == Output::softmax ? &dst(row, 0) : nullptr;
    const double total = team_sum(team, scratch, columns, [=, factor = scale](const int c, const double sum) {
      const T exponential = T(strict::exp(Kokkos::fma(factor, double(from[c]), -largest)));
      if constexpr (output == Output::softmax) to[c] = exponential;
      return sum + double(exponential);
    });
    Kokkos::single(Kokkos::PerTeam(team), [&] { log_sum_exp(row) = T(largest + strict::log(total)); });
    if constexpr (output == Output::softmax) {
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, columns),
                           [=](const int c) { to[c] = T(double(to[c]) / total); });
      team.team_barrier();
    }
  }

  /// Of the numbers in the row; a NaN is passed over here and comes back through its exponential.
  KOKKOS_FUNCTION double row_maximum(const Member& team, double* const scratch, const T* const from,
                                     const int columns) const {
    const auto larger = [](const double a, const double b) { return b > a ? b : a; };
    double local[sum_lanes];
    double* const lanes = host ? local : scratch;
    if constexpr (host) {
      for (int l = 0; l < sum_lanes; ++l) lanes[l] = -Kokkos::Experimental::infinity_v<double>;
      int c = 0;
      for (; c + sum_lanes <= columns; c += sum_lanes) {
#pragma omp simd
        for (int l = 0; l < sum_lanes; ++l) local[l] = larger(local[l], scale * double(from[c + l]));
      }
      for (int l = 0; c + l < columns; ++l) local[l] = larger(local[l], scale * double(from[c + l]));
    } else {
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, int(sum_lanes)), [&](const int l) {
        double best = -Kokkos::Experimental::infinity_v<double>;
        for (int c = l; c < columns; c += sum_lanes) best = larger(best, scale * double(from[c]));
        lanes[l] = best;
      });
      team.team_barrier();
    }
    double best = lanes[0];
    for (int l = 1; l < sum_lanes; ++l) best = larger(best, lanes[l]);
    return best;
  }
};

template <Output output, class Exec, class T>
void launch(const char* const operation, const char* const label, const Exec& exec, const ConstMatrix<T, Exec>& src,
            const T scale, const Matrix<T, Exec>& dst, const Vector<T, Exec>& log_sum_exp) {
  require<ShapeError>(src.extent(0) == 0 || src.extent(1) > 0, operation, "src with at least one column", "no column");
  require_shape(operation, "log_sum_exp", log_sum_exp, {src.extent(0)});
  if (src.extent(0) == 0) return;
  using Functor = RowSoftmax<Exec, T, output>;
  const int teams = (src.extent_int(0) + Functor::rows_per_team - 1) / Functor::rows_per_team;
  Kokkos::parallel_for(label, block_policy(exec, teams).set_scratch_size(0, Kokkos::PerTeam(sum_scratch_bytes)),
                       Functor{src, double(scale), dst, log_sum_exp});
}

}  // namespace

template <class Exec, class T>
void row_softmax(const Exec& exec, ConstMatrix<T, Exec> src, const T scale, Matrix<T, Exec> dst,
                 Vector<T, Exec> log_sum_exp) {
  require_shape("row_softmax", "dst", dst, shape(src));
  launch<Output::softmax, Exec, T>("row_softmax", "bcr::kernels::row_softmax", exec, src, scale, dst, log_sum_exp);
}

template <class Exec, class T>
void row_log_sum_exp(const Exec& exec, ConstMatrix<T, Exec> src, const T scale, Vector<T, Exec> log_sum_exp) {
  launch<Output::log_sum_exp, Exec, T>("row_log_sum_exp", "bcr::kernels::row_log_sum_exp", exec, src, scale,
                                       Matrix<T, Exec>(), log_sum_exp);
}

#define BCR_INSTANCE(Exec, T)                                                                                 \
  template void row_softmax<Exec, T>(const Exec&, ConstMatrix<T, Exec>, T, Matrix<T, Exec>, Vector<T, Exec>); \
  template void row_log_sum_exp<Exec, T>(const Exec&, ConstMatrix<T, Exec>, T, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
