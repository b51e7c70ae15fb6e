#ifndef BCR_LOSSES_ABSOLUTE_ERROR_HPP
#define BCR_LOSSES_ABSOLUTE_ERROR_HPP

#include "kernels/reduce/fixed_sum.hpp"
#include "losses/squared_error.hpp"
#include "src/core/views.hpp"

namespace bcr::losses {

/// For a team: the sum over k of |r - x|, r = reconstructions(i, first + k), x = images(j, k); and, if there is a
/// `diff`, the gradient there, `factor` times the sign of r - x (0 of 0).
template <class Member, class Exec, class T>
KOKKOS_FUNCTION double team_absolute_error(const Member& team, double* const scratch,
                                           const Matrix<T, Exec>& images, const int j,
                                           const Matrix<T, Exec>& reconstructions, const int i, const int first,
                                           const Matrix<T, Exec>& diff, const double factor) {
  const bool has_diff = diff.data() != nullptr;
  const auto accumulate = [&](const int k, const double sum) {
    const double difference = double(reconstructions(i, first + k)) - double(images(j, k));
    if (has_diff) diff(i, first + k) = difference == 0 ? T(0) : T(difference > 0 ? factor : -factor);
    return sum + Kokkos::fabs(difference);
  };
  return kernels::team_sum(team, scratch, images.extent_int(1), accumulate);
}

/// Of an image and one of its reconstructions: the mean of |r - x| over its numbers.
template <class Exec, class T>
struct AbsoluteErrorRow {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  Matrix<T, Exec> images;
  Matrix<T, Exec> reconstructions;
  Matrix<double, Exec> errors;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int count = errors.extent_int(1), size = images.extent_int(1);
    const int i = team.league_rank() / count, s = team.league_rank() % count;
    const double sum =
        team_absolute_error<Member, Exec, T>(team, kernels::sum_scratch(team), images, i, reconstructions, i, s * size,
                                             {}, 0.0);
    Kokkos::single(Kokkos::PerTeam(team), [&] { errors(i, s) = sum / double(size); });
  }
};

/// errors(i, s) = mean over k of |reconstructions(i, s P + k) - images(i, k)|: S reconstructions of each of N images of
/// P numbers, [N, S P]. In double, in the order of fixed_sum.hpp.
template <class Exec, class T>
void absolute_errors(const Exec& exec, const Matrix<T, Exec>& images, const Matrix<T, Exec>& reconstructions,
                     const Matrix<double, Exec>& errors) {
  require_shape("absolute_errors", "reconstructions", reconstructions,
                {images.extent(0), images.extent(1) * errors.extent(1)});
  if (errors.size() > 0)
    Kokkos::parallel_for("bcr::losses::absolute_errors", summing_teams(exec, int(errors.size())),
                         AbsoluteErrorRow<Exec, T>{images, reconstructions, errors});
}

}  // namespace bcr::losses

#endif
