#include "io/hdf5/reader.hpp"
#include "losses/registry.hpp"
#include "src/comm/communicator.hpp"
#include "src/optim/registry.hpp"
#include "src/train/training_step.hpp"
#include "tests/support/data_folder.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/tolerance.hpp"
#include "tests/support/training_trace.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

// Ten training steps of WRN-10-1 with the class-inclusion loss against PyTorch in double
// (scripts/make_training_trace.py): losses, gradients, weights, running statistics, features in inference mode.
namespace bcr::test {
namespace {

constexpr int known = 8;
constexpr int background = 8;
constexpr int classes = 4;
constexpr nn::ImageShape image{12, 12, 3};

std::vector<double> initial(const nn::ParameterEntry& entry) {
  const auto& [name, extents, unused_initial, unused_group] = entry.spec;
  if (name.ends_with(".gamma")) return std::vector<double>(entry.size, 1.0);
  if (name.ends_with(".beta")) return std::vector<double>(entry.size, 0.0);
  auto values = hashed(name, entry.size);
  double bound = 2;
  if (extents.size() == 4)
    bound = std::exp2(std::round(0.5 * std::log2(6.0 / static_cast<double>(extents[0] * extents[1] * extents[3]))));
  for (double& value : values) value *= bound;
  return values;
}

template <class Exec, class T>
class TracedTraining {
 public:
  TracedTraining(const io::Hdf5Reader& trace, const nn::Mode mode)
      : trace_(trace),
        model_({.backbone = {.depth = 10, .width = 1, .dropout = 0}, .head = {}}, {image, classes},
               {.mode = mode, .training_images = known + background, .inference_images = known + background}, 1, exec_,
               Log(LogLevel::off)),
        loss_(losses::make_loss<Exec, T>(
            losses::LossOptions(),
            {.classes = classes, .features = model_.features(), .most_rows = known + background})),
        optimizer_(optim::make_optimizer<Exec, T>(
            "sgd", layout_of(model_.parameters(), number("momentum"), number("weight_decay")))),
        step_({model_, *loss_, *optimizer_, alone_}),
        images_("bcr::tests::images", known + background, image.height, image.width, image.channels),
        labels_("bcr::tests::labels", known) {
    const auto& entries = model_.parameters().entries();
    for (std::size_t id = 0; id < entries.size(); ++id)
      fill(model_.parameters().values(static_cast<int>(id)), initial(entries[id]));
  }

  void expect_like_trace(const double step_tolerance, const double end_tolerance) {
    const auto expected = trace_.template read<double>("/losses");
    const int steps = static_cast<int>(trace_.integer_attribute("/", "steps"));
    for (int i = 0; i < steps; ++i) {
      run(i);
      const auto parts = losses::read_parts<Exec>(exec_, step_.numbers());
      for (int part = 0; part < 4; ++part)
        EXPECT_NEAR(expected[i * 4 + part], parts.values[part],
                    (i == 0 ? step_tolerance : end_tolerance) * expected[i * 4])
            << losses::loss_part_names[part] << " of step " << i;
      if (i == 0) expect_tensors("/gradients/", model_.parameters(), true, step_tolerance);
    }
    expect_tensors("/parameters/", model_.parameters(), false, end_tolerance);
    expect_tensors("/statistics/", model_.statistics(), false, end_tolerance);
    load_images(0);
    const auto features = model_.forward_features(exec_, {}, images_);
    expect_near(trace_.template read<double>("/features"), every(features, 1), end_tolerance, "features");
  }

 private:
  double number(const std::string& name) const { return trace_.numbers_attribute("/", name).at(0); }

  void load_images(const int step) {
    auto values = hashed("images/" + std::to_string(step), images_.size());
    for (double& value : values) value *= 2;
    fill(images_, values);
  }

  void run(const int step) {
    load_images(step);
    auto labels = hashed("labels/" + std::to_string(step), known);
    for (double& label : labels) label = std::floor((label + 1) * classes / 2);
    fill(labels_, labels);
    train::RegionClock<Exec> clock(exec_);
    step_.run(
        exec_, [this](int) { return train::StepBatch<Exec, T>::whole(images_, labels_); },
        {.seed = 1, .step = static_cast<std::uint64_t>(step), .rate = number("rate"), .lambda = 1}, false, clock);
    exec_.fence();
  }

  void expect_tensors(const std::string& group, const auto& store, const bool gradients, const double tolerance) {
    const std::size_t stride =
        group == "/statistics/" ? 1 : static_cast<std::size_t>(trace_.integer_attribute("/", "sample_every"));
    for (std::size_t id = 0; id < store.entries().size(); ++id) {
      const auto& name = store.entries()[id].spec.name;
      const int index = static_cast<int>(id);
      expect_near(trace_.template read<double>(group + name),
                  every(gradients ? store.gradients(index) : store.values(index), stride), tolerance, group + name);
    }
  }

  Exec exec_{};
  comm::SerialCommunicator alone_;
  const io::Hdf5Reader& trace_;
  models::Model<Exec, T> model_;
  std::unique_ptr<losses::Loss<Exec, T>> loss_;
  std::unique_ptr<optim::Optimizer<Exec, T>> optimizer_;
  train::TrainingStep<Exec, T> step_;
  Tensor4<T, Exec> images_;
  Labels<Exec> labels_;
};

template <class Exec>
class TrainingTrace : public ::testing::Test {
 protected:
  io::Hdf5Reader trace{data_folder + "training_trace.h5"};
};
TYPED_TEST_SUITE(TrainingTrace, ExecSpaces);

TYPED_TEST(TrainingTrace, IsReproducedInDouble) {
  TracedTraining<TypeParam, double>(this->trace, nn::Mode::strict)
      .expect_like_trace(tolerance::trace_first_step<double>, tolerance::trace_ten_steps<double>);
}

TYPED_TEST(TrainingTrace, IsReproducedInStrictMode) {
  TracedTraining<TypeParam, float>(this->trace, nn::Mode::strict)
      .expect_like_trace(tolerance::trace_first_step<float>, tolerance::trace_ten_steps<float>);
}

TYPED_TEST(TrainingTrace, IsReproducedInFastMode) {
  TracedTraining<TypeParam, float>(this->trace, nn::Mode::fast)
      .expect_like_trace(tolerance::trace_first_step<float>, tolerance::trace_ten_steps<float>);
}

}  // namespace
}  // namespace bcr::test
