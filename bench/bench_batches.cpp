// Training batches: 128 known and 128 background images of 32 x 32 x 3, pad-4 random crop, flip, normalisation.
// GB/s counts what must move, 1 + sizeof(float) bytes for each value; the share is that of the triad bandwidth of the
// same threads, sampled in turn. Best of all repetitions. `waited` is the share of time that load waited for the
// gathering thread. Argument of `batches`: images in each set.
#include "bench/support/seconds.hpp"
#include "kernels/roof/triad_rate.hpp"
#include "src/train/batches/open_data.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
namespace train = bcr::train;
namespace io = bcr::io;

/// Data files of noise that are gone at the end.
class NoiseFiles {
 public:
  explicit NoiseFiles(const std::size_t images)
      : directory_(std::filesystem::temp_directory_path() / ("bcr-bench-" + std::to_string(images))) {
    std::filesystem::create_directories(directory_);
    write("known", images, {"a", "b"}, 1);
    write("background", images, {"x", "y"}, 2);
    io::write_split(directory_ / "split.toml", {.name = "bench",
                                                .trial = 0,
                                                .known = {"known", io::ClassChoice::Rule::only, {"a", "b"}},
                                                .background = {{"background", io::ClassChoice::Rule::without, {}}},
                                                .unknown = {}});
  }
  ~NoiseFiles() { std::filesystem::remove_all(directory_); }
  NoiseFiles(const NoiseFiles&) = delete;
  NoiseFiles& operator=(const NoiseFiles&) = delete;

  train::DataOptions options() const {
    train::DataOptions options;
    options.split = directory_ / "split.toml";
    options.known_train = directory_ / "known.h5";
    options.background_train = {directory_ / "background.h5"};
    return options;
  }

 private:
  void write(const std::string& name, const std::size_t images, const std::vector<std::string>& classes,
             const std::uint64_t seed) const {
    io::ImageSet set;
    set.name = name;
    set.count = images;
    set.height = set.width = 32;
    set.channels = 3;
    set.class_names = classes;
    set.images.resize(images * set.image_bytes());
    bcr::Random random(seed, bcr::Stream("bench"), 0, 0);
    for (std::size_t i = 0; i < set.images.size(); ++i) {
      if (i % (1 << 18) == 0) random = bcr::Random(seed, bcr::Stream("bench"), 0, i >> 18);
      set.images[i] = static_cast<std::uint8_t>(random.word());
    }
    for (std::size_t i = 0; i < images; ++i) set.labels.push_back(static_cast<std::int32_t>(i % classes.size()));
    io::write_image_file(directory_ / (name + ".h5"), set);
  }

  std::filesystem::path directory_;
};

enum class Place { resident, streamed };

template <Place place>
void batches(benchmark::State& state) {
  const NoiseFiles files(static_cast<std::size_t>(state.range(0)));
  train::DataOptions options = files.options();
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

BENCHMARK(batches<Place::resident>)->Arg(50000)->UseManualTime();
BENCHMARK(batches<Place::streamed>)->Arg(50000)->UseManualTime();

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
