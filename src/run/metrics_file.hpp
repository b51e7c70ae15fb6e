#ifndef BCR_SRC_RUN_METRICS_FILE_HPP
#define BCR_SRC_RUN_METRICS_FILE_HPP

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::run {

using NumberTable = std::map<std::string, double>;
using ScoreTables = std::map<std::string, NumberTable>;  ///< of each score, the metrics

/// metrics.json of a run: what bcr-eval found. What a file does not say is absent or empty.
struct Metrics {
  struct UnknownSet {
    std::string name;
    ScoreTables scores;

    bool operator==(const UnknownSet&) const = default;
  };
  /// What the numbers were made from.
  struct Origin {
    std::string checkpoint;  ///< name of the file
    std::optional<std::uint64_t> step;
    std::string weights_sha256;
    std::string split_hash;
    std::map<std::string, std::vector<std::string>> data_sha256;  ///< of each side

    bool operator==(const Origin&) const = default;
  };
  /// A rule that answers with one of C + 1 classes.
  struct Decision {
    std::optional<double> threshold;  ///< of its score; absent if the score has a rule of its own
    std::string found;                ///< how, for people

    bool operator==(const Decision&) const = default;
  };

  std::string default_score;
  std::optional<double> accuracy;
  std::optional<double> validation_accuracy;
  std::string test_logits_sha256;
  Origin from;
  std::vector<UnknownSet> sets;  ///< in their order
  ScoreTables average;           ///< over the sets; without any, what known images alone tell
  std::map<std::string, std::map<std::string, Decision>> decisions;  ///< of each score, by rule
  NumberTable reference;  ///< largest differences from a computation in double
  ScoreTables seconds;    ///< of the network, each score and what they share: "per_10000" images, "fit"

  /// A metric of a score over all unknown sets: the average, or that of the only set.
  std::optional<double> overall(const std::string& metric, const std::string& score) const;
  std::optional<double> overall(const std::string& metric) const { return overall(metric, default_score); }

  bool operator==(const Metrics&) const = default;
};

/// Metrics of a set are written in the order of the registry. Infinite numbers and NaN are words, and absent when read
/// again.
void write_metrics(const std::filesystem::path& path, const Metrics& metrics);

/// IoError for what is no JSON, another format, or not what was written.
Metrics parse_metrics(std::string_view text, const std::string& source);

/// metrics.json over several runs.
struct TrialMetrics {
  struct Summary {
    double mean = 0;
    std::optional<double> deviation;

    bool operator==(const Summary&) const = default;
  };

  std::int64_t trials = 0;
  std::string default_score;
  std::map<std::string, std::map<std::string, Summary>> average;  ///< of each score, the metrics

  bool operator==(const TrialMetrics&) const = default;
};

void write_trial_metrics(const std::filesystem::path& path, const TrialMetrics& metrics);
TrialMetrics parse_trial_metrics(std::string_view text, const std::string& source);

}  // namespace bcr::run

#endif
