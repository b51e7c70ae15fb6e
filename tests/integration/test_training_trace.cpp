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

// Training steps of WRN-10-1 (ten), ResNet-18 and VGG (two each) with the class-inclusion loss against PyTorch in
// double (scripts/make_training_trace.py): losses, gradients, weights, running statistics, features in inference mode.
namespace bcr::test {
namespace {

constexpr int known = 8;
constexpr int background = 8;
constexpr int classes = 4;

/// What a trace is of; the numbers that the script has beside the name.
struct Traced {
  std::string file;
  models::BackboneOptions backbone;
  nn::ImageShape image;
  double anchor_bound;
};

const Traced wide_resnet{"training_trace.h5", {.depth = 10, .width = 1, .dropout = 0}, {12, 12, 3}, 2};
const Traced resnet18{"resnet18_trace.h5", {.name = "resnet18"}, {12, 12, 3}, 1.25};
const Traced vgg{"vgg_trace.h5", {.name = "vgg"}, {16, 16, 3}, 1.25};

double power_of_two_bound(const double inputs) {
  return std::exp2(std::round(0.5 * std::log2(6.0 / inputs)));
}

std::vector<double> initial(const nn::ParameterSpec& spec, const std::size_t size, const double anchor_bound) {
  const auto& [name, extents, unused_initial, unused_group] = spec;
  if (name.ends_with(".gamma")) return std::vector<double>(size, 1.0);
  if (name.ends_with(".beta")) return std::vector<double>(size, 0.0);
  auto values = hashed(name, size);
  double bound = anchor_bound;
  if (extents.size() == 4) {
    bound = power_of_two_bound(static_cast<double>(extents[0] * extents[1] * extents[3]));
  } else if (name.ends_with(".bias")) {
    bound = 0.125;
  } else if (name.ends_with(".weights")) {
    bound = power_of_two_bound(static_cast<double>(extents[1]));
  }
  for (double& value : values) value *= bound;
  return values;
}

template <class Exec, class T>
class TracedTraining {
 public:
  TracedTraining(const Traced& traced, const nn::Mode mode)
      : trace_(data_folder + traced.file),
        model_({.backbone = traced.backbone, .head = {}}, {traced.image, classes},
               {.mode = mode, .training_images = known + background, .inference_images = known + background}, 1, exec_,
               Log(LogLevel::off)),
        loss_(losses::make_loss<Exec, T>(
            losses::LossOptions(),
            {.classes = classes, .features = model_.features(), .most_rows = known + background})),
        optimizer_(optim::make_optimizer<Exec, T>(
            "sgd", layout_of(model_.parameters(), number("momentum"), number("weight_decay")))),
        step_({model_, *loss_, *optimizer_, alone_}),
        images_("bcr::tests::images", known + background, traced.image.height, traced.image.width, traced.image.channels),
        labels_("bcr::tests::labels", known) {
    const auto& specs = model_.parameters().specs();
    for (std::size_t id = 0; id < specs.size(); ++id)
      fill(model_.parameters().values(static_cast<int>(id)),
           initial(specs[id], model_.parameters().slices()[id].size, traced.anchor_bound));
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
    expect_near(trace_.template read<double>("/features"), every(features, stride_of("/statistics/", 1)),
                end_tolerance, "features");
  }

 private:
  double number(const std::string& name) const { return trace_.numbers_attribute("/", name).at(0); }

  /// One of how many numbers the trace has. The one of WRN-10-1 is older than the rule for vectors.
  std::size_t stride_of(const std::string& group, const std::size_t rank) const {
    const bool has_rule = trace_.has_attribute("/", "statistics_every");
    if (!has_rule && group != "/statistics/") return attribute("sample_every");
    return has_rule ? attribute(rank < 2 ? "statistics_every" : "sample_every") : 1;
  }
  std::size_t attribute(const std::string& name) const {
    return static_cast<std::size_t>(trace_.integer_attribute("/", name));
  }

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
    for (std::size_t id = 0; id < store.slices().size(); ++id) {
      const auto& name = store.slices()[id].name;
      const int index = static_cast<int>(id);
      const std::size_t stride = stride_of(group, store.specs()[id].extents.size());
      expect_near(trace_.template read<double>(group + name),
                  every(gradients ? store.gradients(index) : store.values(index), stride), tolerance, group + name);
    }
  }

  Exec exec_{};
  comm::SerialCommunicator alone_;
  io::Hdf5Reader trace_;
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
  template <class T>
  void expect_reproduced(const Traced& traced, const nn::Mode mode) {
    TracedTraining<Exec, T>(traced, mode)
        .expect_like_trace(tolerance::trace_first_step<T>, tolerance::trace_ten_steps<T>);
  }
};
TYPED_TEST_SUITE(TrainingTrace, ExecSpaces);

TYPED_TEST(TrainingTrace, IsReproducedInDouble) {
  this->template expect_reproduced<double>(wide_resnet, nn::Mode::strict);
}

TYPED_TEST(TrainingTrace, IsReproducedInStrictMode) {
  this->template expect_reproduced<float>(wide_resnet, nn::Mode::strict);
}

TYPED_TEST(TrainingTrace, IsReproducedInFastMode) {
  this->template expect_reproduced<float>(wide_resnet, nn::Mode::fast);
}

TYPED_TEST(TrainingTrace, OfResNet18IsReproducedInDouble) {
  this->template expect_reproduced<double>(resnet18, nn::Mode::strict);
}

TYPED_TEST(TrainingTrace, OfResNet18IsReproducedInFastMode) {
  this->template expect_reproduced<float>(resnet18, nn::Mode::fast);
}

TYPED_TEST(TrainingTrace, OfVggIsReproducedInDouble) {
  this->template expect_reproduced<double>(vgg, nn::Mode::strict);
}

TYPED_TEST(TrainingTrace, OfVggIsReproducedInFastMode) {
  this->template expect_reproduced<float>(vgg, nn::Mode::fast);
}

}  // namespace
}  // namespace bcr::test
