#ifndef BCR_SRC_TABLE_WORK_WORK_HPP
#define BCR_SRC_TABLE_WORK_WORK_HPP

#include "src/core/log.hpp"
#include "src/core/process.hpp"
#include "src/table/plan/run_plan.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bcr::table {

/// The programs that do the work, in the folder of this one.
struct Programs {
  std::string data;
  std::string train;
  std::string eval;
  std::string scale;
  std::string table;

  static Programs beside(const std::string& bcr_table);
};

/// What work needs besides its plan. `stop` ends it: the program under way is told and has time to save.
struct WorkContext {
  Programs programs;
  int threads = 1;
  const Log& log;
  std::function<bool()> stop;
};

/// What became of it.
struct WorkResult {
  bool is_stopped = false;
  std::vector<std::string> failures;  ///< a sentence for each training that failed; the others went on
};

Command training_command(const Training& training, const WorkContext& context);
Command evaluation_command(const Evaluation& evaluation, const Training& training, const WorkContext& context);
Command import_command(const DataSet& set, const FoundSet& found, const std::filesystem::path& file,
                       const WorkContext& context);

/// Imports the sets that are not there as HDF5 files yet, and makes the splits. Errors of bcr-data come back as
/// IoErrors. False if it was stopped.
bool prepare_data(const RunPlan& plan, const DataSets& sets, const std::filesystem::path& out,
                  const WorkContext& context);

/// The trainings of these places and what is to be evaluated of them, one after another; those that are done stay. A
/// ConfigError or IoError of a program ends the work: it would meet the next training too.
WorkResult run_trainings(const RunPlan& plan, const std::vector<std::size_t>& places, const WorkContext& context);

}  // namespace bcr::table

#endif
