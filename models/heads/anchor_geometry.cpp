#include "models/heads/anchor_geometry.hpp"

#include "kernels/distance/squared_distance.hpp"
#include "src/core/instances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bcr::models {

namespace {

/// The smallest ||mu_i - mu_j||^2 over i in [begin, end), j < i. Rows of `block` are reused.
template <class Exec, class T>
double nearest_pair(const Exec& exec, const Matrix<T, Exec>& anchors, const Matrix<T, Exec>& block, const int begin,
                    const int end) {
  const Matrix<T, Exec> rows(anchors.data() + std::size_t(begin) * anchors.extent(1), end - begin, anchors.extent(1));
  const Matrix<T, Exec> columns(anchors.data(), end, anchors.extent(1));
  const Matrix<T, Exec> pairs(block.data(), end - begin, end);
  kernels::squared_distance<Exec, T>(exec, rows, columns, pairs);
  exec.fence("bcr::models::nearest_pair");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), pairs);
  double nearest = std::numeric_limits<double>::infinity();
  for (int i = begin; i < end; ++i)
    for (int j = 0; j < i; ++j) nearest = std::min(nearest, double(host(i - begin, j)));
  return nearest;
}

}  // namespace

template <class Exec, class T>
AnchorGeometry measure_anchors(const Exec& exec, const Matrix<T, Exec>& anchors) {
  const int C = anchors.extent_int(0);
  require<ShapeError>(C > 0, "measure_anchors", "at least one anchor", "none");
  const Matrix<T, Exec> origin("bcr::models::origin", 1, anchors.extent(1));
  const Matrix<T, Exec> norms("bcr::models::squared_norms", C, 1);
  kernels::squared_distance<Exec, T>(exec, anchors, origin, norms);
  exec.fence("bcr::models::measure_anchors");
  const auto squared_norms = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), norms);
  AnchorGeometry geometry{.smallest_norm = std::numeric_limits<double>::infinity()};
  for (int i = 0; i < C; ++i) {
    const double norm = std::sqrt(double(squared_norms(i, 0)));
    geometry.smallest_norm = std::min(geometry.smallest_norm, norm);
    geometry.largest_norm = std::max(geometry.largest_norm, norm);
    geometry.mean_norm += norm / C;
  }
  constexpr int block_rows = 256;
  const Matrix<T, Exec> block("bcr::models::squared_separations", std::min(block_rows, C), C);
  double nearest = std::numeric_limits<double>::infinity();
  for (int begin = 0; begin < C; begin += block_rows)
    nearest = std::min(nearest, nearest_pair<Exec, T>(exec, anchors, block, begin, std::min(begin + block_rows, C)));
  geometry.smallest_separation = C > 1 ? std::sqrt(nearest) : 0;
  return geometry;
}

#define BCR_INSTANCE(Exec, T) template AnchorGeometry measure_anchors<Exec, T>(const Exec&, const Matrix<T, Exec>&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::models
