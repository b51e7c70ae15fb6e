// All threshold-free metrics on 10 million scores. Every benchmark reports ns per score. "sweep" sorts and counts, once
// for all metrics; the others read the sweep. bench/peers/metrics_peers.py times scikit-learn on the same scores.
#include "src/metrics/aupr.hpp"
#include "src/metrics/roc.hpp"
#include "src/metrics/fpr_at_recall.hpp"
#include "src/metrics/registry.hpp"

#include <benchmark/benchmark.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace {

using namespace bcr::metrics;

constexpr std::size_t per_set = 5'000'000;

/// The counter-based generator "splitmix64", which NumPy can repeat bit by bit.
std::uint64_t random_bits(const std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Uniform in [0, 1) with as many bits as the type holds.
template <class T>
T uniform(const std::uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) return static_cast<float>(bits >> 40) * 0x1p-24f;
  return static_cast<T>(static_cast<double>(bits >> 11) * 0x1p-53);
}

/// Unknown scores are uniform, known ones the larger of two; three in four predictions are right.
template <class T>
struct Problem {
  std::vector<T> known = std::vector<T>(per_set);
  std::vector<std::uint8_t> correct = std::vector<std::uint8_t>(per_set);
  std::vector<T> unknown = std::vector<T>(per_set);

  Problem() {
    for (std::uint64_t i = 0; i < per_set; ++i) {
      known[i] = std::max(uniform<T>(random_bits(4 * i)), uniform<T>(random_bits(4 * i + 1)));
      unknown[i] = uniform<T>(random_bits(4 * i + 2));
      correct[i] = random_bits(4 * i + 3) % 4 != 0 ? 1 : 0;
    }
  }

  OpenSetScores<T> scores() const { return {known, correct, unknown}; }
};

template <class Work>
void time_per_score(benchmark::State& state, const Work& work) {
  double best = 1e9;
  for (auto _ : state) {
    const Kokkos::Timer timer;
    work();
    const double seconds = timer.seconds();
    state.SetIterationTime(seconds);
    best = std::min(best, seconds);
  }
  state.counters["best_ns_per_score"] = best * 1e9 / (2 * per_set);
}

template <class T>
void sweep(benchmark::State& state) {
  const Problem<T> problem;
  time_per_score(state, [&] { benchmark::DoNotOptimize(ScoreSweep(problem.scores()).groups()); });
}

template <class T>
void sweep_and_all_metrics(benchmark::State& state) {
  const Problem<T> problem;
  time_per_score(state, [&] {
    const Evaluation evaluation{ScoreSweep(problem.scores()), {}};
    benchmark::DoNotOptimize(evaluate_all_metrics(evaluation).data());
  });
}

template <class T, auto metric>
void one_metric(benchmark::State& state) {
  const Problem<T> problem;
  const ScoreSweep counts(problem.scores());
  double value = 0;
  time_per_score(state, [&] { benchmark::DoNotOptimize(value = metric(counts)); });
  state.counters["value"] = value;
}

double ap_known(const ScoreSweep& counts) {
  return average_precision(counts, Positive::known);
}
double ap_unknown(const ScoreSweep& counts) {
  return average_precision(counts, Positive::unknown);
}
double fpr95(const ScoreSweep& counts) {
  return fpr_at_recall(counts, Positive::known);
}
double paper_oscr(const ScoreSweep& counts) {
  return ccr_at_fpr(counts, 0.1);
}

BENCHMARK(sweep<float>)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(sweep<double>)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(sweep_and_all_metrics<float>)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(sweep_and_all_metrics<double>)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(one_metric<double, auroc>)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(one_metric<double, ap_known>)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(one_metric<double, ap_unknown>)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(one_metric<double, fpr95>)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(one_metric<double, paper_oscr>)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(one_metric<double, oscr_area>)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
