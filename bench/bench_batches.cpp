// Training batches: 128 known and 128 background images of 32 x 32 x 3, pad-4 random crop, flip, normalisation.
// GB/s counts what must move, 1 + sizeof(float) bytes for each value; the share is that of the triad bandwidth of the
// same threads, sampled in turn. Best of all repetitions. `waited` is the share of time that load waited for the
// fetching thread.
#include "bench/support/noise_files.hpp"
#include "bench/support/seconds.hpp"
#include "kernels/roof/triad_rate.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
namespace train = bcr::train;

enum class Place { resident, streamed };

void batches(benchmark::State& state, train::DataOptions options, const Place place) {
  if (place == Place::streamed) options.device_budget_mib = 0;
  bcr::Context<Exec> context;
  auto source =
      train::make_batch_source<Exec, float>(context, train::open_data(options, train::DataUse::train), options);
  bcr::kernels::TriadRate<Exec> triad(context.exec);
  std::uint64_t step = 0;
  source.load(context.exec, step++);
  constexpr int steps = 4;
  double best = std::numeric_limits<double>::max();
  double total = 0;
  for (auto _ : state) {
    const double time = bcr::bench::seconds(context.exec, [&] {
      for (int i = 0; i < steps; ++i) source.load(context.exec, step++);
    });
    state.SetIterationTime(time);
    best = std::min(best, time / steps);
    total += time;
    triad.sample();
  }
  const double bytes = 256.0 * 32 * 32 * 3 * (1 + sizeof(float));
  state.counters["pairs/s"] = 1 / best;
  state.counters["images/s"] = 256 / best;
  state.counters["GB/s"] = bytes / best * 1e-9;
  state.counters["share_of_triad"] = bytes / best / triad.best();
  state.counters["waited"] = source.seconds_waited() / total;
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  benchmark::Initialize(&argc, argv);
  const bcr::bench::NoiseFiles files;
  benchmark::RegisterBenchmark("batches/resident", batches, files.options(), Place::resident)->UseManualTime();
  benchmark::RegisterBenchmark("batches/streamed", batches, files.options(), Place::streamed)->UseManualTime();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
