// Batch norm, ReLU, dropout and pooling. All are bound by memory: GB/s counts what must be read and written, the share
// is that of the triad bandwidth of the same threads, sampled in turn. Best of all repetitions.
//   sums, column_sums: size      forward, backward_sums: 2 size      backward: 3 size     (size = rows channels
//   sizeof(T)) max_pool_forward: 1.25 size  max_pool_backward: 2.25 size        global_average_pool: size
#include "bench/support/fill.hpp"
#include "bench/support/measure.hpp"
#include "bench/support/program.hpp"
#include "kernels/norm/batch_norm_backward.hpp"
#include "kernels/norm/batch_norm_forward.hpp"
#include "kernels/norm/column_sums.hpp"
#include "kernels/pool/pool.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>

namespace {

namespace kernels = bcr::kernels;
using kernels::Activation;
using bcr::bench::measure;

/// Work that reads or writes `times` as many numbers as there are elements.
template <class T>
bcr::bench::Work moved(const double elements, const double times) {
  return {.elements = elements, .bytes = times * elements * sizeof(T)};
}

/// Tensors and numbers of one layer.
template <class Exec, class T>
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
    bcr::bench::scattered(src, 8);
    bcr::bench::scattered(diff_dst, 6);
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

template <class Exec, class T>
void sums(benchmark::State& state) {
  const Exec exec;
  const Layer<Exec, T> layer(state);
  measure<T>(state, exec, moved<T>(layer.elements(), 1),
          [&] { kernels::batch_norm_sums<Exec, T>(exec, layer.src, layer.partials, layer.sums); });
}

template <class Exec, class T>
void column_sums(benchmark::State& state) {
  const Exec exec;
  const Layer<Exec, T> layer(state);
  measure<T>(state, exec, moved<T>(layer.elements(), 1),
          [&] { kernels::column_sums<Exec, T>(exec, layer.src, layer.partials, layer.vector); });
}

template <class Exec, class T, Drops drops>
void forward(benchmark::State& state) {
  const Exec exec;
  const Layer<Exec, T> layer(state);
  measure<T>(state, exec, moved<T>(layer.elements(), 2), [&] {
    kernels::batch_norm_forward<Exec, T>(exec, layer.src, layer.vector, layer.vector, Activation::relu, dropout<drops>,
                                         layer.dst);
  });
}

template <class Exec, class T, Drops drops>
void backward_sums(benchmark::State& state) {
  const Exec exec;
  const Layer<Exec, T> layer(state);
  measure<T>(state, exec, moved<T>(layer.elements(), 2), [&] {
    kernels::batch_norm_backward_sums<Exec, T>(exec, layer.src, layer.diff_dst, layer.coefficients, Activation::relu,
                                               dropout<drops>, layer.partials, layer.sums);
  });
}

template <class Exec, class T, Drops drops>
void backward(benchmark::State& state) {
  const Exec exec;
  const Layer<Exec, T> layer(state);
  measure<T>(state, exec, moved<T>(layer.elements(), 3), [&] {
    kernels::batch_norm_backward<Exec, T>(exec, layer.src, layer.diff_dst, layer.coefficients, layer.terms,
                                          Activation::relu, dropout<drops>, kernels::ChainStart::zero, layer.dst);
  });
}

/// 64 images of range(0) x range(0) pixels and range(1) channels, windows of 2 x 2.
template <class Exec>
struct Images {
  explicit Images(const benchmark::State& state)
      : side(std::size_t(state.range(0))),
        channels(std::size_t(state.range(1))),
        src("bcr::bench::src", 64, side, side, channels),
        diff_src("bcr::bench::diff_src", 64, side, side, channels),
        dst("bcr::bench::dst", 64, side / 2, side / 2, channels),
        means("bcr::bench::means", 64, channels) {
    bcr::bench::scattered(src);
  }
  std::size_t side, channels;
  bcr::Tensor4<float, Exec> src, diff_src, dst;
  bcr::Matrix<float, Exec> means;
};

template <class Exec>
void max_pool_forward(benchmark::State& state) {
  const Exec exec;
  const Images<Exec> images(state);
  const double elements = double(images.src.size());
  measure<float>(state, exec, moved<float>(elements, 1.25), [&] {
    kernels::max_pool_forward<Exec, float>(exec, {2, 2, 0}, images.src, images.dst);
  });
}

template <class Exec>
void max_pool_backward(benchmark::State& state) {
  const Exec exec;
  const Images<Exec> images(state);
  const double elements = double(images.src.size());
  measure<float>(state, exec, moved<float>(elements, 2.25), [&] {
    kernels::max_pool_backward<Exec, float>(exec, {2, 2, 0}, images.src, images.dst, images.diff_src);
  });
}

template <class Exec>
void global_average_pool(benchmark::State& state) {
  const Exec exec;
  const Images<Exec> images(state);
  const double elements = double(images.src.size());
  measure<float>(state, exec, moved<float>(elements, 1),
          [&] { kernels::global_average_pool_forward<Exec, float>(exec, images.src, images.means); });
}

/// The three stages of a WRN-40-2 with a batch of 256.
void stages(benchmark::internal::Benchmark* const bench) {
  bench->Args({256 * 32 * 32, 32})->Args({256 * 16 * 16, 64})->Args({256 * 8 * 8, 128});
}

template <class Exec>
void declare(const Exec&) {
  using bcr::bench::add;
  add("sums<float>", sums<Exec, float>)->Apply(stages)->Args({262144, 16})->Args({16384, 640});
  add("sums<double>", sums<Exec, double>)->Args({65536, 64});
  add("column_sums<float>", column_sums<Exec, float>)->Args({65536, 64});
  add("forward<float, Drops::no>", forward<Exec, float, Drops::no>)->Apply(stages)->Args({262144, 16})->Args({16384, 640});
  add("forward<float, Drops::yes>", forward<Exec, float, Drops::yes>)->Apply(stages);
  add("backward_sums<float, Drops::no>", backward_sums<Exec, float, Drops::no>)->Apply(stages)->Args({262144, 16});
  add("backward_sums<float, Drops::yes>", backward_sums<Exec, float, Drops::yes>)->Apply(stages);
  add("backward<float, Drops::no>", backward<Exec, float, Drops::no>)->Apply(stages)->Args({262144, 16});
  add("backward<float, Drops::yes>", backward<Exec, float, Drops::yes>)->Apply(stages);
  add("backward<double, Drops::no>", backward<Exec, double, Drops::no>)->Args({65536, 64});
  add("max_pool_forward", max_pool_forward<Exec>)->Args({32, 64});
  add("max_pool_backward", max_pool_backward<Exec>)->Args({32, 64});
  add("global_average_pool", global_average_pool<Exec>)->Args({8, 128});
}

}  // namespace

int main(int argc, char** argv) {
  return bcr::bench::run(argc, argv, [](const auto& exec) { declare(exec); });
}
