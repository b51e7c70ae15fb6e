// Time per element of the probability of inclusion: our plan (log P, log Q and both hazards) beside
// boost::math::gamma_q (one value). bench/peers/gamma_peers.py times SciPy and PyTorch on the same inputs.
#include "bench/support/fill.hpp"
#include "bench/support/measure.hpp"
#include "bench/support/program.hpp"
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

constexpr int count = 4096;  // rivals take one after another
template <class Exec>
constexpr int elements = bcr::is_host_exec<Exec> ? count : 1 << 20;

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
  state.counters["ns/element"] = best / count * 1e9;
}

template <class Exec, class T>
void plan_all_outputs(benchmark::State& state) {
  const int dimensions = 2 * static_cast<int>(state.range(0));
  const bcr::kernels::InclusionPlan plan(dimensions);
  const auto src = bcr::bench::filled(bcr::Vector<T, Exec>("bcr::bench::squared_distances", elements<Exec>),
                                      [=](const std::size_t i) { return squared_distance(dimensions, int(i % count)); });
  const bcr::kernels::InclusionVectors<T, Exec> dst{
      bcr::Vector<T, Exec>("bcr::bench::log_p", elements<Exec>), bcr::Vector<T, Exec>("bcr::bench::log_q", elements<Exec>),
      bcr::Vector<T, Exec>("bcr::bench::hazard_p", elements<Exec>), bcr::Vector<T, Exec>("bcr::bench::hazard_q", elements<Exec>)};
  const Exec exec;
  bcr::bench::measure<T>(state, exec, {.elements = double(elements<Exec>), .bytes = 5.0 * elements<Exec> * sizeof(T)},
                         [&] { bcr::kernels::evaluate<T, Exec>(exec, plan, src, dst); });
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
  cases->ArgName("a")->Arg(64)->Arg(128)->Arg(256)->Arg(320);
}

}  // namespace

int main(int argc, char** argv) {
  return bcr::bench::run(argc, argv, []<class Exec>(const Exec&) {
    using bcr::bench::add;
    add("plan_all_outputs<double>", plan_all_outputs<Exec, double>)->Apply(shapes);
    add("plan_all_outputs<float>", plan_all_outputs<Exec, float>)->Apply(shapes);
    add("scalar_all_outputs", scalar_all_outputs)->Apply(shapes);
    add("boost_gamma_q", boost_gamma_q)->Apply(shapes);
    benchmark::RegisterBenchmark("make_plan", make_plan)->ArgName("n")->Arg(1)->Arg(128)->Arg(4096)->Unit(
        benchmark::kMillisecond);
  });
}
