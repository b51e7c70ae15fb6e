#include <bcr/core/views.hpp>
#include <bcr/kernels/distance/squared_distance.hpp>
#include <bcr/kernels/gamma/incomplete_gamma.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

// Two features, one anchor: the squared distances are 25 and 2; the second lies inside, the first far outside.
int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  using Exec = Kokkos::DefaultHostExecutionSpace;
  const bcr::Matrix<double, Exec> features("consumer::features", 2, 2);
  const bcr::Matrix<double, Exec> anchors("consumer::anchors", 1, 2);
  const bcr::Matrix<double, Exec> distances("consumer::distances", 2, 1);
  features(0, 0) = 3;
  features(0, 1) = 4;
  features(1, 0) = 1;
  features(1, 1) = 1;
  bcr::kernels::squared_distance(Exec(), features, anchors, distances);
  Kokkos::fence();
  const double outside = bcr::kernels::incomplete_gamma(1.0, distances(0, 0) / 2).q();
  const double inside = bcr::kernels::incomplete_gamma(1.0, distances(1, 0) / 2).q();
  std::printf("D^2 = %g, %g; P_I = %g, %g\n", distances(0, 0), distances(1, 0), outside, inside);
  return distances(0, 0) == 25 && distances(1, 0) == 2 && outside < 1e-5 && inside > 0.3 ? 0 : 1;
}
