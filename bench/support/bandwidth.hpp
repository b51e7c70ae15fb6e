#ifndef BCR_BENCH_SUPPORT_BANDWIDTH_HPP
#define BCR_BENCH_SUPPORT_BANDWIDTH_HPP

#include "bench/support/seconds.hpp"
#include "kernels/roof/triad_rate.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>

namespace bcr::bench {

/// Times `work`, which moves `bytes`, and counts GB/s and its share of the triad bandwidth of the same threads, sampled in
/// turn. Returns the best time.
template <class Exec, class Work>
double measure_bandwidth(benchmark::State& state, const Exec& exec, const double bytes, const Work& work) {
  kernels::TriadRate<Exec> triad(exec);
  work();
  double best = std::numeric_limits<double>::max();
  for (auto _ : state) {
    const double time = seconds(exec, work);
    state.SetIterationTime(time);
    best = std::min(best, time);
    triad.sample();
  }
  state.counters["GB/s"] = bytes / best * 1e-9;
  state.counters["share_of_triad"] = bytes / best / triad.best();
  return best;
}

}  // namespace bcr::bench

#endif
