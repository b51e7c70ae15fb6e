#ifndef BCR_LOSSES_ENERGY_LOSS_HPP
#define BCR_LOSSES_ENERGY_LOSS_HPP

#include "losses/loss.hpp"
#include "losses/options.hpp"

#include <memory>

namespace bcr::losses {

/// Energy margins (Liu et al. 2020), for logits: with E = -log sum_c exp z_c,
///   known rows:      max(0, E - m_in)^2,    gradient -2 max(0, E - m_in) p_c
///   background rows: max(0, m_out - E)^2,   gradient  2 max(0, m_out - E) p_c
template <class Exec, class T>
std::unique_ptr<Loss<Exec, T>> make_energy_loss(const LossOptions& options, const LossShape& shape);

}  // namespace bcr::losses

#endif
