#ifndef BCR_SRC_TRAIN_EVALUATION_METRICS_HPP
#define BCR_SRC_TRAIN_EVALUATION_METRICS_HPP

#include "src/run/metrics_file.hpp"
#include "src/train/evaluator.hpp"
#include "src/train/reference_check.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bcr::train {

/// The numbers of one evaluation, and what they were made from.
run::Metrics metrics_of(const EvaluationResult& result, const FoundCheckpoint& found, const OpenData& data);

/// What a comparison with double precision adds to them.
run::NumberTable reference_numbers(const ReferenceDifferences& differences);

/// Means and standard deviations over several runs.
run::TrialMetrics metrics_of_trials(const std::vector<run::Metrics>& trials);

/// For people: the default score against every set, and all scores on average.
std::string table_text(const run::Metrics& metrics);
std::string trials_text(const run::TrialMetrics& trials);

}  // namespace bcr::train

#endif
