#ifndef BCR_SRC_RUN_VERIFY_EVALUATION_HPP
#define BCR_SRC_RUN_VERIFY_EVALUATION_HPP

#include "io/hdf5/checkpoint.hpp"
#include "io/hdf5/scores_file.hpp"
#include "src/run/findings.hpp"
#include "src/run/metrics_file.hpp"

namespace bcr::run {

/// Computes every number of metrics.json that follows from scores.h5 once more: accuracies, metrics of every score on
/// every unknown set, their average, the answers behind every threshold, the digest of the outputs.
void compare_with_scores(const Metrics& metrics, const io::ScoresFile& scores, Findings& findings);

/// The classes of scores.h5 are those of the split in the checkpoint: the known ones in their order, and of every
/// unknown set those that the split calls unknown. Of an evaluation on another split only the known ones.
void compare_with_split(const Metrics& metrics, const io::ScoresFile& scores, const io::Checkpoint& checkpoint,
                        Findings& findings);

}  // namespace bcr::run

#endif
