// What a training step spends on its data: 128 known and 128 background images of 32 x 32 x 3, augmented, then a step
// of the smallest backbone in fast mode, which leaves the data the least time to hide in. step_ms and data_ms are
// medians over the steps, `data` is the share of loading (augmentation included), and `waited` the share of all time in
// which load waited for images to be fetched.
#include "bench/support/noise_files.hpp"
#include "src/comm/communicator.hpp"
#include "src/train/experiment.hpp"
#include "src/train/training_step.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace {

namespace train = bcr::train;

train::RunOptions small_run(const train::DataOptions& data) {
  train::RunOptions options;
  options.mode = bcr::nn::Mode::fast;
  options.data = data;
  options.model.backbone = {.name = "wrn", .depth = 10, .width = 1, .dropout = 0};
  return options;
}

/// Neighbours on the machine stretch some steps; the median does not see them.
double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

enum class Place { resident, streamed };

void training_step(benchmark::State& state, const train::DataOptions& data_options, const Place place) {
  using Clock = train::RegionClock<train::Device>;
  train::RunOptions options = small_run(data_options);
  if (place == Place::streamed) options.data.device_budget_mib = 0;
  bcr::comm::SerialCommunicator alone;
  train::Experiment experiment(options, bcr::Log(bcr::LogLevel::warning), alone);
  auto training = experiment.make_step();
  const train::Device& exec = experiment.context.exec;
  Clock clock(exec);
  std::uint64_t number = 0;
  const auto step = [&] {
    clock.start(Clock::State::watching);
    training.run(
        exec, [&](const int shard) { return experiment.batches.load(exec, number, shard); },
        {.seed = 1, .step = number, .rate = 1e-3, .lambda = 1}, false, clock);
    ++number;
  };
  step();
  const double waited_before = experiment.batches.seconds_waited();
  std::vector<double> data;
  std::vector<double> total;
  for (auto _ : state) {
    const Kokkos::Timer timer;
    step();
    total.push_back(timer.seconds());
    state.SetIterationTime(total.back());
    data.push_back(clock.seconds()[static_cast<std::size_t>(train::Region::data)]);
  }
  const double waited = experiment.batches.seconds_waited() - waited_before;
  state.counters["waited"] = waited / std::accumulate(total.begin(), total.end(), 0.0);
  state.counters["step_ms"] = 1e3 * median(total);
  state.counters["data_ms"] = 1e3 * median(data);
  state.counters["data"] = median(data) / median(total);
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  benchmark::Initialize(&argc, argv);
  const bcr::bench::NoiseFiles files;
  for (const auto& [name, place] :
       {std::pair{"training_step/resident", Place::resident}, {"training_step/streamed", Place::streamed}})
    benchmark::RegisterBenchmark(name, training_step, files.options(), place)->UseManualTime()->Iterations(40);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
