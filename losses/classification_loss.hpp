#ifndef BCR_LOSSES_CLASSIFICATION_LOSS_HPP
#define BCR_LOSSES_CLASSIFICATION_LOSS_HPP

#include "losses/loss.hpp"
#include "losses/options.hpp"

#include <memory>

namespace bcr::losses {

/// The cross-entropy of the known rows and nothing else. For squared distances, z = -s D^2, it never pulls a feature to
/// its anchor: the gradient 2 s (sum_c p_c mu_c - mu_y) does not depend on f but through p.
template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_classification_loss(const LossOptions& options, const LossShape& shape);

}  // namespace bcr::losses

#endif
