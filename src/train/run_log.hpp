#ifndef BCR_SRC_TRAIN_RUN_LOG_HPP
#define BCR_SRC_TRAIN_RUN_LOG_HPP

#include "losses/objective.hpp"
#include "models/heads/anchor_geometry.hpp"
#include "src/metrics/registry.hpp"
#include "src/train/region_clock.hpp"
#include "src/run/train_log.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bcr::train {

/// One line of each kind of train.jsonl; docs/run_directory.md has the keys.
struct StepRecord {
  std::uint64_t step = 0;
  double epoch = 0;
  double rate = 0;
  double lambda = 0;
  losses::NamedNumbers loss;
  double images_per_second = 0;                ///< or texts
  std::optional<double> tokens_per_second;     ///< of texts: words that were read, without padding
  double share_of_peak = 0;
  std::span<const double> seconds;  ///< by Region
  std::optional<models::AnchorGeometry> anchors;
};

struct EpochRecord {
  int epoch = 0;
  std::uint64_t step = 0;
  double seconds = 0;
  double images_per_second = 0;
  std::optional<double> tokens_per_second;
  double gigaflop_per_second = 0;
  double share_of_peak = 0;
  losses::NamedNumbers loss;
};

struct EvalRecord {
  std::string_view kind = "eval";  ///< or "validation"
  int epoch = 0;
  std::uint64_t step = 0;
  std::string_view score;
  std::span<const metrics::MetricValue> values;
};

/// Writes train.jsonl; nothing until it is opened, as on ranks other than 0.
class RunLog {
 public:
  /// Returns the length of a half line that was cut off its end.
  std::size_t open(const std::filesystem::path& path) { return file_.emplace(path).bytes_cut(); }

  void write(const StepRecord& record);
  void write(const EpochRecord& record);
  void write(const EvalRecord& record);
  void write_resume(std::uint64_t step, const std::string& from);
  /// What the weights were after this step.
  void write_weights(std::uint64_t step, const std::string& sha256);
  void write_end(std::uint64_t step, std::string_view reason);

 private:
  void append(const run::LogRecord& line) {
    if (file_) file_->append(line);
  }

  std::optional<run::TrainLogFile> file_;
};

}  // namespace bcr::train

#endif
