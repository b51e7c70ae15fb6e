#ifndef BCR_LOSSES_BACKGROUND_CLASS_LOSS_HPP
#define BCR_LOSSES_BACKGROUND_CLASS_LOSS_HPP

#include "losses/loss.hpp"
#include "losses/options.hpp"

#include <memory>

namespace bcr::losses {

/// One more class for all background samples: C + 1 logits, background rows have -log softmax(z)_{C+1}, gradient
/// p_c - 1[c = C + 1].
template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_background_class_loss(const LossOptions& options, const LossShape& shape);

}  // namespace bcr::losses

#endif
