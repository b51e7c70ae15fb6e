#ifndef BCR_LOSSES_HSC_LOSS_HPP
#define BCR_LOSSES_HSC_LOSS_HPP

#include "losses/loss.hpp"
#include "losses/options.hpp"

#include <memory>

namespace bcr::losses {

/// Hypersphere classifier (Ruff et al. 2020) with an anchor per class, for squared distances: with
/// h(u) = sqrt(u + 1) - 1 and P_H = exp(-h),
///   known rows:      h(D_y^2),                     slope 1 / (2 sqrt(D_y^2 + 1))
///   background rows: -log(1 - P_H(min_c D_c^2)),   slope -1 / (2 sqrt(D^2 + 1) expm1(h))
/// Below D^2 = floor n a background row has the value and the slope of that distance.
template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_hsc_loss(const LossOptions& options, const LossShape& shape);

}  // namespace bcr::losses

#endif
