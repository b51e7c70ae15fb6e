// Time per element of the probability of inclusion: our plan (log P, log Q and both hazards) beside
// boost::math::gamma_q (one value). bench/peers/gamma_peers.py times SciPy and PyTorch on the same inputs.
#include "kernels/gamma/inclusion_plan.hpp"
#include "kernels/gamma/incomplete_gamma.hpp"

#include <benchmark/benchmark.h>
#include <Kokkos_Core.hpp>
#include <Kokkos_Timer.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace {

using Exec = Kokkos::Serial;
constexpr int count = 4096;

/// D^2/n spread logarithmically over 0.3..3, in a scattered order.
double squared_distance(const int dimensions, const int i) {
  const int order = (i * 1609) % count;
  return dimensions * 0.3 * std::pow(10.0, static_cast<double>(order) / count);
}

/// Times `work` once per iteration. The counter is the best iteration, which a busy machine disturbs least.
template <class Work>
void time_all(benchmark::State& state, const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    const Kokkos::Timer timer;
    work();
    const double seconds = timer.seconds();
    state.SetIterationTime(seconds);
    best = std::min(best, seconds);
  }
  state.counters["ns_per_element"] = best / count * 1e9;
}

template <class T>
void plan_all_outputs(benchmark::State& state) {
  const int dimensions = 2 * static_cast<int>(state.range(0));
  const bcr::kernels::InclusionPlan plan(dimensions);
  const bcr::Vector<T, Exec> src("bcr::bench::squared_distances", count);
  for (int i = 0; i < count; ++i) src(i) = static_cast<T>(squared_distance(dimensions, i));
  const bcr::kernels::InclusionVectors<T, Exec> dst{
      bcr::Vector<T, Exec>("bcr::bench::log_p", count), bcr::Vector<T, Exec>("bcr::bench::log_q", count),
      bcr::Vector<T, Exec>("bcr::bench::hazard_p", count), bcr::Vector<T, Exec>("bcr::bench::hazard_q", count)};
  const Exec exec;
  time_all(state, [&] {
    bcr::kernels::evaluate<T, Exec>(exec, plan, src, dst);
    exec.fence("bcr::bench::gamma");
  });
}

std::vector<double> half_distances(const benchmark::State& state) {
  std::vector<double> x(count);
  for (int i = 0; i < count; ++i) x[i] = 0.5 * squared_distance(2 * static_cast<int>(state.range(0)), i);
  return x;
}

void scalar_all_outputs(benchmark::State& state) {
  const double a = static_cast<double>(state.range(0));
  const std::vector<double> x = half_distances(state);
  time_all(state, [&] {
    for (const double value : x) benchmark::DoNotOptimize(bcr::kernels::incomplete_gamma(a, value));
  });
}

void boost_gamma_q(benchmark::State& state) {
  const double a = static_cast<double>(state.range(0));
  const std::vector<double> x = half_distances(state);
  time_all(state, [&] {
    for (const double value : x) benchmark::DoNotOptimize(boost::math::gamma_q(a, value));
  });
}

void make_plan(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(bcr::kernels::InclusionPlan(static_cast<int>(state.range(0))));
  }
}

void shapes(benchmark::internal::Benchmark* const cases) {
  cases->ArgName("a")->Arg(64)->Arg(128)->Arg(256)->Arg(320)->UseManualTime();
}

BENCHMARK(plan_all_outputs<double>)->Apply(shapes);
BENCHMARK(plan_all_outputs<float>)->Apply(shapes);
BENCHMARK(scalar_all_outputs)->Apply(shapes);
BENCHMARK(boost_gamma_q)->Apply(shapes);
BENCHMARK(make_plan)->ArgName("n")->Arg(1)->Arg(128)->Arg(4096)->Unit(benchmark::kMillisecond);

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
