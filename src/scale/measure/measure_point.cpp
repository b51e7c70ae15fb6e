#include "src/scale/measure/measure_point.hpp"

#include "kernels/roof/peak_rate.hpp"
#include "kernels/roof/triad_rate.hpp"
#include "src/core/build_info.hpp"
#include "src/core/error.hpp"
#include "src/core/machine_info.hpp"
#include "src/core/manifest.hpp"
#include "src/scale/measure/step_work.hpp"
#include "src/scale/measure/synthetic_training.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bcr::scale {
namespace {

using Exec = SyntheticTraining::Exec;
using Clock = train::RegionClock<Exec>;

/// The most that this process has had in memory so far.
double peak_resident_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

Point empty_point(const PointOptions& options, const SyntheticTraining& training, const comm::Communicator& ranks) {
  Point point;
  point.options = options;
  point.resources = {ranks.size(), Kokkos::DefaultHostExecutionSpace().concurrency()};
  point.date = utc_now();
  point.machine = device_name();
  point.version = program_version();
  point.parameters = static_cast<double>(training.model().parameters().count());
  // Every rank sends a piece of its gradients to each other one, and its piece of the sum (src/train/shards).
  point.message_bytes = 2.0 * (ranks.size() - 1) / ranks.size() * point.parameters * sizeof(SyntheticTraining::Real);
  const StepWork work = step_work(
      training.model().network().graph(),
      {double(options.batch), double(training.model().features()), double(options.classes), point.parameters});
  for (std::size_t i = 0; i < work.size(); ++i)
    point.regions.push_back({std::string(train::region_names[i]), {}, work[i].multiply_accumulates, work[i].bytes});
  return point;
}

/// Training on this rank, and what all ranks make of a time.
class Measurement {
 public:
  Measurement(const PointOptions& options, comm::Communicator& ranks, const Log& log, const std::function<bool()>& stop)
      : ranks_(ranks), stop_(stop), training_(options, ranks, log) {}

  SyntheticTraining& training() { return training_; }
  bool stopped() const { return stopped_; }

  double step(const Clock::State state) {
    const bool stop = stop_();
    training_.exec().fence("bcr::scale::Measurement");
    ranks_.barrier();
    const Kokkos::Timer timer;
    stopped_ = training_.run(state, stop);
    return slowest(timer.seconds());
  }

  void watch_step(Point& point) {
    step(Clock::State::watching);
    const Clock::Seconds& seconds = training_.region_seconds();
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
  SyntheticTraining training_;
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
  Measurement measurement(options, ranks, log, stop);
  const Exec exec = measurement.training().exec();
  for (int i = 0; i < options.warmup; ++i) measurement.step(Clock::State::watching);
  Point point = empty_point(options, measurement.training(), ranks);
  point.model_bytes = measurement.slowest(measurement.training().memory_bytes());
  point.resident_bytes = measurement.slowest(peak_resident_bytes());  // before the arrays of the triad
  kernels::PeakRate<Exec, SyntheticTraining::Real, kernels::PeakOperation::fma> peak(exec);
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
  point.loss = measurement.training().loss();
  if (!std::isfinite(point.loss))
    throw NumericsError("bcr-scale", "a finite loss",
                        fmt::format("{} after {} steps", point.loss, options.warmup + 3 * options.repetitions));
  return point;
}

}  // namespace bcr::scale
