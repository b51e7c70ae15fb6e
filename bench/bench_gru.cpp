// The text model, whole and in parts, as training and inference meet it: 128 rows of 100 steps, 50 inputs, 128 units.
// FLOPs are those of the products, three passes of what has begun for a training step. tokens/s: rows times steps.
//   forward: 6 N L H (E + H)     backward (through time alone): 6 N L H^2
//   training/gru: half of the rows are known documents, half are sentences of 55 tokens; class-inclusion loss, Adam.
//   inference/gru: documents alone
//   padded-gru: every third document has 60 words, sentences have 5 to 55, 30 on average, the rest is padding in front,
//   as in real batches of 20 Newsgroups and WikiText-103. FLOPs and tokens/s count it.
#include "bench/support/fill.hpp"
#include "bench/support/measure.hpp"
#include "bench/support/program.hpp"
#include "bench/support/way.hpp"
#include "kernels/embedding/embedding.hpp"
#include "kernels/rnn/gru.hpp"
#include "losses/registry.hpp"
#include "models/model.hpp"
#include "src/optim/registry.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace bcr::bench {
namespace {

constexpr std::size_t vocabulary = 10'002;

/// Sizes of a layer: rows, steps, inputs, units.
struct Sizes {
  int N, L, E, H;
};

constexpr Sizes first_layer{128, 100, 50, 128}, second_layer{128, 100, 128, 128};

template <class Exec, class T>
Matrix<T, Exec> matrix(const int rows, const int columns, const double scale) {
  return scattered(Matrix<T, Exec>("bcr::bench::matrix", rows, columns), scale);
}

/// A layer with its memory.
template <class Exec, class T>
struct Layer {
  explicit Layer(const Sizes& s)
      : tokens(filled(Matrix<std::int32_t, Exec>("bcr::bench::tokens", s.N, s.L),
                      [](const std::size_t i) { return i * 2654435761u % vocabulary; })),
        src(matrix<Exec, T>(s.N * s.L, s.E, 1.0)),
        input(matrix<Exec, T>(3 * s.H, s.E, 0.1)),
        recurrent(matrix<Exec, T>(3 * s.H, s.H, 0.1)),
        bias(scattered(Vector<T, Exec>("bcr::bench::bias", 3 * s.H), 0.1)),
        states("bcr::bench::states", s.N * s.L, s.H),
        last(matrix<Exec, T>(s.N, s.H, 1.0)),
        trace{Matrix<T, Exec>("bcr::bench::reset_update", s.N * s.L, 2 * s.H),
              Matrix<T, Exec>("bcr::bench::candidate", s.N * s.L, s.H),
              Matrix<T, Exec>("bcr::bench::recurrent_sums", s.N * s.L, s.H)},
        workspace("bcr::bench::workspace", kernels::gru_workspace_size<Exec, T>(s.N, s.E, s.H)) {}
  void forward(const Exec& exec) const {
    kernels::gru_forward<Exec, T>(exec, tokens, src, {input, recurrent, bias, bias}, states, {}, trace, workspace);
  }

  Matrix<std::int32_t, Exec> tokens;
  Matrix<T, Exec> src, input, recurrent;
  Vector<T, Exec> bias;
  Matrix<T, Exec> states, last;
  kernels::GruTrace<Exec, T> trace;
  Vector<T, Exec> workspace;
};

void count_tokens(benchmark::State& state, const double tokens, const double seconds) {
  state.counters["tokens/s"] = tokens / seconds;
}

template <class Exec, class T>
void forward(benchmark::State& state, const Sizes s) {
  const Exec exec;
  const Layer<Exec, T> layer(s);
  const double tokens = double(s.N) * s.L;
  count_tokens(state, tokens,
               measure<T>(state, exec, {.flops = 6 * tokens * s.H * (s.E + s.H)}, [&] { layer.forward(exec); }));
}

/// The gates of a forward pass are turned into gradients, so each repetition needs new ones.
template <class Exec, class T>
void backward(benchmark::State& state, const Sizes s) {
  const Exec exec;
  const Layer<Exec, T> layer(s);
  const double tokens = double(s.N) * s.L;
  const auto run = [&] {
    kernels::gru_backward<Exec, T>(exec, layer.tokens, layer.recurrent, layer.states, layer.last, {}, layer.trace,
                                   layer.workspace);
  };
  count_tokens(state, tokens,
               measure<T>(
                   state, exec, {.flops = 6 * tokens * s.H * s.H}, [&] { layer.forward(exec); }, run));
}

template <class Exec, class T>
void embedding_backward(benchmark::State& state, const Sizes s) {
  const Exec exec;
  const Layer<Exec, T> layer(s);
  const double tokens = double(s.N) * s.L;
  const Matrix<T, Exec> table("bcr::bench::table", vocabulary, s.E);
  const Vector<std::int32_t, Exec> workspace("bcr::bench::order",
                                             kernels::embedding_workspace_size(layer.tokens.size()));
  const Work work{.elements = tokens * s.E, .bytes = sizeof(T) * (tokens + vocabulary) * s.E, .flops = 0};
  count_tokens(state, tokens, measure<T>(state, exec, work, [&] {
                 kernels::embedding_backward<Exec, T>(exec, layer.tokens, layer.src, 1, table, workspace);
               }));
}

/// A whole model with a batch. Half of the rows of a training step begin late.
template <class Exec>
class TextModel {
 public:
  TextModel(const Way& way, const nn::Phase phase, const bool padded)
      : phase_(phase),
        model_({.backbone = {.name = "gru"}, .head = {}}, {{1, steps, 1}, classes},
               {.mode = way.mode,
                .precision = way.precision,
                .training_images = phase == nn::Phase::training ? rows : 0,
                .inference_images = phase == nn::Phase::training ? 0 : rows},
               1, exec_, Log(LogLevel::warning)),
        loss_(
            losses::make_loss<Exec, float>({}, {.classes = classes, .features = model_.features(), .most_rows = rows})),
        labels_(filled(Labels<Exec>("bcr::bench::labels", rows / 2), [](const std::size_t i) { return i % classes; })),
        diff_outputs_("bcr::bench::diff_outputs", rows, classes),
        parts_("bcr::bench::parts", losses::loss_part_count) {
    optimizer_ = optim::make_optimizer<Exec, float>("adam", optim::one_group(model_.parameters()));
    inputs_.set("tokens", filled(nn::Tokens<Exec>("bcr::bench::tokens", rows, steps), [&](const std::size_t i) {
                  if (!begun(i)) return kernels::no_token;
                  if (padded && steps - i % steps > words(i / steps)) return std::int32_t(1);
                  return std::int32_t(i * 2654435761u % vocabulary);
                }));
    for (std::size_t i = 0; i < std::size_t(rows) * steps; ++i) begun_ += begun(i);
  }

