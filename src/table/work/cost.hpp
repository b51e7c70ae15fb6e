#ifndef BCR_SRC_TABLE_WORK_COST_HPP
#define BCR_SRC_TABLE_WORK_COST_HPP

#include "src/core/log.hpp"
#include "src/table/plan/run_plan.hpp"
#include "src/table/work/run_state.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bcr::table {

/// What a training still costs on this machine.
struct Cost {
  enum class Source { done, log, measured, elsewhere, unknown };

  Source source = Source::unknown;
  double training_seconds = 0;
  double evaluation_seconds = 0;

  double seconds() const { return training_seconds + evaluation_seconds; }
};

/// "logged by a run that is there", ...
std::string source_text(Cost::Source source);

/// Seconds of a step of so many images: asked of the logs of this table first, else timed by `bcr-scale run` for some
/// seconds, once for each network and batch; a table of steps that are the same in cost.
class StepTimes {
 public:
  /// `measure` gives the seconds of a step of a training, or nothing if it cannot be timed without its data.
  using Measure = std::function<std::optional<double>(const Training&, const Setting&)>;
  explicit StepTimes(Measure measure) : measure_(std::move(measure)) {}

  void learn(const Training& training, const Setting& setting, double step_seconds);
  Cost cost_of(const Training& training, const Setting& setting, const TrainingState& state);

 private:
  struct Known {
    double seconds = 0;
    Cost::Source source = Cost::Source::unknown;
  };
  std::map<std::string, Known> known_;
  Measure measure_;
};

/// Steps of an epoch by the numbers of the plan.
std::int64_t steps_per_epoch(const Training& training, const Setting& setting);

/// Times steps on images of noise with bcr-scale; nothing for networks that read texts, or if that fails.
StepTimes::Measure measure_by_scale(const std::string& bcr_scale, int threads, const Log& log,
                                    const std::function<bool()>& stop);

/// "43 min", "2 h 10 min", "3 days".
std::string duration_text(double seconds);

}  // namespace bcr::table

#endif
