#ifndef BCR_SRC_TABLE_RESULT_RUN_LIST_HPP
#define BCR_SRC_TABLE_RESULT_RUN_LIST_HPP

#include "src/table/plan/run_plan.hpp"
#include "src/table/work/run_state.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bcr::table {

/// One training with its evaluation, as the files tell.
struct RunLine {
  std::string setting;
  std::string method;
  std::optional<double> lambda;
  int trial = 0;
  std::string directory;
  std::string network;  ///< "WRN-10-1"
  std::string background;
  std::string mode;
  std::string machine;
  int epochs = 0;  ///< that are wanted
  TrainingState state;
  std::optional<double> evaluation_seconds;
  std::string weights_sha256;
  std::string logits_sha256;
};

/// Of every evaluation of the plan, in its order.
std::vector<RunLine> list_runs(const RunPlan& plan, const std::vector<std::optional<run::Metrics>>& metrics);

/// One line each, with the hashes: who repeats a training of mode strict gets the same.
std::string runs_csv(const std::vector<RunLine>& runs);

/// Seconds of an epoch and of an evaluation, a row for each setting and method.
std::string times_html(const std::vector<RunLine>& runs, const TablePlan& table);

/// All runs, folded.
std::string runs_html(const std::vector<RunLine>& runs, const TablePlan& table);

}  // namespace bcr::table

#endif
