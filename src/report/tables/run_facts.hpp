#ifndef BCR_SRC_REPORT_TABLES_RUN_FACTS_HPP
#define BCR_SRC_REPORT_TABLES_RUN_FACTS_HPP

#include "src/metrics/trials.hpp"
#include "src/report/run/run.hpp"

#include <optional>
#include <string>

namespace bcr::report {

/// What a table says of a run besides its numbers. Empty where the run does not tell; of a run with trials, what its
/// first trial tells.
struct RunFacts {
  std::string method;   ///< loss.name, "softmax" for a linear head without background term
  std::string network;  ///< "WRN-16-4"
  std::string setting;  ///< name of the split
  std::optional<double> lambda;
  std::string epochs;
  std::string mode;
  std::string seed;
  std::string score;
};

RunFacts facts_of(const Run& run);

/// "Class inclusion, λ = 5": a method as people read it.
std::string method_title(const std::string& method, std::optional<double> lambda);

/// "3 trials", "2 of 3 trials evaluated", or "" for a run without trials.
std::string trials_text(const Run& run);

/// A metric of the default score over all unknown sets, over the trials if there are several; empty if no trial has it.
std::optional<metrics::TrialSummary> metric_of(const Run& run, const std::string& metric);

/// "0.9482 ± 0.0031", or "–" for nothing.
std::string summary_text(const std::optional<metrics::TrialSummary>& summary);

}  // namespace bcr::report

#endif
