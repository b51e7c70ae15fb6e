#ifndef BCR_SRC_REPORT_RUN_METRICS_FILE_HPP
#define BCR_SRC_REPORT_RUN_METRICS_FILE_HPP

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::report {

using NumberTable = std::map<std::string, double>;

/// metrics.json: what bcr-eval found.
struct RunMetrics {
  struct UnknownSet {
    std::string name;
    std::map<std::string, NumberTable> scores;  ///< of each score, the metrics
  };

  std::string default_score;
  std::optional<double> accuracy;
  std::vector<UnknownSet> sets;  ///< in the order of the file
  std::map<std::string, NumberTable> average;
  std::map<std::string, NumberTable> thresholds;
  NumberTable reference;
  std::string checkpoint;      ///< the file they were made from; empty if they do not say
  std::string weights_sha256;  ///< of that checkpoint
  std::optional<double> step;  ///< of that checkpoint

  /// A metric of a score over all unknown sets: the file's average, or that of the only set.
  std::optional<double> overall(const std::string& metric, const std::string& score) const;
  std::optional<double> overall(const std::string& metric) const { return overall(metric, default_score); }
};

/// IoError for what is no JSON or another format. Numbers that are absent or null are absent.
RunMetrics parse_metrics(std::string_view text, const std::string& source);

}  // namespace bcr::report

#endif
