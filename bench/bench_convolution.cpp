// Strict convolutions in the three directions, float, NHWC, and with factors of bf16 where the processor has them. GFLOP/s counts 2 N OH OW OC IC KH KW for all of them,
// though taps beyond the border are skipped; the share is that of the fma peak of the same threads, sampled in turn, so
// small images may exceed 1. Best of all repetitions. Arguments: images, input channels, output channels, size, taps,
// stride.
#include "bench/support/fill.hpp"
#include "bench/support/measure.hpp"
#include "bench/support/program.hpp"
#include "kernels/conv/convolution.hpp"
#include "kernels/conv/winograd.hpp"
#include "kernels/conv/winograd_bf16.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>

namespace {

namespace kernels = bcr::kernels;

template <class Exec>
bcr::Tensor4<float, Exec> filled(const int a, const int b, const int c, const int d) {
  return bcr::bench::scattered(bcr::Tensor4<float, Exec>("bcr::bench::tensor", a, b, c, d), 0.03);
}

template <class Exec>
struct Problem {
  kernels::ConvolutionWindow window;
  bcr::Tensor4<float, Exec> src, weights, dst, diff_src, diff_weights;
  bcr::Vector<float, Exec> workspace;
  bcr::bench::Work work;

  explicit Problem(const benchmark::State& state) {
    const auto argument = [&](const int i) { return static_cast<int>(state.range(i)); };
    const int images = argument(0), inputs = argument(1), outputs = argument(2), size = argument(3), taps = argument(4);
    window = {.stride = argument(5), .pad = taps / 2};
    const int out = window.outputs(size, taps);
    src = filled<Exec>(images, size, size, inputs);
    weights = filled<Exec>(taps, taps, inputs, outputs);
    dst = filled<Exec>(images, out, out, outputs);
    diff_src = filled<Exec>(images, size, size, inputs);
    diff_weights = filled<Exec>(taps, taps, inputs, outputs);
    workspace = bcr::Vector<float, Exec>(
        "bcr::bench::workspace",
        std::max({kernels::forward_workspace_size<Exec, float>(weights),
                  kernels::backward_data_workspace_size<Exec, float>(weights),
                  taps == 3 ? kernels::winograd_forward_workspace_size<Exec, float>(weights) : 0,
                  taps == 3 ? kernels::winograd_backward_data_workspace_size<Exec, float>(weights) : 0,
                  taps == 3 ? kernels::winograd_backward_weights_workspace_size<Exec, float>(dst, weights) : 0,
                  kernels::backward_weights_workspace_size<Exec, float>(dst, weights)}));
    work = {.elements = double(images) * out * out * outputs,
            .bytes = sizeof(float) * double(src.size() + weights.size() + dst.size()),
            .flops = 2.0 * images * out * out * outputs * inputs * taps * taps};
  }
};

template <class Exec>
void forward(benchmark::State& state) {
  const Exec exec;
  const Problem<Exec> p(state);
  bcr::bench::measure<float>(state, exec, p.work, [&] {
    kernels::convolution_forward<Exec, float>(exec, p.window, p.src, p.weights, {}, p.dst, kernels::ChainStart::zero,
                                              p.workspace);
  });
}

template <class Exec>
void backward_data(benchmark::State& state) {
  const Exec exec;
  const Problem<Exec> p(state);
  bcr::bench::measure<float>(state, exec, p.work, [&] {
    kernels::convolution_backward_data<Exec, float>(exec, p.window, p.dst, p.weights, p.diff_src,
                                                    kernels::ChainStart::zero, p.workspace);
  });
}

template <class Exec>
void backward_weights(benchmark::State& state) {
  const Exec exec;
  const Problem<Exec> p(state);
  bcr::bench::measure<float>(state, exec, p.work, [&] {
    kernels::convolution_backward_weights<Exec, float>(exec, p.window, p.src, p.dst, p.diff_weights, p.workspace);
  });
}

template <class Exec>
void winograd_forward(benchmark::State& state) {
  const Exec exec;
  const Problem<Exec> p(state);
  bcr::bench::measure<float>(state, exec, p.work, [&] {
    kernels::winograd_forward<Exec, float>(exec, p.window.pad, p.src, p.weights, {}, p.dst, kernels::ChainStart::zero,
                                           p.workspace);
  });
}

template <class Exec>
void winograd_backward_data(benchmark::State& state) {
  const Exec exec;
  const Problem<Exec> p(state);
  bcr::bench::measure<float>(state, exec, p.work, [&] {
    kernels::winograd_backward_data<Exec, float>(exec, p.window.pad, p.dst, p.weights, p.diff_src,
                                                 kernels::ChainStart::zero, p.workspace);
  });
}

template <class Exec>
void winograd_backward_weights(benchmark::State& state) {
  const Exec exec;
  const Problem<Exec> p(state);
  bcr::bench::measure<float>(state, exec, p.work, [&] {
    kernels::winograd_backward_weights<Exec, float>(exec, p.window.pad, p.src, p.dst, p.diff_weights, p.workspace);
  });
}

template <class Exec>
void winograd_bf16_forward(benchmark::State& state) {
  const Exec exec;
  const Problem<Exec> p(state);
  bcr::bench::measure<float>(state, exec, p.work, [&] {
    kernels::winograd_bf16_forward<Exec>(exec, p.window.pad, p.src, p.weights, {}, p.dst, kernels::ChainStart::zero,
                                         p.workspace);
  });
}

template <class Exec>
void winograd_bf16_backward_data(benchmark::State& state) {
  const Exec exec;
  const Problem<Exec> p(state);
  bcr::bench::measure<float>(state, exec, p.work, [&] {
    kernels::winograd_bf16_backward_data<Exec>(exec, p.window.pad, p.dst, p.weights, p.diff_src,
                                               kernels::ChainStart::zero, p.workspace);
  });
}

template <class Exec>
void winograd_bf16_backward_weights(benchmark::State& state) {
  const Exec exec;
  const Problem<Exec> p(state);
  bcr::bench::measure<float>(state, exec, p.work, [&] {
    kernels::winograd_bf16_backward_weights<Exec>(exec, p.window.pad, p.src, p.dst, p.diff_weights, p.workspace);
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
  bench->Unit(benchmark::kMillisecond);
}

/// Those of whole blocks of channels.
void whole_layers(benchmark::internal::Benchmark* const bench) {
  bench->Args({images, 32, 32, 32, 3, 1})->Args({images, 64, 64, 16, 3, 1})->Args({images, 128, 128, 8, 3, 1});
  bench->Args({images, 16, 16, 32, 3, 1})->Args({images, 16, 32, 32, 3, 1})->Args({images, 32, 32, 16, 3, 1});
  bench->Args({images, 64, 64, 8, 3, 1})->Args({images / 8, 320, 320, 16, 3, 1})->Args({images / 4, 512, 512, 4, 3, 1});
  bench->Unit(benchmark::kMillisecond);
}

/// Those that change the size of the image, and the shortcuts beside them.
void layers(benchmark::internal::Benchmark* const bench) {
  three_tap_layers(bench);
  bench->Args({images, 32, 64, 32, 3, 2})->Args({images, 64, 128, 16, 3, 2});
  bench->Args({images, 16, 32, 32, 3, 2})->Args({images, 16, 32, 28, 3, 2})->Args({images, 32, 64, 14, 3, 2});
  bench->Args({images, 16, 32, 32, 1, 1})->Args({images, 32, 64, 32, 1, 2})->Args({images, 64, 128, 16, 1, 2});
}

template <class Exec>
void declare(const Exec&) {
  using bcr::bench::add;
  add("forward", forward<Exec>)->Apply(layers);
  add("backward_data", backward_data<Exec>)->Apply(layers);
  add("backward_weights", backward_weights<Exec>)->Apply(layers);
  add("winograd_forward", winograd_forward<Exec>)->Apply(three_tap_layers);
  add("winograd_backward_data", winograd_backward_data<Exec>)->Apply(three_tap_layers);
  add("winograd_backward_weights", winograd_backward_weights<Exec>)->Apply(three_tap_layers);
  if (!bcr::is_host_exec<Exec> || !kernels::multiplies_bf16_pairs) return;
  add("winograd_bf16_forward", winograd_bf16_forward<Exec>)->Apply(whole_layers);
  add("winograd_bf16_backward_data", winograd_bf16_backward_data<Exec>)->Apply(whole_layers);
  add("winograd_bf16_backward_weights", winograd_bf16_backward_weights<Exec>)->Apply(whole_layers);
}

}  // namespace

int main(int argc, char** argv) {
  return bcr::bench::run(argc, argv, [](const auto& exec) { declare(exec); });
}
