#ifndef BCR_LOSSES_SQUARED_ERROR_HPP
#define BCR_LOSSES_SQUARED_ERROR_HPP

#include "kernels/reduce/fixed_sum.hpp"
#include "src/core/launch.hpp"
#include "src/core/views.hpp"

namespace bcr::losses {

/// Of one row: the sum of (r - x)^2 over its numbers, and, if there is a `diff`, the gradient `factor` (r - x); both 0
/// from row `counted` on. One team for each row.
template <class Exec, class T>
struct SquaredErrorRow {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Matrix<T, Exec> images;
  Matrix<T, Exec> reconstruction;
  Matrix<T, Exec> diff;
  Vector<double, Exec> row_errors;
  int counted;
  double factor;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int i = team.league_rank();
    const bool counts = i < counted;
    const bool has_diff = diff.data() != nullptr;
    const auto accumulate = [&](const int k, const double sum) {
      const double difference = double(reconstruction(i, k)) - double(images(i, k));
      if (has_diff) diff(i, k) = counts ? T(factor * difference) : T(0);
      return Kokkos::fma(difference, difference, sum);
    };
    const double error = kernels::team_sum(team, kernels::sum_scratch(team), images.extent_int(1), accumulate);
    Kokkos::single(Kokkos::PerTeam(team), [&] { row_errors(i) = counts ? error : 0.0; });
  }
};

/// Teams that sum by kernels/reduce/fixed_sum.hpp.
template <class Exec>
Kokkos::TeamPolicy<Exec> summing_teams(const Exec& exec, const int teams) {
  return block_policy(exec, teams, 64).set_scratch_size(0, Kokkos::PerTeam(kernels::sum_scratch_bytes));
}

/// row_errors(i) = sum_k (reconstruction(i, k) - images(i, k))^2, in double in the order of fixed_sum.hpp.
template <class Exec, class T>
void squared_errors(const Exec& exec, const Matrix<T, Exec>& images, const Matrix<T, Exec>& reconstruction,
                    const Vector<double, Exec>& row_errors) {
  const int rows = images.extent_int(0);
  if (rows > 0)
    Kokkos::parallel_for("bcr::losses::squared_errors", summing_teams(exec, rows),
                         SquaredErrorRow<Exec, T>{images, reconstruction, {}, row_errors, rows, 0.0});
}

}  // namespace bcr::losses

#endif
