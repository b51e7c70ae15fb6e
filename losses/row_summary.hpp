#ifndef BCR_LOSSES_ROW_SUMMARY_HPP
#define BCR_LOSSES_ROW_SUMMARY_HPP

#include "kernels/math/exp.hpp"
#include "kernels/math/log.hpp"
#include "kernels/reduce/fixed_sum.hpp"
#include "losses/row.hpp"
#include "src/core/launch.hpp"

#include <algorithm>
#include <cstddef>

namespace bcr::losses::impl {

/// How rows are dealt to teams. On a host a team is a thread with a tile of rows, whose exponentials lie in one buffer
/// and are found in one vector loop however few columns there are; on a device a team shares one row and finds an
/// exponential again where it needs it. The bits are the same.
template <class Exec>
struct RowTiling {
  static constexpr bool host = is_host_exec<Exec>;
  static constexpr int most_rows = host ? 16 : 1;
  static constexpr int device_threads = 64;

  int columns;
  int rows;  ///< of a tile

  explicit RowTiling(const int columns_)
      : columns(columns_), rows(host ? std::clamp(512 / std::max(columns_, 1), 1, most_rows) : 1) {}

  Kokkos::TeamPolicy<Exec> policy(const Exec& exec, const int N) const {
    auto teams = block_policy(exec, (N + rows - 1) / rows, device_threads);
    teams.set_scratch_size(0, Kokkos::PerTeam(kernels::sum_scratch_bytes));
    if (host) teams.set_scratch_size(1, Kokkos::PerTeam(int(sizeof(double)) * rows * columns + 128));
    return teams;
  }

  template <class Member>
  KOKKOS_FUNCTION double* buffer(const Member& team) const {
    if constexpr (!host) return nullptr;
    return static_cast<double*>(team.team_scratch(1).get_shmem_aligned(sizeof(double) * rows * columns, 64));
  }
};

/// exp(z_c - z_peak): from the buffer of a host, or computed.
template <class Exec, class T>
struct Exponential {
  const T* outputs;
  const double* buffer;
  double scale;
  double peak;

  KOKKOS_FORCEINLINE_FUNCTION static double exponent(const double scale, const T output, const double peak) {
    return scale * (double(output) - peak);
  }
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const int c) const {
    if constexpr (is_host_exec<Exec>) return buffer[c];
    return kernels::strict::exp(exponent(scale, outputs[c], peak));
  }
};

/// The larger one of a and b; a NaN is larger than any number, and the first one wins.
KOKKOS_FORCEINLINE_FUNCTION double larger(const double a, const double b) {
  return b <= a || a != a ? a : b;
}

/// The largest of sign x_c, c < count; -infinity if there are none.
template <class Member, class T>
KOKKOS_FUNCTION double row_maximum(const Member& team, double* const scratch, const T* const x, const double sign,
                                   const int count) {
  constexpr int lane_count = kernels::sum_lanes;
  double best = -Kokkos::Experimental::infinity_v<double>;
  if constexpr (is_host_exec<typename Member::execution_space>) {
    if (count < 2 * lane_count) {
      for (int c = 0; c < count; ++c) best = larger(best, sign * double(x[c]));
      return best;
    }
    double lanes[lane_count];
    for (int l = 0; l < lane_count; ++l) lanes[l] = best;
    int c = 0;
    for (; c + lane_count <= count; c += lane_count) {
#pragma omp simd
      for (int l = 0; l < lane_count; ++l) lanes[l] = larger(lanes[l], sign * double(x[c + l]));
    }
    for (; c < count; ++c) lanes[0] = larger(lanes[0], sign * double(x[c]));
    for (int l = 0; l < lane_count; ++l) best = larger(best, lanes[l]);
  } else {
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, int(lane_count)), [&](const int l) {
      double mine = -Kokkos::Experimental::infinity_v<double>;
      for (int c = l; c < count; c += lane_count) mine = larger(mine, sign * double(x[c]));
      scratch[l] = mine;
    });
    team.team_barrier();
    for (int l = 0; l < lane_count; ++l) best = larger(best, scratch[l]);
  }
  return best;
}

/// The first c with sign x_c = value, where a NaN equals itself.
template <class Member, class T>
KOKKOS_FUNCTION int first_equal(const Member& team, const T* const x, const double sign, const double value,
                                const int count) {
  const auto equal = [=](const int c) { return sign * double(x[c]) == value || (x[c] != x[c] && value != value); };
  int first = 0;
  if constexpr (is_host_exec<typename Member::execution_space>) {
    while (first + 1 < count && !equal(first)) ++first;
  } else {
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, count),
        [=](const int c, int& lowest) {
          if (c < lowest && equal(c)) lowest = c;
        },
        Kokkos::Min<int>(first));
  }
  return first;
}

/// best, best_class and peak of a row whose columns, scale are set; `classes` of the columns are known classes.
template <class Member, class T>
KOKKOS_FUNCTION void find_best(const Member& team, double* const scratch, const T* const x, const int classes,
                               Row& row) {
  const double sign = row.scale < 0 ? -1.0 : 1.0;
  const double best = row_maximum(team, scratch, x, sign, classes);
  double peak = best;
  for (int c = classes; c < row.columns; ++c) peak = larger(peak, sign * double(x[c]));
  row.best_class = first_equal(team, x, sign, best, classes);
  row.best = sign * best;
  row.peak = sign * peak;
}

/// The exponents of a row into the buffer of a host.
template <class Exec, class T>
void fill_exponents(const T* const x, const Row& row, double* const buffer) {
#pragma omp simd
  for (int c = 0; c < row.columns; ++c) buffer[c] = Exponential<Exec, T>::exponent(row.scale, x[c], row.peak);
}
inline void exponentiate(double* const buffer, const int count) {
#pragma omp simd
  for (int k = 0; k < count; ++k) buffer[k] = kernels::strict::exp(buffer[k]);
}

template <class Exec, class T>
struct SumOfExponentials {
  Exponential<Exec, T> exponential;
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const int c, const double sum) const { return sum + exponential(c); }
};

template <class T>
struct SumOfOutputs {
  const T* outputs;
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const int c, const double sum) const {
    return sum + double(outputs[c]);
  }
};

template <class T>
struct SumOfSquares {
  const T* x;
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const int d, const double sum) const {
    return Kokkos::fma(double(x[d]), double(x[d]), sum);
  }
};

/// sqrt(sum_d x_d^2)
template <class Member, class T>
KOKKOS_FUNCTION double norm(const Member& team, double* const scratch, const T* const x, const int length) {
  return Kokkos::sqrt(kernels::team_sum(team, scratch, length, SumOfSquares<T>{x}));
}

/// mean_c x_c
template <class Member, class T>
KOKKOS_FUNCTION double mean(const Member& team, double* const scratch, const T* const x, const int length) {
  return kernels::team_sum(team, scratch, length, SumOfOutputs<T>{x}) / length;
}

}  // namespace bcr::losses::impl

#endif
