// Reductions of fixed shape and row softmax. All are bound by memory: GB/s counts what must be read (and written), the
// share is that of the triad bandwidth of the same threads, sampled in turn. Best of all repetitions.
//   sum, norm2: length sizeof(T)      dot: 2 length sizeof(T)      channel_moments: 2 rows channels sizeof(T)
//   row_softmax: 2 N C sizeof(T), and ns per element, since the exponential may cost more than the memory
#include "bench/support/bandwidth.hpp"
#include "kernels/reduce/fixed_sum.hpp"
#include "kernels/reduce/reduce.hpp"
#include "kernels/softmax/row_softmax.hpp"

#include <benchmark/benchmark.h>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
namespace kernels = bcr::kernels;

using bcr::bench::measure_bandwidth;

template <class T>
void sum(benchmark::State& state) {
  const Exec exec;
  const int length = int(state.range(0));
  const bcr::Vector<T, Exec> src("bcr::bench::src", length);
  const bcr::Vector<double, Exec> partials("bcr::bench::partials", kernels::sum_chunks(length));
  const kernels::DeviceScalar<Exec> dst("bcr::bench::dst");
  measure_bandwidth(state, exec, double(length) * sizeof(T), [&] { kernels::sum<Exec, T>(exec, src, partials, dst); });
}

template <class T>
void dot(benchmark::State& state) {
  const Exec exec;
  const int length = int(state.range(0));
  const bcr::Vector<T, Exec> a("bcr::bench::a", length);
  const bcr::Vector<T, Exec> b("bcr::bench::b", length);
  const bcr::Vector<double, Exec> partials("bcr::bench::partials", kernels::sum_chunks(length));
  const kernels::DeviceScalar<Exec> dst("bcr::bench::dst");
  measure_bandwidth(state, exec, 2.0 * length * sizeof(T), [&] { kernels::dot<Exec, T>(exec, a, b, partials, dst); });
}

template <class T>
void norm2(benchmark::State& state) {
  const Exec exec;
  const int length = int(state.range(0));
  const bcr::Vector<T, Exec> src("bcr::bench::src", length);
  const bcr::Vector<double, Exec> partials("bcr::bench::partials", kernels::sum_chunks(length));
  const kernels::DeviceScalar<Exec> dst("bcr::bench::dst");
  measure_bandwidth(state, exec, double(length) * sizeof(T), [&] { kernels::norm2<Exec, T>(exec, src, partials, dst); });
}

template <class T>
void channel_moments(benchmark::State& state) {
  const Exec exec;
  const int rows = int(state.range(0));
  const int channels = int(state.range(1));
  const bcr::Matrix<T, Exec> src("bcr::bench::src", rows, channels);
  const bcr::Matrix<double, Exec> partials("bcr::bench::partials", kernels::moment_chunks(rows), channels);
  const bcr::Vector<double, Exec> mean("bcr::bench::mean", channels);
  const bcr::Vector<double, Exec> variance("bcr::bench::variance", channels);
  measure_bandwidth(state, exec, 2.0 * rows * channels * sizeof(T),
          [&] { kernels::channel_moments<Exec, T>(exec, src, partials, mean, variance); });
}

template <class T>
void row_softmax(benchmark::State& state) {
  const Exec exec;
  const int rows = int(state.range(0));
  const int columns = int(state.range(1));
  const bcr::Matrix<T, Exec> src("bcr::bench::src", rows, columns);
  const bcr::Matrix<T, Exec> dst("bcr::bench::dst", rows, columns);
  const bcr::Vector<T, Exec> log_sum_exp("bcr::bench::log_sum_exp", rows);
  const double best = measure_bandwidth(state, exec, 2.0 * rows * columns * sizeof(T),
                              [&] { kernels::row_softmax<Exec, T>(exec, src, T(-1), dst, log_sum_exp); });
  state.counters["ns/element"] = best * 1e9 / (double(rows) * columns);
}

BENCHMARK(sum<float>)->Arg(1 << 24)->UseManualTime();
BENCHMARK(sum<double>)->Arg(1 << 23)->UseManualTime();
BENCHMARK(dot<float>)->Arg(1 << 23)->UseManualTime();
BENCHMARK(dot<double>)->Arg(1 << 22)->UseManualTime();
BENCHMARK(norm2<float>)->Arg(1 << 24)->UseManualTime();
BENCHMARK(channel_moments<float>)->Args({65536, 160})->Args({16384, 640})->Args({262144, 16})->UseManualTime();
BENCHMARK(channel_moments<double>)->Args({65536, 160})->UseManualTime();
BENCHMARK(row_softmax<float>)->Args({256, 10})->Args({256, 1000})->Args({64, 21841})->UseManualTime();
BENCHMARK(row_softmax<double>)->Args({256, 1000})->UseManualTime();

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
