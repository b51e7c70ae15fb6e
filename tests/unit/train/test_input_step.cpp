#include "src/core/log.hpp"
#include "src/train/input_step.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/network_case.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bcr::train {
namespace {

namespace tolerance = test::tolerance;

template <class Exec>
class InputSteps : public ::testing::Test {};
TYPED_TEST_SUITE(InputSteps, test::ExecSpaces);

constexpr int images = 3, classes = 3, columns = 4, channels = 2;

/// A small network with batch norm and dropout, whose last column is no known class.
template <class Exec>
struct Moved {
  explicit Moved(const losses::HeadOutputs outputs)
      : model({.backbone = {.name = "wrn", .depth = 10, .width = 1, .dropout = 0.3},
               .head = {.name = outputs == losses::HeadOutputs::logits ? "linear" : "distance"}},
              {{6, 6, channels}, columns},
              {.training_images = images, .inference_images = images, .input_gradients = nn::InputGradients::written}, 3,
              Exec(), Log(LogLevel::off)),
        shape{.outputs = outputs, .classes = classes, .features = model.features(), .logit_scale = 0.1} {}

  Tensor4<double, Exec> device(const std::vector<double>& values) const {
    const Tensor4<double, Exec> view("images", images, 6, 6, channels);
    const auto host = Kokkos::create_mirror_view(view);
    std::copy(values.begin(), values.end(), host.data());
    Kokkos::deep_copy(view, host);
    return view;
  }
  std::vector<double> outputs(const std::vector<double>& pixels) {
    return test::to_host(
        model.forward(Exec(), {.phase = nn::Phase::inference}, device(pixels)).matrix(model.output_name()));
  }
  /// -log softmax(z / T)_c of one image, c being given.
  double loss(const std::vector<double>& outputs, const int image, const int c) const {
    double total = 0;
    const auto logit = [&](const int k) {
      const double output = outputs[image * columns + k];
      return (shape.outputs == losses::HeadOutputs::logits ? output : -0.1 * output) / 20;
    };
    for (int k = 0; k < classes; ++k) total += std::exp(logit(k));
    return std::log(total) - logit(c);
  }
  int best(const std::vector<double>& outputs, const int image) const {
    int c = 0;
    for (int k = 1; k < classes; ++k)
      if (loss(outputs, image, k) < loss(outputs, image, c)) c = k;
    return c;
  }

  models::Model<Exec, double> model;
  losses::ScoreShape shape;
};

/// Against signs of central differences of the loss by every pixel.
template <class Exec>
void expect_moved_by_signs(const losses::HeadOutputs kind) {
  Moved<Exec> moved(kind);
  const std::size_t size = 6 * 6 * channels;
  std::vector<double> pixels = test::random_values(images * size, 9);
  const std::vector<double> clean = moved.outputs(pixels);
  const std::vector<double> deviations{0.25, 0.5};
  const scores::OdinSettings settings{.temperature = 20, .epsilon = 0.01};
  std::vector<double> by_hand = pixels;
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const int image = int(i / size), c = moved.best(clean, image);
    const double centre = pixels[i];
    const auto at = [&](const double value) {
      pixels[i] = value;
      return moved.loss(moved.outputs(pixels), image, c);
    };
    const double slope = at(centre + tolerance::difference_step) - at(centre - tolerance::difference_step);
    pixels[i] = centre;
    const double step = 0.01 / deviations[i % channels];
    by_hand[i] -= slope > 0 ? step : slope < 0 ? -step : 0;
  }
  const std::vector<double> expected = moved.outputs(by_hand);

  InputStep<Exec, double> step(moved.model, moved.shape, settings, deviations, images);
  const std::vector<double> found = test::to_host(step.outputs(Exec(), moved.device(pixels)));

  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance::loss<double>() * (1 + std::abs(expected[i])));
  for (int image = 0; image < images; ++image) {
    const int c = moved.best(clean, image);
    EXPECT_LT(moved.loss(found, image, c), moved.loss(clean, image, c));
  }
}

TYPED_TEST(InputSteps, MoveEveryPixelAgainstTheGradientOfLogits) {
  expect_moved_by_signs<TypeParam>(losses::HeadOutputs::logits);
}

TYPED_TEST(InputSteps, MoveEveryPixelAgainstTheGradientOfDistances) {
  expect_moved_by_signs<TypeParam>(losses::HeadOutputs::squared_distances);
}

TYPED_TEST(InputSteps, WantADeviationOfEveryChannel) {
  Moved<TypeParam> moved(losses::HeadOutputs::logits);

  EXPECT_THROW((InputStep<TypeParam, double>(moved.model, moved.shape, {}, {0.25}, images)), ShapeError);
}

}  // namespace
}  // namespace bcr::train
