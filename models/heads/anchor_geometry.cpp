#include "models/heads/anchor_geometry.hpp"

#include "kernels/distance/squared_distance.hpp"
#include "src/core/instances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bcr::models {

template <class Exec, class T>
AnchorGeometry measure_anchors(const Exec& exec, const Matrix<T, Exec>& anchors) {
  const int C = anchors.extent_int(0);
  require<ShapeError>(C > 0, "measure_anchors", "at least one anchor", "none");
  const Matrix<T, Exec> origin("bcr::models::origin", 1, anchors.extent(1));
  const Matrix<T, Exec> norms("bcr::models::squared_norms", C, 1);
  const Matrix<T, Exec> pairs("bcr::models::squared_separations", C, C);
  kernels::squared_distance<Exec, T>(exec, anchors, origin, norms);
  kernels::squared_distance<Exec, T>(exec, anchors, anchors, pairs);
  exec.fence("bcr::models::measure_anchors");
  const auto squared_norms = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), norms);
  const auto squared_pairs = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), pairs);
  AnchorGeometry geometry{.smallest_norm = std::numeric_limits<double>::infinity()};
  double nearest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < C; ++i) {
    const double norm = std::sqrt(double(squared_norms(i, 0)));
    geometry.smallest_norm = std::min(geometry.smallest_norm, norm);
    geometry.largest_norm = std::max(geometry.largest_norm, norm);
    geometry.mean_norm += norm / C;
    for (int j = 0; j < i; ++j) nearest = std::min(nearest, double(squared_pairs(i, j)));
  }
  geometry.smallest_separation = C > 1 ? std::sqrt(nearest) : 0;
  return geometry;
}

#define BCR_INSTANCE(Exec, T) template AnchorGeometry measure_anchors<Exec, T>(const Exec&, const Matrix<T, Exec>&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::models
