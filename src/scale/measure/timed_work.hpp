#ifndef BCR_SRC_SCALE_MEASURE_TIMED_WORK_HPP
#define BCR_SRC_SCALE_MEASURE_TIMED_WORK_HPP

#include "src/scale/measure/step_work.hpp"
#include "src/scale/point/point.hpp"
#include "src/train/experiment.hpp"

#include <memory>

namespace bcr::scale {

/// Something whose steps are timed: made of the parts that the other programs run, on noise.
class TimedWork {
 public:
  using Exec = train::Device;
  using Real = train::Real;
  using Clock = train::RegionClock<Exec>;

  virtual ~TimedWork() = default;

  /// One whole step; returns when the device has finished it. `stop`: this rank asks for an end; true if some rank did.
  virtual bool run(Clock::State state, bool stop) = 0;
  /// Of the last step that was watched.
  virtual const Clock::Seconds& region_seconds() const = 0;
  virtual const Exec& exec() const = 0;
  /// What a step computes and moves, on all ranks together.
  virtual StepWork work() const = 0;
  virtual double parameters() const = 0;
  /// Of the last step, or another number that is finite if the step was right.
  virtual double loss() const = 0;
  /// Of this rank: parameters, gradients and velocities, activations, samples.
  virtual double memory_bytes() const = 0;
};

/// What the options name. A ConfigError for what cannot run on so many ranks. `ranks` must outlive it.
std::unique_ptr<TimedWork> make_timed_work(const PointOptions& options, comm::Communicator& ranks, const Log& log);

}  // namespace bcr::scale

#endif
