#ifndef BCR_SRC_TRAIN_METRICS_FILE_HPP
#define BCR_SRC_TRAIN_METRICS_FILE_HPP

#include "src/train/evaluator.hpp"
#include "src/train/reference_check.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bcr::train {

/// The numbers of one evaluation, by the names of set, score and metric.
struct MetricTable {
  using Values = std::map<std::string, double>;
  using ByScore = std::map<std::string, Values>;

  std::string default_score;
  double accuracy = 0;
  std::vector<std::pair<std::string, ByScore>> sets;
  ByScore average;  ///< over the sets
};

MetricTable make_metric_table(const EvaluationResult& result);

/// metrics.json of a run; docs/run_directory.md has the keys.
void write_metrics_file(const std::filesystem::path& path, const MetricTable& table, const EvaluationResult& result,
                        const std::optional<ReferenceDifferences>& reference);

/// metrics.json over several runs: means and standard deviations.
void write_trials_file(const std::filesystem::path& path, const std::vector<MetricTable>& trials);

/// For people: the default score against every set, and all scores on average.
std::string table_text(const MetricTable& table);
std::string trials_text(const std::vector<MetricTable>& trials);

}  // namespace bcr::train

#endif
