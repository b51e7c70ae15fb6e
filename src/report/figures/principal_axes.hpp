#ifndef BCR_SRC_REPORT_FIGURES_PRINCIPAL_AXES_HPP
#define BCR_SRC_REPORT_FIGURES_PRINCIPAL_AXES_HPP

#include "src/report/plot/drawing.hpp"
#include "src/report/run/run_scores.hpp"

#include <array>
#include <vector>

namespace bcr::report {

/// The plane of largest variance of a cloud of rows: mean, two orthonormal axes, and the share of the variance along
/// each. The sign of an axis is such that its largest component is positive, so the map does not flip between runs.
struct PrincipalPlane {
  std::vector<double> mean;
  std::array<std::vector<double>, 2> axes;
  std::array<double, 2> shares{};

  Point project(const float* row) const;
};

/// By orthogonal iteration on two vectors, V <- orth(X^T X V), X being the centred rows: no n x n matrix is made. Needs
/// rows; with fewer than two directions of variance an axis is any unit vector, or zero if n = 1.
PrincipalPlane principal_plane(const Rows& rows);

/// At most `most` rows, evenly spread over all of them.
std::vector<std::size_t> spread(std::size_t count, std::size_t most);

}  // namespace bcr::report

#endif
