// Strict convolutions in the three directions, float, NHWC. GFLOP/s counts 2 N OH OW OC IC KH KW for all of them,
// though taps beyond the border are skipped; the share is that of the fma peak of the same threads, sampled in turn, so
// small images may exceed 1. Best of all repetitions. Arguments: images, input channels, output channels, size, taps,
// stride.
#include "bench/support/seconds.hpp"
#include "kernels/conv/convolution.hpp"
#include "kernels/conv/winograd.hpp"
#include "kernels/roof/peak_rate.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using Tensor = bcr::Tensor4<float, Exec>;
namespace kernels = bcr::kernels;

Tensor filled(const int a, const int b, const int c, const int d) {
  const Tensor tensor("bcr::bench::tensor", a, b, c, d);
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor.data()[i] = 0.01f * static_cast<float>(i % 7) - 0.03f;
  return tensor;
}

struct Problem {
  kernels::ConvolutionWindow window;
  Tensor src, weights, dst, diff_src, diff_weights;
  bcr::Vector<float, Exec> workspace;
  double flop;

  explicit Problem(const benchmark::State& state) {
    const auto argument = [&](const int i) { return static_cast<int>(state.range(i)); };
    const int images = argument(0), inputs = argument(1), outputs = argument(2), size = argument(3), taps = argument(4);
    window = {.stride = argument(5), .pad = taps / 2};
    const int out = window.outputs(size, taps);
    src = filled(images, size, size, inputs);
    weights = filled(taps, taps, inputs, outputs);
    dst = filled(images, out, out, outputs);
    diff_src = filled(images, size, size, inputs);
    diff_weights = filled(taps, taps, inputs, outputs);
    workspace = bcr::Vector<float, Exec>(
        "bcr::bench::workspace",
        std::max({kernels::forward_workspace_size<Exec, float>(weights),
                  kernels::backward_data_workspace_size<Exec, float>(weights),
                  taps == 3 ? kernels::winograd_forward_workspace_size<Exec, float>(weights) : 0,
                  taps == 3 ? kernels::winograd_backward_data_workspace_size<Exec, float>(weights) : 0,
                  taps == 3 ? kernels::winograd_backward_weights_workspace_size<Exec, float>(dst, weights) : 0,
                  kernels::backward_weights_workspace_size<Exec, float>(dst, weights)}));
    flop = 2.0 * images * out * out * outputs * inputs * taps * taps;
  }
};

template <class Work>
void measure(benchmark::State& state, const Exec& exec, const double flop, const Work& work) {
  bcr::kernels::PeakRate<Exec, float, bcr::kernels::PeakOperation::fma> peak(exec);
  double best = std::numeric_limits<double>::max();
  for (auto _ : state) {
    const double time = bcr::bench::seconds(exec, work);
    state.SetIterationTime(time);
    best = std::min(best, time);
    for (int i = 0; i < 50; ++i) peak.sample();  // short: a busy machine leaves few of them undisturbed
  }
  state.counters["GFLOP/s"] = flop / best * 1e-9;
  state.counters["share_of_fma_peak"] = flop / best / (2 * peak.best());
}

void forward(benchmark::State& state) {
  const Exec exec;
  const Problem p(state);
  measure(state, exec, p.flop, [&] {
    kernels::convolution_forward<Exec, float>(exec, p.window, p.src, p.weights, {}, p.dst, kernels::ChainStart::zero,
                                              p.workspace);
  });
}

void backward_data(benchmark::State& state) {
  const Exec exec;
  const Problem p(state);
  measure(state, exec, p.flop, [&] {
    kernels::convolution_backward_data<Exec, float>(exec, p.window, p.dst, p.weights, p.diff_src,
                                                    kernels::ChainStart::zero, p.workspace);
  });
}

void backward_weights(benchmark::State& state) {
  const Exec exec;
  const Problem p(state);
  measure(state, exec, p.flop, [&] {
    kernels::convolution_backward_weights<Exec, float>(exec, p.window, p.src, p.dst, p.diff_weights, p.workspace);
  });
}

void winograd_forward(benchmark::State& state) {
  const Exec exec;
  const Problem p(state);
  measure(state, exec, p.flop, [&] {
    kernels::winograd_forward<Exec, float>(exec, p.window.pad, p.src, p.weights, {}, p.dst, kernels::ChainStart::zero,
                                           p.workspace);
  });
}

void winograd_backward_data(benchmark::State& state) {
  const Exec exec;
  const Problem p(state);
  measure(state, exec, p.flop, [&] {
    kernels::winograd_backward_data<Exec, float>(exec, p.window.pad, p.dst, p.weights, p.diff_src,
                                                 kernels::ChainStart::zero, p.workspace);
  });
}

void winograd_backward_weights(benchmark::State& state) {
  const Exec exec;
  const Problem p(state);
  measure(state, exec, p.flop, [&] {
    kernels::winograd_backward_weights<Exec, float>(exec, p.window.pad, p.src, p.dst, p.diff_weights, p.workspace);
  });
}

constexpr int images = 256;

/// Layers that both algorithms serve: those of a Wide ResNet 40-2 on 32 x 32 images (the first three are 95 % of its
/// work), then those of width 1 on 32 x 32 and 28 x 28 images.
void three_tap_layers(benchmark::internal::Benchmark* const bench) {
  bench->Args({images, 32, 32, 32, 3, 1})->Args({images, 64, 64, 16, 3, 1})->Args({images, 128, 128, 8, 3, 1});
  bench->Args({images, 3, 16, 32, 3, 1})->Args({images, 16, 32, 32, 3, 1});
  bench->Args({images, 16, 16, 32, 3, 1})->Args({images, 32, 32, 16, 3, 1})->Args({images, 64, 64, 8, 3, 1});
  bench->Args({images, 1, 16, 28, 3, 1})->Args({images, 16, 16, 28, 3, 1});
  bench->Args({images, 32, 32, 14, 3, 1})->Args({images, 64, 64, 7, 3, 1});
  bench->UseManualTime()->Unit(benchmark::kMillisecond);
}

/// Those that change the size of the image, and the shortcuts beside them.
void layers(benchmark::internal::Benchmark* const bench) {
  three_tap_layers(bench);
  bench->Args({images, 32, 64, 32, 3, 2})->Args({images, 64, 128, 16, 3, 2});
  bench->Args({images, 16, 32, 32, 3, 2})->Args({images, 16, 32, 28, 3, 2})->Args({images, 32, 64, 14, 3, 2});
  bench->Args({images, 16, 32, 32, 1, 1})->Args({images, 32, 64, 32, 1, 2})->Args({images, 64, 128, 16, 1, 2});
}

BENCHMARK(forward)->Apply(layers);
BENCHMARK(backward_data)->Apply(layers);
BENCHMARK(backward_weights)->Apply(layers);
BENCHMARK(winograd_forward)->Apply(three_tap_layers);
BENCHMARK(winograd_backward_data)->Apply(three_tap_layers);
BENCHMARK(winograd_backward_weights)->Apply(three_tap_layers);

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
