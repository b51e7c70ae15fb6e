// Networks with products of bf16 beside the same networks in float.
#include "models/backbones/wide_resnet.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/network_case.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace bcr::test {
namespace {

using nn::Mode;
using nn::Precision;

template <class Exec>
class Bf16Network : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!nn::has_bf16<Exec>()) GTEST_SKIP() << "no products of bf16 on " << Exec::name();
  }
};
TYPED_TEST_SUITE(Bf16Network, ExecSpaces);

template <class Exec>
NetworkCase<Exec, float> network_of(const nn::Graph& graph, const Precision precision, const int images) {
  return {graph,
          images,
          {.mode = Mode::fast, .precision = precision, .training_images = images, .inference_images = images}};
}

double length(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

/// |received - expected| / |expected|, as vectors.
double distance(const std::vector<double>& expected, const std::vector<double>& received) {
  std::vector<double> difference(expected);
  for (std::size_t i = 0; i < expected.size(); ++i) difference[i] = received[i] - expected[i];
  return length(difference) / length(expected);
}

/// Relu lets through another value, and batch norm takes away what gradients have in common, as soon as anything is
/// moved a little: what a gradient of bf16 is measured by is how far that of float moves with images moved by the
/// rounding of bf16.
template <class Exec>
void expect_gradients_near_float(const nn::Graph& graph, const int images) {
  auto in_float = network_of<Exec>(graph, Precision::fp32, images);
  auto moved = network_of<Exec>(graph, Precision::fp32, images);
  auto narrow = network_of<Exec>(graph, Precision::bf16, images);
  auto input = random_values(images * graph.shape(0).size(), 1);
  const auto diff = random_values(static_cast<std::size_t>(images) * graph.shape(graph.output()).channels, 2);
  in_float.set_images(input);
  narrow.set_images(input);
  for (double& pixel : input) pixel *= 1 + 0x1p-8 * std::sin(1000 * pixel);
  moved.set_images(input);
  const auto features = in_float.forward();
  moved.forward();
  EXPECT_LT(distance(features, narrow.forward()), tolerance::bf16_network);
  const auto expected = in_float.backward(diff);
  const auto of_moved = moved.backward(diff);
  const auto received = narrow.backward(diff);
  double largest = 0;
  for (const auto& [name, gradient] : expected) {
    const double d = distance(gradient, received.at(name));
    EXPECT_LT(d, tolerance::bf16_gradient * distance(gradient, of_moved.at(name))) << name;
    largest = std::max(largest, d);
  }
  ::testing::Test::RecordProperty("largest", std::to_string(largest));
  EXPECT_GT(largest, 1e-6) << "nothing was rounded";
}

TYPED_TEST(Bf16Network, HasGradientsNearThoseOfFloat) {
  expect_gradients_near_float<TypeParam>(models::wide_resnet({8, 8, 3}, {.depth = 16, .width = 2, .dropout = 0}), 8);
  expect_gradients_near_float<TypeParam>(models::wide_resnet({16, 12, 3}, {.depth = 10, .width = 1, .dropout = 0}), 6);
}

TYPED_TEST(Bf16Network, SaysWhoComputes) {
  const auto graph = models::wide_resnet({16, 16, 3}, {.depth = 10, .width = 2, .dropout = 0});
  const auto bf16_layers = [&](const Precision precision) {
    int layers = 0;
    for (const std::string& who : network_of<TypeParam>(graph, precision, 2).network().computed_by())
      layers += who.find("bf16") != std::string::npos;
    return layers;
  };
  EXPECT_EQ(bf16_layers(Precision::fp32), 0);
  EXPECT_GE(bf16_layers(Precision::bf16), 4);  // of 3 x 3 taps and stride 1, but for the first
}

TYPED_TEST(Bf16Network, InfersWhatItComputesInTraining) {
  const auto graph = models::wide_resnet({8, 8, 3}, {.depth = 10, .width = 2, .dropout = 0});
  auto in_float = network_of<TypeParam>(graph, Precision::fp32, 5);
  auto narrow = network_of<TypeParam>(graph, Precision::bf16, 5);
  const auto input = random_values(5 * graph.shape(0).size(), 1);
  in_float.set_images(input);
  narrow.set_images(input);
  EXPECT_LT(distance(in_float.forward({}), narrow.forward({})), tolerance::bf16_network);
}

/// Half of the squared distance of the features to fixed targets, before each step down its gradient.
template <class Exec>
std::vector<double> losses_of_training(const nn::Graph& graph, const Precision precision) {
  constexpr int images = 16, steps = 25;
  auto network = network_of<Exec>(graph, precision, images);
  network.set_images(random_values(images * graph.shape(0).size(), 1));
  const auto targets = random_values(static_cast<std::size_t>(images) * graph.shape(graph.output()).channels, 2);
  std::vector<double> losses;
  for (int step = 0; step < steps; ++step) {
    auto diff = network.forward();
    for (std::size_t i = 0; i < diff.size(); ++i) diff[i] -= targets[i];
    losses.push_back(length(diff) * length(diff) / 2);
    const auto gradients = network.backward(diff);
    const auto values = network.parameter_values();
    for (std::size_t id = 0; id < network.parameters().slices().size(); ++id) {
      const std::string& name = network.parameters().slices()[id].name;
      std::vector<double> moved = values.at(name);
      for (std::size_t i = 0; i < moved.size(); ++i) moved[i] -= 2e-3 * gradients.at(name)[i];
      network.set_parameter(static_cast<int>(id), moved);
    }
  }
  return losses;
}

TYPED_TEST(Bf16Network, LearnsAsInFloat) {
  const auto graph = models::wide_resnet({8, 8, 3}, {.depth = 10, .width = 1, .dropout = 0});
  const auto in_float = losses_of_training<TypeParam>(graph, Precision::fp32);
  const auto narrow = losses_of_training<TypeParam>(graph, Precision::bf16);
  EXPECT_LT(in_float.back(), 0.5 * in_float.front());
  for (std::size_t step = 0; step < narrow.size(); ++step)
    EXPECT_NEAR(narrow[step], in_float[step], tolerance::bf16_loss * in_float[step]) << step;
}

template <class Exec>
class PrecisionOf : public ::testing::Test {};
TYPED_TEST_SUITE(PrecisionOf, ExecSpaces);

TYPED_TEST(PrecisionOf, ModesAndProcessors) {
  const auto precision = [](const Mode mode, const Precision asked) {
    return nn::resolved_precision<TypeParam>(mode, {.precision = asked});
  };
  EXPECT_EQ(precision(Mode::fast, Precision::fp32), Precision::fp32);
  EXPECT_EQ(precision(Mode::strict, Precision::automatic), Precision::fp32);
  EXPECT_THROW(precision(Mode::strict, Precision::bf16), ConfigError);
  if (nn::has_bf16<TypeParam>()) {
    EXPECT_EQ(precision(Mode::fast, Precision::bf16), Precision::bf16);
    EXPECT_EQ(precision(Mode::fast, Precision::automatic), Precision::bf16);
  } else {
    EXPECT_THROW(precision(Mode::fast, Precision::bf16), ConfigError);
    EXPECT_EQ(precision(Mode::fast, Precision::automatic), Precision::fp32);
  }
}

}  // namespace
}  // namespace bcr::test
