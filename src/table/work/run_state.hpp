#ifndef BCR_SRC_TABLE_WORK_RUN_STATE_HPP
#define BCR_SRC_TABLE_WORK_RUN_STATE_HPP

#include "src/run/metrics_file.hpp"
#include "src/table/plan/run_plan.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace bcr::table {

/// How far a training has come, and how fast it was.
struct TrainingState {
  enum class Stage { absent, begun, done };

  Stage stage = Stage::absent;
  double epochs = 0;
  std::int64_t steps = 0;
  std::optional<double> epoch_seconds;  ///< median over the epochs of the log
  std::optional<double> step_seconds;
};

/// Of what lies in the directory. A ConfigError if that is a run of other options: it would stand in one table with the
/// new ones.
TrainingState state_of(const Training& training);

/// The metrics of an evaluation, if it was made from the final weights and on the planned sets.
std::optional<run::Metrics> metrics_of(const Evaluation& evaluation, const Training& training);

/// What bcr-eval took, in the directory of the evaluation.
void write_evaluation_seconds(const std::filesystem::path& directory, double seconds);
std::optional<double> read_evaluation_seconds(const std::filesystem::path& directory);

}  // namespace bcr::table

#endif
