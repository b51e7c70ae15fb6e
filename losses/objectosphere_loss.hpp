#ifndef BCR_LOSSES_OBJECTOSPHERE_LOSS_HPP
#define BCR_LOSSES_OBJECTOSPHERE_LOSS_HPP

#include "losses/loss.hpp"
#include "losses/options.hpp"

#include <memory>

namespace bcr::losses {

/// Objectosphere (Dhamija et al. 2018), for logits: the uniformity term of background rows, and a ring on the norm of
/// the features, weight w:
///   known rows:      w max(xi - ||f||, 0)^2,   gradient -2 w max(xi - ||f||, 0) f / ||f||, 0 at f = 0
///   background rows: w ||f||^2,                gradient 2 w f
template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_objectosphere_loss(const LossOptions& options, const LossShape& shape);

}  // namespace bcr::losses

#endif
