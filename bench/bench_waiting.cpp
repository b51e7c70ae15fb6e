// What a training step spends on its data: 128 known and 128 background images of 32 x 32 x 3, augmented, then a step
// of the smallest backbone in fast mode, which leaves the data the least time to hide in. Of the time of whole steps,
// `data` is the share of loading (augmentation included) and `waited` the share in which load waited for images to be
// gathered.
#include "bench/support/noise_files.hpp"
#include "src/comm/serial_communicator.hpp"
#include "src/train/experiment.hpp"
#include "src/train/training_step.hpp"

#include <benchmark/benchmark.h>

namespace {

namespace train = bcr::train;

train::RunOptions small_run(const bcr::bench::NoiseFiles& files) {
  train::RunOptions options;
  options.mode = bcr::nn::Mode::fast;
  options.data = files.options();
  options.model.backbone = {.name = "wrn", .depth = 10, .width = 1, .dropout = 0};
  return options;
}

enum class Place { resident, streamed };

template <Place place>
void training_step(benchmark::State& state) {
  using Clock = train::RegionClock<train::Device>;
  const bcr::bench::NoiseFiles files(static_cast<std::size_t>(state.range(0)));
  train::RunOptions options = small_run(files);
  if (place == Place::streamed) options.data.device_budget_mib = 0;
  bcr::comm::SerialCommunicator alone;
  train::Experiment experiment(options, bcr::Log(bcr::LogLevel::warning), alone);
  train::TrainingStep<train::Device, train::Real> training(experiment.model, *experiment.loss, *experiment.optimizer);
  const train::Device& exec = experiment.context.exec;
  Clock clock(exec);
  std::uint64_t number = 0;
  const auto step = [&] {
    clock.start(Clock::State::watching);
    const auto batch = experiment.batches.load(exec, number);
    clock.end(train::Region::data);
    training.run(exec, batch, {.seed = 1, .step = number, .rate = 1e-3, .lambda = 1}, clock);
    ++number;
  };
  step();
  const double waited_before = experiment.batches.seconds_waited();
  double data = 0;
  double total = 0;
  double steps = 0;
  for (auto _ : state) {
    const Kokkos::Timer timer;
    step();
    const double seconds = timer.seconds();
    state.SetIterationTime(seconds);
    total += seconds;
    data += clock.seconds()[static_cast<std::size_t>(train::Region::data)];
    ++steps;
  }
  const double waited = experiment.batches.seconds_waited() - waited_before;
  state.counters["step_ms"] = 1e3 * total / steps;
  state.counters["data_ms"] = 1e3 * data / steps;
  state.counters["data"] = data / total;
  state.counters["waited"] = waited / total;
}

BENCHMARK(training_step<Place::resident>)->Arg(50000)->UseManualTime();
BENCHMARK(training_step<Place::streamed>)->Arg(50000)->UseManualTime();

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
