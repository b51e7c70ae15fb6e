#ifndef BCR_BENCH_SUPPORT_MEASURE_HPP
#define BCR_BENCH_SUPPORT_MEASURE_HPP

#include "kernels/roof/peak_rate.hpp"
#include "kernels/roof/triad_rate.hpp"

#include <benchmark/benchmark.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>

namespace bcr::bench {

/// Registers a benchmark that times itself with measure().
template <class... Arguments>
benchmark::internal::Benchmark* add(const std::string& name, void (*const function)(benchmark::State&, Arguments...),
                                    const std::type_identity_t<Arguments>&... arguments) {
  return benchmark::RegisterBenchmark(name.c_str(), function, arguments...)->UseManualTime();
}

/// What one repetition does, as RAJAPerf counts it: bytes that must move, read once and written once, and floating-point
/// operations as the algorithm is written, an fma being two. 0: not counted.
struct Work {
  double elements = 0;
  double bytes = 0;
  double flops = 0;
};

/// Seconds of one call, fenced on both sides.
template <class Exec, class Run>
double seconds(const Exec& exec, const Run& run) {
  exec.fence("bcr::bench::seconds");
  const Kokkos::Timer timer;
  run();
  exec.fence("bcr::bench::seconds");
  return timer.seconds();
}

/// The measured roofs of a space, sampled in turn with the work, since clocks and neighbours change; but not for longer
/// than the work itself and a tenth of a second.
template <class Exec, class T, kernels::PeakOperation operation>
class Roofs {
 public:
  Roofs(const Exec& exec, const Work& work)
      : exec_(exec), computes_(work.flops > 0), moves_(work.bytes > 0), peak_(exec), triad_(exec, moves_ ? 1 << 23 : 1) {}

  void sample(const double seconds_of_work) {
    budget_ += seconds_of_work;
    const Kokkos::Timer timer;
    if (budget_ < 0) return;
    if (moves_) triad_.sample();
    for (int i = 0; computes_ && i < 10; ++i) peak_.sample();  // short: a busy machine leaves few of them undisturbed
    budget_ -= timer.seconds();
  }

  double terms_per_second() const { return peak_.best(); }
  double bytes_per_second() const { return triad_.best(); }

 private:
  Exec exec_;
  bool computes_, moves_;
  kernels::PeakRate<Exec, T, operation> peak_;
  kernels::TriadRate<Exec> triad_;
  double budget_ = 0.1;
};

/// Times run(), after prepare() each time, once per iteration, and sets the counters; all are of the best repetition,
/// which a busy machine only makes rarer. Returns its seconds.
template <class T, kernels::PeakOperation operation = kernels::PeakOperation::fma, class Exec, class Prepare, class Run>
double measure(benchmark::State& state, const Exec& exec, const Work& work, const Prepare& prepare, const Run& run) {
  Roofs<Exec, T, operation> roofs(exec, work);
  prepare();
  run();
  double best = std::numeric_limits<double>::max();
  for (auto _ : state) {
    prepare();
    const double time = seconds(exec, run);
    state.SetIterationTime(time);
    best = std::min(best, time);
    roofs.sample(time);
  }
  state.counters["best_us"] = best * 1e6;
  if (work.elements > 0) state.counters["ns/element"] = best * 1e9 / work.elements;
  if (work.bytes > 0) {
    state.counters["bytes"] = work.bytes;
    state.counters["GB/s"] = work.bytes / best * 1e-9;
    state.counters["share_of_triad"] = work.bytes / best / roofs.bytes_per_second();
  }
  if (work.flops > 0) {
    constexpr double flops_of_term = operation == kernels::PeakOperation::fma ? 2 : 3;
    state.counters["flops"] = work.flops;
    state.counters["GFLOP/s"] = work.flops / best * 1e-9;
    state.counters["share_of_peak"] = work.flops / flops_of_term / best / roofs.terms_per_second();
  }
  return best;
}

template <class T, kernels::PeakOperation operation = kernels::PeakOperation::fma, class Exec, class Run>
double measure(benchmark::State& state, const Exec& exec, const Work& work, const Run& run) {
  return measure<T, operation>(state, exec, work, [] {}, run);
}

}  // namespace bcr::bench

#endif
