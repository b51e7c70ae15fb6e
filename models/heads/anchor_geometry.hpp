#ifndef BCR_MODELS_HEADS_ANCHOR_GEOMETRY_HPP
#define BCR_MODELS_HEADS_ANCHOR_GEOMETRY_HPP

#include "src/core/views.hpp"

namespace bcr::models {

/// Where the anchors are: watched, because losses that collapse or blow up show here first.
struct AnchorGeometry {
  double smallest_norm = 0;
  double mean_norm = 0;
  double largest_norm = 0;
  double smallest_separation = 0;  ///< min over pairs of ||mu_i - mu_j||; 0 for a single anchor
};

/// anchors [C, n], C > 0. Copies to the host and waits for exec; C^2 n / 2 operations, and memory for 256 C
/// distances.
template <class Exec, class T>
AnchorGeometry measure_anchors(const Exec& exec, const Matrix<T, Exec>& anchors);

}  // namespace bcr::models

#endif
