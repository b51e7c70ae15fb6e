#include "io/hdf5/reader.hpp"
#include "kernels/embedding/embedding.hpp"
#include "losses/registry.hpp"
#include "models/model.hpp"
#include "src/optim/registry.hpp"
#include "tests/support/data_folder.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/tolerance.hpp"
#include "tests/support/training_trace.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

// Ten training steps of a small text model with the class-inclusion loss and Adam against PyTorch in double
// (scripts/make_training_trace.py): there known documents and shorter background ones pass the network one after the
// other, here they are one batch.
namespace bcr::test {
namespace {

constexpr int known = 8, background = 8, classes = 4, vocabulary = 40, steps = 12, background_steps = 7;
constexpr std::int32_t padding = 1;
constexpr int rows = known + background;

std::vector<double> initial(const nn::ParameterSpec& spec, const std::size_t size) {
  auto values = hashed(spec.name, size);
  const bool table = spec.name == "embedding.table";
  const double bound = table ? 1.0 : spec.name == "head.anchors" ? 0.5 : 0.25;
  for (double& value : values) value *= bound;
  const std::size_t width = spec.extents.back();
  if (table) std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(padding * width), width, 0.0);
  return values;
}

/// The documents of one side: row i has i % 4 words less than the longest, padded on the left.
std::vector<double> documents(const int step, const std::string& side, const int count, const int length) {
  auto tokens = hashed("tokens/" + side + "/" + std::to_string(step), static_cast<std::size_t>(count) * length);
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const double word = std::floor((tokens[at] + 1) * vocabulary / 2);
    const bool in_front = static_cast<int>(at) % length < static_cast<int>(at) / length % 4;
    tokens[at] = in_front ? padding : word == padding ? 0 : word;
  }
  return tokens;
}

template <class Exec, class T>
class TracedText {
 public:
  TracedText(const io::Hdf5Reader& trace, const nn::Mode mode)
      : trace_(trace),
        model_({.backbone = {.name = "gru", .vocabulary = vocabulary, .embedding = 6, .units = 20, .layers = 2},
                .head = {}},
               {{1, steps, 1}, classes}, {.mode = mode, .training_images = rows, .inference_images = rows}, 1, exec_,
               Log(LogLevel::off)),
        loss_(losses::make_loss<Exec, T>(losses::LossOptions(),
                                         {.classes = classes, .features = model_.features(), .most_rows = rows})),
        optimizer_(optim::make_optimizer<Exec, T>("adam", layout_of(model_.parameters(), number("momentum"), 0))),
        tokens_("bcr::tests::tokens", rows, steps),
        labels_("bcr::tests::labels", known),
        diff_outputs_("bcr::tests::diff_outputs", rows, classes),
        parts_("bcr::tests::parts", losses::loss_part_count) {
    const auto& specs = model_.parameters().specs();
    for (std::size_t id = 0; id < specs.size(); ++id)
      fill(model_.parameters().values(static_cast<int>(id)), initial(specs[id], model_.parameters().slices()[id].size));
    inputs_.set("tokens", tokens_);
  }

  void expect_like_trace(const double step_tolerance, const double end_tolerance) {
    const auto expected = trace_.template read<double>("/losses");
    for (int i = 0; i < static_cast<int>(trace_.integer_attribute("/", "steps")); ++i) {
      run(i);
      const auto parts = losses::read_parts<Exec>(exec_, parts_);
      for (int part = 0; part < 4; ++part)
        EXPECT_NEAR(expected[i * 4 + part], parts.values[part],
                    (i == 0 ? step_tolerance : end_tolerance) * expected[i * 4])
            << losses::loss_part_names[part] << " of step " << i;
      if (i == 0) expect_tensors("/gradients/", true, step_tolerance);
      optimizer_->step(exec_, number("rate"), model_.parameters().gradients(), model_.parameters().values());
    }
    expect_tensors("/parameters/", false, end_tolerance);
    load(0);
    const auto features = model_.forward_features(exec_, {}, inputs_);
    expect_near(trace_.template read<double>("/features"), every(features, 1), end_tolerance, "features");
  }

 private:
  double number(const std::string& name) const { return trace_.numbers_attribute("/", name).at(0); }

  void load(const int step) {
    std::vector<double> all = documents(step, "known", known, steps);
    const auto short_ones = documents(step, "background", background, background_steps);
    for (int i = 0; i < background; ++i) {
      all.insert(all.end(), steps - background_steps, kernels::no_token);
      all.insert(all.end(), short_ones.begin() + i * background_steps, short_ones.begin() + (i + 1) * background_steps);
    }
    fill(tokens_, all);
    auto labels = hashed("labels/" + std::to_string(step), known);
    for (double& label : labels) label = std::floor((label + 1) * classes / 2);
    fill(labels_, labels);
  }

  void run(const int step) {
    load(step);
    const nn::PassInfo pass{.phase = nn::Phase::training};
    const Matrix<T, Exec> features = model_.forward_features(exec_, pass, inputs_);
    loss_->evaluate(exec_, {.outputs = model_.forward_head(exec_, features), .features = features, .labels = labels_},
                    1.0, {.diff_outputs = diff_outputs_, .diff_features_factor = {}}, parts_);
    model_.backward_head(exec_, features, diff_outputs_);
    model_.backward_features(exec_, pass, inputs_);
    exec_.fence();
  }

  void expect_tensors(const std::string& group, const bool gradients, const double tolerance) {
    const auto& store = model_.parameters();
    const auto stride = static_cast<std::size_t>(trace_.integer_attribute("/", "sample_every"));
    for (std::size_t id = 0; id < store.slices().size(); ++id) {
      const auto& name = store.slices()[id].name;
      const int index = static_cast<int>(id);
      expect_near(trace_.template read<double>(group + name),
                  every(gradients ? store.gradients(index) : store.values(index), stride), tolerance, group + name);
    }
  }

  Exec exec_{};
  const io::Hdf5Reader& trace_;
  models::Model<Exec, T> model_;
  std::unique_ptr<losses::Loss<Exec, T>> loss_;
  std::unique_ptr<optim::Optimizer<Exec, T>> optimizer_;
  nn::Tokens<Exec> tokens_;
  nn::Tensors<Exec, T> inputs_;
  Labels<Exec> labels_;
  Matrix<T, Exec> diff_outputs_;
  Vector<double, Exec> parts_;
};

template <class Exec>
class TextTrace : public ::testing::Test {
 protected:
  io::Hdf5Reader trace{data_folder + "text_training_trace.h5"};
};
TYPED_TEST_SUITE(TextTrace, ExecSpaces);

TYPED_TEST(TextTrace, IsReproducedInDouble) {
  TracedText<TypeParam, double>(this->trace, nn::Mode::strict)
      .expect_like_trace(tolerance::trace_first_step<double>, tolerance::trace_ten_steps<double>);
}

TYPED_TEST(TextTrace, IsReproducedInStrictMode) {
  TracedText<TypeParam, float>(this->trace, nn::Mode::strict)
      .expect_like_trace(tolerance::trace_first_step<float>, tolerance::trace_ten_steps<float>);
}

TYPED_TEST(TextTrace, IsReproducedInFastMode) {
  TracedText<TypeParam, float>(this->trace, nn::Mode::fast)
      .expect_like_trace(tolerance::trace_first_step<float>, tolerance::trace_ten_steps<float>);
}

}  // namespace
}  // namespace bcr::test
