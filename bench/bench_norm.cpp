// Batch norm, ReLU, dropout and pooling. All are bound by memory: GB/s counts what must be read and written, the share
// is that of the triad bandwidth of the same threads, sampled in turn. Best of all repetitions.
//   sums, column_sums: size      forward, backward_sums: 2 size      backward: 3 size     (size = rows channels
//   sizeof(T)) max_pool_forward: 1.25 size  max_pool_backward: 2.25 size        global_average_pool: size
#include "bench/support/bandwidth.hpp"
#include "kernels/norm/batch_norm_backward.hpp"
#include "kernels/norm/batch_norm_forward.hpp"
#include "kernels/norm/column_sums.hpp"
#include "kernels/pool/pool.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
namespace kernels = bcr::kernels;
using kernels::Activation;

template <class Work>
void measure(benchmark::State& state, const Exec& exec, const double elements, const double bytes, const Work& work) {
  state.counters["ns/element"] = bcr::bench::measure_bandwidth(state, exec, bytes, work) * 1e9 / elements;
}

/// Tensors and numbers of one layer.
template <class T>
struct Layer {
  explicit Layer(const benchmark::State& state)
      : rows(std::size_t(state.range(0))),
        channels(std::size_t(state.range(1))),
        src("bcr::bench::src", rows, channels),
        diff_dst("bcr::bench::diff_dst", rows, channels),
        dst("bcr::bench::dst", rows, channels),
        partials("bcr::bench::partials", kernels::norm_partials(rows, channels)),
        sums("bcr::bench::sums", 2, channels),
        terms("bcr::bench::terms", 3, channels),
        vector("bcr::bench::vector", channels),
        coefficients{vector, vector, vector, vector} {
    for (std::size_t i = 0; i < src.size(); ++i) {
      src.data()[i] = T(int(i * 2654435761u % 17)) - T(8);
      diff_dst.data()[i] = T(int(i * 2654435761u % 13)) - T(6);
    }
    Kokkos::deep_copy(vector, T(0.5));
    Kokkos::deep_copy(terms, T(0.25));
  }
  double elements() const { return double(rows) * double(channels); }

  std::size_t rows, channels;
  bcr::Matrix<T, Exec> src, diff_dst, dst;
  bcr::Vector<double, Exec> partials;
  bcr::Matrix<double, Exec> sums;
  bcr::Matrix<T, Exec> terms;
  bcr::Vector<T, Exec> vector;
  kernels::BatchNormCoefficients<Exec, T> coefficients;
};

enum class Drops { no, yes };
template <Drops drops>
constexpr kernels::Dropout dropout{drops == Drops::yes ? 0.3 : 0.0, 1, 2, 3};

template <class T>
void sums(benchmark::State& state) {
  const Exec exec;
  const Layer<T> layer(state);
  measure(state, exec, layer.elements(), layer.elements() * sizeof(T),
          [&] { kernels::batch_norm_sums<Exec, T>(exec, layer.src, layer.partials, layer.sums); });
}

template <class T>
void column_sums(benchmark::State& state) {
  const Exec exec;
  const Layer<T> layer(state);
  measure(state, exec, layer.elements(), layer.elements() * sizeof(T),
          [&] { kernels::column_sums<Exec, T>(exec, layer.src, layer.partials, layer.vector); });
}

template <class T, Drops drops>
void forward(benchmark::State& state) {
  const Exec exec;
  const Layer<T> layer(state);
  measure(state, exec, layer.elements(), 2 * layer.elements() * sizeof(T), [&] {
    kernels::batch_norm_forward<Exec, T>(exec, layer.src, layer.vector, layer.vector, Activation::relu, dropout<drops>,
                                         layer.dst);
  });
}

template <class T, Drops drops>
void backward_sums(benchmark::State& state) {
  const Exec exec;
  const Layer<T> layer(state);
  measure(state, exec, layer.elements(), 2 * layer.elements() * sizeof(T), [&] {
    kernels::batch_norm_backward_sums<Exec, T>(exec, layer.src, layer.diff_dst, layer.coefficients, Activation::relu,
                                               dropout<drops>, layer.partials, layer.sums);
  });
}

