// Training batches: 128 known and 128 background images of 32 x 32 x 3, pad-4 random crop, flip, normalisation.
// GB/s counts what must move, 1 + sizeof(float) bytes for each value; the share is that of the triad bandwidth, sampled
// in turn. `waited` is the share of all time in which load waited for the fetching thread.
#include "bench/support/measure.hpp"
#include "bench/support/noise_files.hpp"
#include "bench/support/program.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>

namespace {

namespace train = bcr::train;

enum class Place { resident, streamed };

template <class Exec>
void batches(benchmark::State& state, train::DataOptions options, const Place place) {
  if (place == Place::streamed) options.device_budget_mib = 0;
  bcr::Context<Exec> context;
  auto source =
      train::make_batch_source<Exec, float>(context, train::open_data(options, train::DataUse::train), options);
  std::uint64_t step = 0;
  constexpr int steps = 4;
  constexpr double images = 256 * steps, numbers = images * 32 * 32 * 3;
  const Kokkos::Timer timer;
  const double best = bcr::bench::measure<float>(
      state, context.exec, {.elements = images, .bytes = numbers * (1 + sizeof(float))}, [&] {
        for (int i = 0; i < steps; ++i) source.load(context.exec, step++);
      });
  state.counters["pairs/s"] = steps / best;
  state.counters["waited"] = source.seconds_waited() / timer.seconds();
}

}  // namespace

int main(int argc, char** argv) {
  return bcr::bench::run(argc, argv, []<class Exec>(const Exec&) {
    static const bcr::bench::NoiseFiles files;
    bcr::bench::add("batches/resident", batches<Exec>, files.options(), Place::resident);
    bcr::bench::add("batches/streamed", batches<Exec>, files.options(), Place::streamed);
  });
}
