#ifndef BCR_SRC_TABLE_TABLE_COMMAND_HPP
#define BCR_SRC_TABLE_TABLE_COMMAND_HPP

#include "src/core/config.hpp"
#include "src/core/log.hpp"
#include "src/scale/launch/launch.hpp"
#include "src/table/plan/run_plan.hpp"
#include "src/table/work/work.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bcr::table {

enum class Outcome { done, failed, stopped };

/// What a command has from its program.
struct CommandContext {
  const Log& log;
  std::function<bool()> stop;
};

/// All of bcr-table between the command line and the files: the table to stdout, talk to the log, failures as
/// exceptions.
class TableCommand {
 public:
  void declare(CLI::App& parser);
  /// `config` is laid over every training; its section [slurm] is for --slurm.
  Outcome run(const Config& config, const CommandContext& context) const;

 private:
  Request request(const Config& config) const;
  Outcome run_table(const TablePlan& table, const Request& request, const Config& config,
                    const CommandContext& context) const;
  Outcome draw_figure_2(const CommandContext& context) const;
  Outcome write_script(const RunPlan& plan, const DataSets& sets, const Request& request, const Config& config,
                       const WorkContext& work) const;
  std::string plan_text(const RunPlan& plan, const WorkContext& work) const;
  /// What the user typed, with absolute paths.
  Command same_command(const std::string& program, const Request& request) const;
  void write(const RunPlan& plan, const Request& request, const CommandContext& context) const;
  int threads() const;

  std::string name_;
  std::string scale_ = "small";
  std::vector<std::string> only_;
  std::vector<std::string> methods_;
  std::vector<double> lambdas_;
  std::vector<int> dimensions_ = {128};
  std::optional<int> trials_;
  std::optional<int> epochs_;
  std::optional<std::string> mode_;
  std::filesystem::path data_ = ".";
  std::filesystem::path out_;
  std::filesystem::path configs_;
  std::filesystem::path slurm_;
  std::string task_;
  int threads_ = 0;
  bool available_ = false;
  bool dry_run_ = false;
};

}  // namespace bcr::table

#endif
