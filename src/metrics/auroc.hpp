#ifndef BCR_SRC_METRICS_AUROC_HPP
#define BCR_SRC_METRICS_AUROC_HPP

#include "src/metrics/score_sweep.hpp"

namespace bcr::metrics {

/// The probability that a known sample scores higher than an unknown one, ties counted half:
///   ( #{s_k > s_u} + 1/2 #{s_k = s_u} ) / (N_k N_u).
/// The same number whichever class is called positive. The numerator is an exact integer. ShapeError if a set is empty.
double auroc(const ScoreSweep& sweep);

}  // namespace bcr::metrics

#endif
