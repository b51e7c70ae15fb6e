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
  std::optional<double> validation_accuracy;
  std::vector<std::pair<std::string, ByScore>> sets;
  ByScore average;  ///< over the sets; without any, what known images alone tell
};

/// What the numbers were made from.
struct MetricsOrigin {
  std::string checkpoint;  ///< name of the file
  std::uint64_t step = 0;
  std::string weights_sha256;
  std::string split_hash;
  std::map<std::string, std::vector<std::string>> data_sha256;  ///< of each side
};

MetricsOrigin metrics_origin(const FoundCheckpoint& found, const OpenData& data);

MetricTable make_metric_table(const EvaluationResult& result);

/// metrics.json of a run; docs/run_directory.md has the keys.
void write_metrics_file(const std::filesystem::path& path, const MetricTable& table, const EvaluationResult& result,
                        const MetricsOrigin& origin, const std::optional<ReferenceDifferences>& reference);

/// metrics.json over several runs: means and standard deviations.
void write_trials_file(const std::filesystem::path& path, const std::vector<MetricTable>& trials);

/// For people: the default score against every set, and all scores on average.
std::string table_text(const MetricTable& table);
std::string trials_text(const std::vector<MetricTable>& trials);

}  // namespace bcr::train

#endif
