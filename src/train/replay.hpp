#ifndef BCR_SRC_TRAIN_REPLAY_HPP
#define BCR_SRC_TRAIN_REPLAY_HPP

#include "src/run/receipt.hpp"
#include "src/train/experiment.hpp"

#include <vector>

namespace bcr::train {

/// Computes intervals of a run once more, each from the nearest checkpoint before it or from the initial weights, and
/// compares with what the run claims: digests of weights and of whole checkpoints; rates and losses in the log. In strict
/// mode the bits depend on neither threads nor ranks, so that any difference is one of the run, not of the machine. What is
/// passed on the way is compared too. Writes nothing.
std::vector<run::ReplayedInterval> replay(Experiment& experiment, const run::RunDirectory& directory,
                                          const run::RunClaims& claims, const std::vector<run::Interval>& drawn);

}  // namespace bcr::train

#endif
