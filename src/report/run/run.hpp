#ifndef BCR_SRC_REPORT_RUN_RUN_HPP
#define BCR_SRC_REPORT_RUN_RUN_HPP

#include "src/core/config/value.hpp"
#include "src/report/plot/drawing.hpp"
#include "src/report/run/run_scores.hpp"
#include "src/run/manifest_file.hpp"
#include "src/run/metrics_file.hpp"
#include "src/run/train_log.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::report {

using run::LogRecord;
using run::ManifestEntries;
using run::NumberTable;
using run::TrainLog;
using RunMetrics = run::Metrics;

/// Everything that a run directory tells (docs/run_directory.md).
struct Run {
  std::filesystem::path directory;
  std::string name;  ///< the directory's own
  std::string config_text;
  std::optional<ConfigValue> config;
  ManifestEntries manifest;
  TrainLog log;
  std::optional<RunMetrics> metrics;
  std::optional<RunScores> scores;
  std::vector<Run> trials;         ///< trial-1 ... of a run with several
  std::vector<std::string> notes;  ///< sentences about what is missing

  /// The text of a value of the configuration under a dotted key, or "".
  std::string config_value(std::string_view key) const;
};

/// The points (epoch, value) of the records that have both; steps stand in for epochs that are not there.
std::vector<Point> series_of(const std::vector<LogRecord>& records, const std::string& key);

/// Reads what is there. An IoError that names the file if one is damaged, or the directory if it is none of a run.
Run read_run(const std::filesystem::path& directory);

}  // namespace bcr::report

#endif
