// The text model's parts, as training and inference meet them: 128 rows of 100 steps, 50 inputs, 128 units. GFLOP/s
// counts the products, the share is that of the peak of the same threads. Best of all repetitions.
//   forward: 6 N L H (E + H) flop     backward (through time alone): 6 N L H^2 flop     tokens/s: N L
#include "bench/support/seconds.hpp"
#include "kernels/embedding/embedding.hpp"
#include "kernels/rnn/gru.hpp"
#include "kernels/roof/peak_rate.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
namespace kernels = bcr::kernels;

constexpr std::size_t vocabulary = 10'002;

template <class View>
View numbers(const View& view, const double scale) {
  using T = typename View::value_type;
  for (std::size_t i = 0; i < view.size(); ++i)
    view.data()[i] = static_cast<T>((static_cast<double>(i * 2654435761u % 4001) / 2000 - 1) * scale);
  return view;
}

/// A layer with its memory; range(0): rows, range(1): steps, range(2): inputs, range(3): units.
template <class T>
struct Layer {
  explicit Layer(const benchmark::State& state)
      : N(std::size_t(state.range(0))),
        L(std::size_t(state.range(1))),
        E(std::size_t(state.range(2))),
        H(std::size_t(state.range(3))),
        tokens("bcr::bench::tokens", N, L),
        src(numbers(bcr::Matrix<T, Exec>("bcr::bench::src", N * L, E), 1.0)),
        input(numbers(bcr::Matrix<T, Exec>("bcr::bench::input", 3 * H, E), 0.1)),
        recurrent(numbers(bcr::Matrix<T, Exec>("bcr::bench::recurrent", 3 * H, H), 0.1)),
        bias(numbers(bcr::Vector<T, Exec>("bcr::bench::bias", 3 * H), 0.1)),
        states("bcr::bench::states", N * L, H),
        last(numbers(bcr::Matrix<T, Exec>("bcr::bench::last", N, H), 1.0)),
        trace{bcr::Matrix<T, Exec>("bcr::bench::reset_update", N * L, 2 * H),
              bcr::Matrix<T, Exec>("bcr::bench::candidate", N * L, H),
              bcr::Matrix<T, Exec>("bcr::bench::recurrent_sums", N * L, H)},
        workspace("bcr::bench::workspace", kernels::gru_workspace_size<Exec, T>(N, E, H)) {
    for (std::size_t i = 0; i < tokens.size(); ++i) tokens.data()[i] = std::int32_t(i * 2654435761u % vocabulary);
  }
  void forward(const Exec& exec) const {
    kernels::gru_forward<Exec, T>(exec, tokens, src, {input, recurrent, bias, bias}, states, {}, trace, workspace);
  }

  std::size_t N, L, E, H;
  bcr::Matrix<std::int32_t, Exec> tokens;
  bcr::Matrix<T, Exec> src, input, recurrent;
  bcr::Vector<T, Exec> bias;
  bcr::Matrix<T, Exec> states, last;
  kernels::GruTrace<Exec, T> trace;
  bcr::Vector<T, Exec> workspace;
};

/// Times work(), after prepare() each time. Without flop there is no share.
template <class T, class Prepare, class Work>
void measure(benchmark::State& state, const Exec& exec, const double flop, const double tokens, const Prepare& prepare,
             const Work& work) {
  kernels::PeakRate<Exec, T, kernels::PeakOperation::fma> peak(exec);
  double best = std::numeric_limits<double>::max();
  for (auto _ : state) {
    prepare();
    const double time = bcr::bench::seconds(exec, work);
    state.SetIterationTime(time);
    best = std::min(best, time);
    for (int i = 0; i < 50 && flop > 0; ++i) peak.sample();  // short: a busy machine leaves few of them undisturbed
  }
  state.counters["tokens/s"] = tokens / best;
  if (flop == 0) return;
  state.counters["GFLOP/s"] = flop / best * 1e-9;
  state.counters["share_of_fma_peak"] = flop / best / (2 * peak.best());
}

template <class T>
void forward(benchmark::State& state) {
  const Exec exec;
  const Layer<T> layer(state);
  measure<T>(
      state, exec, 6.0 * double(layer.N * layer.L * layer.H * (layer.E + layer.H)), double(layer.N * layer.L), [] {},
      [&] { layer.forward(exec); });
}

/// The gates of a forward pass are turned into gradients, so each repetition needs new ones.
template <class T>
void backward(benchmark::State& state) {
  const Exec exec;
  const Layer<T> layer(state);
  measure<T>(
      state, exec, 6.0 * double(layer.N * layer.L * layer.H * layer.H), double(layer.N * layer.L),
      [&] { layer.forward(exec); },
      [&] {
        kernels::gru_backward<Exec, T>(exec, layer.tokens, layer.recurrent, layer.states, layer.last, {}, layer.trace,
                                       layer.workspace);
      });
}

template <class T>
void embedding_backward(benchmark::State& state) {
  const Exec exec;
  const Layer<T> layer(state);
  const bcr::Matrix<T, Exec> table("bcr::bench::table", vocabulary, layer.E);
  const bcr::Vector<std::int32_t, Exec> workspace("bcr::bench::order",
                                                  kernels::embedding_workspace_size(layer.N * layer.L));
  measure<T>(
      state, exec, 0, double(layer.N * layer.L), [] {},
      [&] { kernels::embedding_backward<Exec, T>(exec, layer.tokens, layer.src, 1, table, workspace); });
}

/// The layers of the text model with the rows of a training step.
void layers(benchmark::internal::Benchmark* const bench) {
  bench->Args({128, 100, 50, 128})->Args({128, 100, 128, 128})->UseManualTime();
}

BENCHMARK(forward<float>)->Apply(layers);
BENCHMARK(backward<float>)->Apply(layers);
BENCHMARK(forward<double>)->Args({128, 100, 50, 128})->UseManualTime();
BENCHMARK(embedding_backward<float>)->Args({128, 100, 50, 128})->UseManualTime();

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
