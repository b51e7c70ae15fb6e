#ifndef BCR_LOSSES_UNIFORMITY_LOSS_HPP
#define BCR_LOSSES_UNIFORMITY_LOSS_HPP

#include "losses/loss.hpp"
#include "losses/options.hpp"

#include <memory>

namespace bcr::losses {

/// Outlier exposure (Hendrycks et al. 2019), for logits: background rows have log sum_c exp z_c - mean_c z_c, the
/// cross-entropy of the uniform distribution and softmax(z), with gradient p_c - 1/C. With lambda = 1 this is the
/// entropic open-set loss (Dhamija et al. 2018), which bears its own name in the registry.
template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_uniformity_loss(const LossOptions& options, const LossShape& shape);

}  // namespace bcr::losses

#endif
