#ifndef BCR_LOSSES_CLASS_INCLUSION_LOSS_HPP
#define BCR_LOSSES_CLASS_INCLUSION_LOSS_HPP

#include "losses/loss.hpp"
#include "losses/options.hpp"

#include <memory>

namespace bcr::losses {

/// The loss of the paper, for squared distances. With P_I(D^2) = Q(n/2, D^2/2) and c* = argmin_c D_c^2:
///   known rows:      1[y = c*] (-log P_I(D_c*^2)),   slope h/2 at D_c*^2, h = g/Q
///   background rows: -log(1 - P_I(D_c*^2)),          slope -r/2,          r = g/(1 - Q)
/// The mean over the known rows counts those with y != c* as 0. c* is a constant for the gradient.
template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_class_inclusion_loss(const LossOptions& options, const LossShape& shape);

}  // namespace bcr::losses

#endif
