// Reductions of fixed shape and row softmax. All are bound by memory: GB/s counts what must be read (and written), the
// share is that of the triad bandwidth of the same threads, sampled in turn. Best of all repetitions.
//   sum, norm2: length sizeof(T)      dot: 2 length sizeof(T)      channel_moments: 2 rows channels sizeof(T)
//   row_softmax: 2 N C sizeof(T), and ns per element, since the exponential may cost more than the memory
#include "bench/support/fill.hpp"
#include "bench/support/measure.hpp"
#include "bench/support/program.hpp"
#include "kernels/reduce/fixed_sum.hpp"
#include "kernels/reduce/reduce.hpp"
#include "kernels/softmax/row_softmax.hpp"

#include <benchmark/benchmark.h>

namespace {

namespace kernels = bcr::kernels;
using bcr::bench::measure;
using bcr::bench::scattered;

template <class Exec, class T>
void sum(benchmark::State& state) {
  const Exec exec;
  const int length = int(state.range(0));
  const auto src = scattered(bcr::Vector<T, Exec>("bcr::bench::src", length));
  const bcr::Vector<double, Exec> partials("bcr::bench::partials", kernels::sum_chunks(length));
  const kernels::DeviceScalar<Exec> dst("bcr::bench::dst");
  measure<T>(state, exec, {.elements = double(length), .bytes = double(length) * sizeof(T)}, [&] { kernels::sum<Exec, T>(exec, src, partials, dst); });
}

template <class Exec, class T>
void dot(benchmark::State& state) {
  const Exec exec;
  const int length = int(state.range(0));
  const auto a = scattered(bcr::Vector<T, Exec>("bcr::bench::a", length));
  const auto b = scattered(bcr::Vector<T, Exec>("bcr::bench::b", length));
  const bcr::Vector<double, Exec> partials("bcr::bench::partials", kernels::sum_chunks(length));
  const kernels::DeviceScalar<Exec> dst("bcr::bench::dst");
  measure<T>(state, exec, {.elements = double(length), .bytes = 2.0 * length * sizeof(T)}, [&] { kernels::dot<Exec, T>(exec, a, b, partials, dst); });
}

template <class Exec, class T>
void norm2(benchmark::State& state) {
  const Exec exec;
  const int length = int(state.range(0));
  const auto src = scattered(bcr::Vector<T, Exec>("bcr::bench::src", length));
  const bcr::Vector<double, Exec> partials("bcr::bench::partials", kernels::sum_chunks(length));
  const kernels::DeviceScalar<Exec> dst("bcr::bench::dst");
  measure<T>(state, exec, {.elements = double(length), .bytes = double(length) * sizeof(T)}, [&] { kernels::norm2<Exec, T>(exec, src, partials, dst); });
}

template <class Exec, class T>
void channel_moments(benchmark::State& state) {
  const Exec exec;
  const int rows = int(state.range(0));
  const int channels = int(state.range(1));
  const auto src = scattered(bcr::Matrix<T, Exec>("bcr::bench::src", rows, channels));
  const bcr::Matrix<double, Exec> partials("bcr::bench::partials", kernels::moment_chunks(rows), channels);
  const bcr::Vector<double, Exec> mean("bcr::bench::mean", channels);
  const bcr::Vector<double, Exec> variance("bcr::bench::variance", channels);
  const double elements = double(rows) * channels;
  measure<T>(state, exec, {.elements = elements, .bytes = 2 * elements * sizeof(T)},
             [&] { kernels::channel_moments<Exec, T>(exec, src, partials, mean, variance); });
}

template <class Exec, class T>
void row_softmax(benchmark::State& state) {
  const Exec exec;
  const int rows = int(state.range(0));
  const int columns = int(state.range(1));
  const auto src = scattered(bcr::Matrix<T, Exec>("bcr::bench::src", rows, columns));
  const bcr::Matrix<T, Exec> dst("bcr::bench::dst", rows, columns);
  const bcr::Vector<T, Exec> log_sum_exp("bcr::bench::log_sum_exp", rows);
  const double elements = double(rows) * columns;
  measure<T>(state, exec, {.elements = elements, .bytes = 2 * elements * sizeof(T)},
             [&] { kernels::row_softmax<Exec, T>(exec, src, T(-1), dst, log_sum_exp); });
}

template <class Exec>
void declare(const Exec&) {
  using bcr::bench::add;
  add("sum<float>", sum<Exec, float>)->Arg(1 << 24);
  add("sum<double>", sum<Exec, double>)->Arg(1 << 23);
  add("dot<float>", dot<Exec, float>)->Arg(1 << 23);
  add("dot<double>", dot<Exec, double>)->Arg(1 << 22);
  add("norm2<float>", norm2<Exec, float>)->Arg(1 << 24);
  add("channel_moments<float>", channel_moments<Exec, float>)->Args({65536, 160})->Args({16384, 640})->Args({262144, 16});
  add("channel_moments<double>", channel_moments<Exec, double>)->Args({65536, 160});
  add("row_softmax<float>", row_softmax<Exec, float>)->Args({256, 10})->Args({256, 1000})->Args({64, 21841});
  add("row_softmax<double>", row_softmax<Exec, double>)->Args({256, 1000});
}

}  // namespace

int main(int argc, char** argv) {
  return bcr::bench::run(argc, argv, [](const auto& exec) { declare(exec); });
}