template <class T, Drops drops>
void backward(benchmark::State& state) {
  const Exec exec;
  const Layer<T> layer(state);
  measure(state, exec, layer.elements(), 3 * layer.elements() * sizeof(T), [&] {
    kernels::batch_norm_backward<Exec, T>(exec, layer.src, layer.diff_dst, layer.coefficients, layer.terms,
                                          Activation::relu, dropout<drops>, kernels::ChainStart::zero, layer.dst);
  });
}

/// 64 images of range(0) x range(0) pixels and range(1) channels, windows of 2 x 2.
struct Images {
  explicit Images(const benchmark::State& state)
      : side(std::size_t(state.range(0))),
        channels(std::size_t(state.range(1))),
        src("bcr::bench::src", 64, side, side, channels),
        diff_src("bcr::bench::diff_src", 64, side, side, channels),
        dst("bcr::bench::dst", 64, side / 2, side / 2, channels),
        means("bcr::bench::means", 64, channels) {
    for (std::size_t i = 0; i < src.size(); ++i) src.data()[i] = float(i * 2654435761u % 1009);
  }
  std::size_t side, channels;
  bcr::Tensor4<float, Exec> src, diff_src, dst;
  bcr::Matrix<float, Exec> means;
};

void max_pool_forward(benchmark::State& state) {
  const Exec exec;
  const Images images(state);
  const double elements = double(images.src.size());
  measure(state, exec, elements, 1.25 * elements * sizeof(float), [&] {
    kernels::max_pool_forward<Exec, float>(exec, {2, 2, 0}, images.src, images.dst);
  });
}

void max_pool_backward(benchmark::State& state) {
  const Exec exec;
  const Images images(state);
  const double elements = double(images.src.size());
  measure(state, exec, elements, 2.25 * elements * sizeof(float), [&] {
    kernels::max_pool_backward<Exec, float>(exec, {2, 2, 0}, images.src, images.dst, images.diff_src);
  });
}

void global_average_pool(benchmark::State& state) {
  const Exec exec;
  const Images images(state);
  const double elements = double(images.src.size());
  measure(state, exec, elements, elements * sizeof(float),
          [&] { kernels::global_average_pool_forward<Exec, float>(exec, images.src, images.means); });
}

/// The three stages of a WRN-40-2 with a batch of 256.
void stages(benchmark::internal::Benchmark* const bench) {
  bench->Args({256 * 32 * 32, 32})->Args({256 * 16 * 16, 64})->Args({256 * 8 * 8, 128})->UseManualTime();
}

BENCHMARK(sums<float>)->Apply(stages)->Args({262144, 16})->Args({16384, 640});
BENCHMARK(sums<double>)->Args({65536, 64})->UseManualTime();
BENCHMARK(column_sums<float>)->Args({65536, 64})->UseManualTime();
BENCHMARK(forward<float, Drops::no>)->Apply(stages)->Args({262144, 16})->Args({16384, 640});
BENCHMARK(forward<float, Drops::yes>)->Apply(stages);
BENCHMARK(backward_sums<float, Drops::no>)->Apply(stages)->Args({262144, 16});
BENCHMARK(backward_sums<float, Drops::yes>)->Apply(stages);
BENCHMARK(backward<float, Drops::no>)->Apply(stages)->Args({262144, 16});
BENCHMARK(backward<float, Drops::yes>)->Apply(stages);
BENCHMARK(backward<double, Drops::no>)->Args({65536, 64})->UseManualTime();
BENCHMARK(max_pool_forward)->Args({32, 64})->UseManualTime();
BENCHMARK(max_pool_backward)->Args({32, 64})->UseManualTime();
BENCHMARK(global_average_pool)->Args({8, 128})->UseManualTime();

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
