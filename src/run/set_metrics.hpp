#ifndef BCR_SRC_RUN_SET_METRICS_HPP
#define BCR_SRC_RUN_SET_METRICS_HPP

#include "io/hdf5/scores_file.hpp"
#include "src/metrics/evaluation.hpp"
#include "src/run/metrics_file.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bcr::run {

/// An unknown set's answers, by the name of the set.
using NamedScores = std::pair<std::string, io::SetScores>;

/// The samples of one score of `known` against one unknown set, with the decisions that stand on it. Without `unknown`
/// only what known samples alone tell. A ShapeError if the sets do not have the same scores and decisions.
metrics::Evaluation evaluate_set(const io::SetScores& known, const io::SetScores* unknown, const std::string& score,
                                 int classes);

/// What of metrics.json follows from the answers of a model alone: accuracies, the metrics of every score on every
/// unknown set, and their average. bcr-eval writes it, bcr-verify computes it again from scores.h5.
Metrics metrics_of_answers(const io::SetScores& known, const std::vector<NamedScores>& unknown,
                           const std::optional<io::SetScores>& validation, int classes);

/// The prediction where the score of a set is at least the threshold, else `classes`.
std::vector<std::int32_t> decide(const io::SetScores& set, const std::string& score, double threshold,
                                 std::int32_t classes);

/// SHA-256 of the outputs of all sets, the known one first: what "the same logits" means.
std::string outputs_sha256(const std::vector<const io::SetScores*>& sets, std::size_t columns);

}  // namespace bcr::run

#endif