  void run() {
    const nn::PassInfo pass{.phase = phase_};
    const auto features = model_.forward_features(exec_, pass, inputs_);
    const auto outputs = model_.forward_head(exec_, features);
    if (phase_ == nn::Phase::inference) return;
    loss_->evaluate(exec_, {.outputs = outputs, .features = features, .labels = labels_}, 1.0,
                    {.diff_outputs = diff_outputs_, .diff_features_factor = {}}, parts_);
    model_.backward_head(exec_, features, diff_outputs_, {});
    model_.backward_features(exec_, pass, inputs_);
    optimizer_->step(exec_, 0.01, model_.parameters().gradients(), model_.parameters().values());
  }

  double tokens() const { return begun_; }
  double flops() const {
    const double passes = phase_ == nn::Phase::training ? 3 : 1;
    return 2 * passes * model_.network().graph().multiply_accumulates() * begun_ / steps;
  }
  double mebibytes() const { return static_cast<double>(model_.network().memory_bytes()) / (1 << 20); }

 private:
  static constexpr int rows = 128, steps = 100, sentence = 55, classes = 20;

  /// Whether the text of a row has begun at a step, both in one number.
  bool begun(const std::size_t i) const {
    return phase_ == nn::Phase::inference || i / steps < rows / 2 || i % steps >= steps - sentence;
  }

  std::size_t words(const std::size_t row) const {
    if (phase_ == nn::Phase::inference || row < rows / 2) return row % 3 == 0 ? 60 : steps;
    return 5 + 7 * row % 51;
  }

  Exec exec_;
  nn::Phase phase_;
  models::Model<Exec, float> model_;
  std::unique_ptr<losses::Loss<Exec, float>> loss_;
  std::unique_ptr<optim::Optimizer<Exec, float>> optimizer_;
  nn::Tensors<Exec, float> inputs_;
  Labels<Exec> labels_;
  Matrix<float, Exec> diff_outputs_;
  Vector<double, Exec> parts_;
  double begun_ = 0;
};

template <class Exec>
void whole_model(benchmark::State& state, const Way way, const nn::Phase phase, const bool padded) {
  TextModel<Exec> model(way, phase, padded);
  count_tokens(state, model.tokens(), measure<float>(state, Exec(), {.flops = model.flops()}, [&] { model.run(); }));
  state.counters["MiB"] = model.mebibytes();
}

template <class Exec>
void declare() {
  for (const auto phase : {nn::Phase::training, nn::Phase::inference})
    for (const auto& [word, way] : ways<Exec>())
      for (const bool padded : {false, true})
        add(std::string(phase == nn::Phase::training ? "training" : "inference") + (padded ? "/padded-gru/" : "/gru/") +
                word + "/128",
            whole_model<Exec>, way, phase, padded);
  add("forward/float/first", forward<Exec, float>, first_layer);
  add("forward/float/second", forward<Exec, float>, second_layer);
  add("forward/double/first", forward<Exec, double>, first_layer);
  add("backward/float/first", backward<Exec, float>, first_layer);
  add("backward/float/second", backward<Exec, float>, second_layer);
  add("embedding_backward/float", embedding_backward<Exec, float>, first_layer);
}

}  // namespace
}  // namespace bcr::bench

int main(int argc, char** argv) {
  return bcr::bench::run(argc, argv, []<class Exec>(const Exec&) { bcr::bench::declare<Exec>(); });
}
