#ifndef BCR_LOSSES_TRIPLET_LOSS_HPP
#define BCR_LOSSES_TRIPLET_LOSS_HPP

#include "losses/loss.hpp"
#include "losses/options.hpp"

#include <memory>

namespace bcr::losses {

/// Anchor mu_y, known sample, background sample, for squared distances: the i-th known row is paired with the i-th
/// background row, and rows without a partner count nothing. Over the pairs, with y the class of the known row,
///   mean of max(0, d(f_known, mu_y) - d(f_background, mu_y) + margin),   d the distance or its square.
/// The slope of d = sqrt(D^2) is 1 / (2 max(d, 1e-12)); at the corner itself it is 0. Reported as background_known.
template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_triplet_loss(const LossOptions& options, const LossShape& shape);

}  // namespace bcr::losses

#endif
