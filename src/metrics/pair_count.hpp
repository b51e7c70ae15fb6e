#ifndef BCR_SRC_METRICS_PAIR_COUNT_HPP
#define BCR_SRC_METRICS_PAIR_COUNT_HPP

#include "src/metrics/score_sweep.hpp"

#include <cstdint>
#include <span>

namespace bcr::metrics {

/// sum over unknown samples u of  2 #{samples above u} + #{samples tied with u},  where `above` counts the samples of
/// interest as the arrays of a sweep do: all known ones give AUROC, the correct ones the area under the OSCR curve.
/// An exact integer below 2^62.
std::uint64_t doubled_pairs_above_unknown(const ScoreSweep& sweep, std::span<const std::int32_t> above);

}  // namespace bcr::metrics

#endif
