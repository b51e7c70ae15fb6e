#include "losses/row_loss.hpp"

#include <fmt/format.h>

namespace bcr::losses {
namespace {

/// Energy margins (Liu et al. 2020), for logits: with E = -log sum_c exp z_c,
///   known rows:      max(0, E - m_in)^2,    gradient -2 max(0, E - m_in) p_c
///   background rows: max(0, m_out - E)^2,   gradient  2 max(0, m_out - E) p_c
struct Energy {
  static constexpr RowNeeds needs{.background_softmax = true};
  double m_in;
  double m_out;

  static Energy of(const LossOptions& options, const LossShape&) { return {options.energy.m_in, options.energy.m_out}; }

  KOKKOS_FUNCTION RowTerm known(const Row& row) const {
    const double excess = -row.log_sum_exp() - m_in;
    if (excess <= 0) return {};
    return {.value = excess * excess, .softmax = -2.0 * excess};
  }
  KOKKOS_FUNCTION RowTerm background(const Row& row) const {
    const double excess = m_out + row.log_sum_exp();
    if (excess <= 0) return {};
    return {.value = excess * excess, .softmax = 2.0 * excess};
  }
};

void require_margins(const LossOptions& options) {
  const auto [m_in, m_out] = options.energy;
  require<ConfigError>(m_in < m_out, "loss.energy.m_in", fmt::format("less than m_out = {}", m_out),
                       fmt::format("{}", m_in));
}

}  // namespace

LossEntry energy_loss() {
  return {.name = "energy",
          .title = "Energy",
          .fits = LossEntry::Fits::logits,
          .lambda = 0.1,
          .score = "energy",
          .formula = "max(0, E - m_in)^2; background max(0, m_out - E)^2",
          .check = require_margins,
          .make = row_loss_of<Energy>()};
}

}  // namespace bcr::losses
