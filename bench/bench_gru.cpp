// The text model, whole and in parts, as training and inference meet it: 128 rows of 100 steps, 50 inputs, 128 units.
// GFLOP/s counts the products, the share is that of the fma peak of the same threads. Best of all repetitions.
//   forward: 6 N L H (E + H) flop     backward (through time alone): 6 N L H^2 flop     tokens/s: N L
//   training/gru: half of the rows are known documents, half are sentences of 55 tokens; three passes of the products
//   of what has begun; class-inclusion loss, Adam.     inference/gru: documents alone
#include "bench/support/seconds.hpp"
#include "kernels/embedding/embedding.hpp"
#include "kernels/rnn/gru.hpp"
#include "kernels/roof/peak_rate.hpp"
#include "losses/registry.hpp"
#include "models/model.hpp"
#include "src/optim/registry.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

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
  state.counters["best_ms"] = best * 1e3;
  state.counters["tokens/s"] = tokens / best;
  if (flop == 0) return;
  state.counters["GFLOP/s"] = flop / best * 1e-9;
  state.counters["share_of_peak"] = flop / best / (2 * peak.best());
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

/// A whole model with a batch. Half of the rows of a training step begin late.
class TextModel {
 public:
  TextModel(const bcr::nn::Mode mode, const bcr::nn::Phase phase, const int rows)
      : phase_(phase),
        model_({.backbone = {.name = "gru"}, .head = {}}, {{1, steps, 1}, classes},
               {.mode = mode,
                .training_images = phase == bcr::nn::Phase::training ? rows : 0,
                .inference_images = phase == bcr::nn::Phase::training ? 0 : rows},
               1, exec_, bcr::Log(bcr::LogLevel::warning)),
        loss_(bcr::losses::make_loss<Exec, float>(
            {}, {.classes = classes, .features = model_.features(), .most_rows = rows})),
        tokens_("bcr::bench::tokens", rows, steps),
        labels_("bcr::bench::labels", rows / 2),
        diff_outputs_("bcr::bench::diff_outputs", rows, classes),
        parts_("bcr::bench::parts", bcr::losses::loss_part_count) {
    bcr::optim::ParameterLayout layout{model_.parameters().values().extent(0), {}, {{.name = "all"}}};
    for (const auto& entry : model_.parameters().entries())
      layout.slices.push_back({.name = entry.spec.name, .offset = entry.offset, .size = entry.size, .group = 0});
    optimizer_ = bcr::optim::make_optimizer<Exec, float>("adam", layout);
    for (int i = 0; i < rows; ++i)
      for (int t = 0; t < steps; ++t) {
        const bool begun = phase == bcr::nn::Phase::inference || i < rows / 2 || t >= steps - sentence;
        tokens_(i, t) = begun ? std::int32_t((i * steps + t) * 2654435761u % vocabulary) : kernels::no_token;
        begun_ += begun;
      }
    for (int i = 0; i < rows / 2; ++i) labels_(i) = i % classes;
    inputs_.set("tokens", tokens_);
  }

  void run() {
    const bcr::nn::PassInfo pass{.phase = phase_};
    const auto features = model_.forward_features(exec_, pass, inputs_);
    const auto outputs = model_.forward_head(exec_, features);
    if (phase_ == bcr::nn::Phase::inference) return;
    loss_->evaluate(exec_, {.outputs = outputs, .features = features, .labels = labels_}, 1.0,
                    {.diff_outputs = diff_outputs_, .diff_features_factor = {}}, parts_);
    model_.backward_head(exec_, features, diff_outputs_, {});
    model_.backward_features(exec_, pass, inputs_);
    optimizer_->step(exec_, 0.01, model_.parameters().gradients(), model_.parameters().values());
  }

  double tokens() const { return begun_; }
  double flop() const {
    const double passes = phase_ == bcr::nn::Phase::training ? 3 : 1;
    return 2 * passes * model_.network().graph().multiply_accumulates() * begun_ / steps;
  }
  double mebibytes() const { return static_cast<double>(model_.network().memory_bytes()) / (1 << 20); }

 private:
  static constexpr int steps = 100, sentence = 55, classes = 20;

  Exec exec_;
  bcr::nn::Phase phase_;
  bcr::models::Model<Exec, float> model_;
  std::unique_ptr<bcr::losses::Loss<Exec, float>> loss_;
  std::unique_ptr<bcr::optim::Optimizer<Exec, float>> optimizer_;
  bcr::nn::Tokens<Exec> tokens_;
  bcr::nn::Tensors<Exec, float> inputs_;
  bcr::Labels<Exec> labels_;
  bcr::Matrix<float, Exec> diff_outputs_;
  bcr::Vector<double, Exec> parts_;
  double begun_ = 0;
};

template <bcr::nn::Mode mode, bcr::nn::Phase phase>
void whole_model(benchmark::State& state) {
  TextModel model(mode, phase, static_cast<int>(state.range(0)));
  model.run();
  measure<float>(
      state, Exec(), model.flop(), model.tokens(), [] {}, [&] { model.run(); });
  state.counters["MiB"] = model.mebibytes();
}

/// The layers of the text model with the rows of a training step.
void layers(benchmark::internal::Benchmark* const bench) {
  bench->Args({128, 100, 50, 128})->Args({128, 100, 128, 128})->UseManualTime();
}

using bcr::nn::Mode;
using bcr::nn::Phase;
BENCHMARK(whole_model<Mode::strict, Phase::training>)->Name("training/gru/strict")->Arg(128)->UseManualTime();
BENCHMARK(whole_model<Mode::fast, Phase::training>)->Name("training/gru/fast")->Arg(128)->UseManualTime();
BENCHMARK(whole_model<Mode::strict, Phase::inference>)->Name("inference/gru/strict")->Arg(128)->UseManualTime();
BENCHMARK(whole_model<Mode::fast, Phase::inference>)->Name("inference/gru/fast")->Arg(128)->UseManualTime();
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
