#include "src/scale/measure/measure_point.hpp"

#include "kernels/roof/peak_rate.hpp"
#include "kernels/roof/triad_rate.hpp"
#include "src/core/build_info.hpp"
#include "src/core/error.hpp"
#include "src/core/machine_info.hpp"
#include "src/core/manifest.hpp"
#include "src/nn/backends/backends.hpp"
#include "src/scale/measure/device_memory.hpp"
#include "src/scale/measure/timed_work.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bcr::scale {
namespace {

using Exec = TimedWork::Exec;
using Clock = TimedWork::Clock;

/// The most that this process has had in memory so far.
double peak_resident_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

Point empty_point(const PointOptions& options, const TimedWork& timed, const comm::Communicator& ranks) {
  Point point;
  point.options = options;
  point.resources = {ranks.size(), Kokkos::DefaultHostExecutionSpace().concurrency()};
  point.date = utc_now();
  point.machine = device_name();
  point.version = program_version();
  point.space = Exec::name();
  point.kind = is_host_exec<Exec> ? "cpu" : "gpu";
  point.library = options.mode == nn::Mode::strict ? "own kernels" : nn::libraries_of_fast_mode();
  point.parameters = timed.parameters();
  // Every rank sends a piece of its gradients to each other one, and its piece of the sum (src/train/shards).
  point.message_bytes = 2.0 * (ranks.size() - 1) / ranks.size() * point.parameters * sizeof(TimedWork::Real);
  const StepWork work = timed.work();
  for (std::size_t i = 0; i < work.size(); ++i)
    point.regions.push_back({std::string(train::region_names[i]), {}, work[i].multiply_accumulates, work[i].bytes});
  return point;
}

/// The work on this rank, and what all ranks make of a time.
class Measurement {
 public:
  Measurement(const PointOptions& options, comm::Communicator& ranks, const Log& log, const std::function<bool()>& stop)
      : ranks_(ranks), stop_(stop), timed_(make_timed_work(options, ranks, log)) {}

  TimedWork& timed() { return *timed_; }
  bool stopped() const { return stopped_; }

  double step(const Clock::State state) {
    const bool stop = stop_();
    timed_->exec().fence("bcr::scale::Measurement");
    ranks_.barrier();
    const Kokkos::Timer timer;
    stopped_ = timed_->run(state, stop);
    return slowest(timer.seconds());
  }

  void watch_step(Point& point) {
    step(Clock::State::watching);
    const Clock::Seconds& seconds = timed_->region_seconds();
    for (std::size_t i = 0; i < seconds.size(); ++i) point.regions[i].seconds.push_back(slowest(seconds[i]));
  }

  double slowest(const double value) {
    const std::vector<double> all = ranks_.gather_values(value);
    return *std::max_element(all.begin(), all.end());
  }

  double sum(const double value) {
    const std::vector<double> all = ranks_.gather_values(value);
    return std::accumulate(all.begin(), all.end(), 0.0);
  }

 private:
  comm::Communicator& ranks_;
  const std::function<bool()>& stop_;
  std::unique_ptr<TimedWork> timed_;
  bool stopped_ = false;
};

}  // namespace

std::string program_version() {
  const BuildInfo build = build_info();
  return fmt::format("{} ({}, {})", build.version, build.git_hash.substr(0, 12), build.git_state);
}

std::string device_name() {
  return kokkos_info().device;
}

std::optional<Point> measure_point(const PointOptions& options, comm::Communicator& ranks, const Log& log,
                                   const std::function<bool()>& stop) {
  require_consistent(options);
  const DeviceMemory memory;
  Measurement measurement(options, ranks, log, stop);
  const Exec exec = measurement.timed().exec();
  for (int i = 0; i < options.warmup; ++i) measurement.step(Clock::State::watching);
  Point point = empty_point(options, measurement.timed(), ranks);
  point.model_bytes = measurement.slowest(measurement.timed().memory_bytes());
  point.device_bytes = measurement.slowest(static_cast<double>(memory.most()));
  point.resident_bytes = measurement.slowest(peak_resident_bytes());  // before the arrays of the triad
  kernels::PeakRate<Exec, TimedWork::Real, kernels::PeakOperation::fma> peak(exec);
  kernels::TriadRate<Exec> triad(exec);
  for (int i = 0; i < options.repetitions; ++i) {
    peak.sample();
    triad.sample();
    measurement.step(Clock::State::idle);  // the triad has emptied the caches: not what a step meets in training
    point.step_seconds.push_back(measurement.step(Clock::State::idle));
    measurement.watch_step(point);
    if (measurement.stopped()) return std::nullopt;
  }
  point.fma_peak = measurement.sum(peak.best());
  point.bandwidth = measurement.sum(triad.best());
  point.loss = measurement.timed().loss();
  if (!std::isfinite(point.loss))
    throw NumericsError("bcr-scale", "a finite loss",
                        fmt::format("{} after {} steps", point.loss, options.warmup + 3 * options.repetitions));
  return point;
}

}  // namespace bcr::scale
