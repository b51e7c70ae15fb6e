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

#include <cmath>

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

Point empty_point(const PointOptions& options, const SyntheticTraining& training) {
  Point point;
  point.options = options;
  point.resources = {1, Kokkos::DefaultHostExecutionSpace().concurrency()};
  point.date = utc_now();
  point.machine = device_name();
  point.version = program_version();
  point.parameters = static_cast<double>(training.model().parameters().count());
  point.model_bytes = training.memory_bytes();
  const StepWork work = step_work(
      training.model().network().graph(),
      {double(options.batch), double(training.model().features()), double(options.classes), point.parameters});
  for (std::size_t i = 0; i < work.size(); ++i)
    point.regions.push_back({std::string(train::region_names[i]), {}, work[i].multiply_accumulates, work[i].bytes});
  return point;
}

double timed_step(SyntheticTraining& training) {
  training.exec().fence("bcr::scale::timed_step");
  const Kokkos::Timer timer;
  training.run(Clock::State::idle);
  return timer.seconds();
}

void watch_step(SyntheticTraining& training, Point& point) {
  training.run(Clock::State::watching);
  const Clock::Seconds& seconds = training.region_seconds();
  for (std::size_t i = 0; i < seconds.size(); ++i) point.regions[i].seconds.push_back(seconds[i]);
}

}  // namespace

std::string program_version() {
  const BuildInfo build = build_info();
  return fmt::format("{} ({}, {})", build.version, build.git_hash.substr(0, 12), build.git_state);
}

std::string device_name() {
  return kokkos_info().device;
}

std::optional<Point> measure_point(const PointOptions& options, const Log& log, const std::function<bool()>& stop) {
  require_consistent(options);
  SyntheticTraining training(options, log);
  for (int i = 0; i < options.warmup; ++i) training.run(Clock::State::watching);
  Point point = empty_point(options, training);
  point.resident_bytes = peak_resident_bytes();  // before the arrays of the triad
  kernels::PeakRate<Exec, SyntheticTraining::Real, kernels::PeakOperation::fma> peak(training.exec());
  kernels::TriadRate<Exec> triad(training.exec());
  for (int i = 0; i < options.repetitions; ++i) {
    if (stop()) return std::nullopt;
    peak.sample();
    triad.sample();
    training.run(Clock::State::idle);  // the triad has emptied the caches: not what a step meets in training
    point.step_seconds.push_back(timed_step(training));
    watch_step(training, point);
  }
  point.fma_peak = peak.best();
  point.bandwidth = triad.best();
  point.loss = training.loss();
  if (!std::isfinite(point.loss))
    throw NumericsError("bcr-scale", "a finite loss",
                        fmt::format("{} after {} steps", point.loss, options.warmup + 3 * options.repetitions));
  return point;
}

}  // namespace bcr::scale
