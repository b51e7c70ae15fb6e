#include "models/backbones/densenet.hpp"
#include "models/backbones/wide_resnet.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/parameter_differences.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace bcr::test {
namespace {

template <class Exec>
class NetworkGradient : public ::testing::Test {};
TYPED_TEST_SUITE(NetworkGradient, ExecSpaces);

TYPED_TEST(NetworkGradient, AgreesWithCentralDifferencesForEveryParameterTensor) {
  expect_gradients_of_differences<TypeParam>(
      models::wide_resnet({6, 6, 2}, {.depth = 10, .width = 1, .dropout = 0.3}), 3);
}

TYPED_TEST(NetworkGradient, OfADenseNetworkAgreesWithCentralDifferences) {
  expect_gradients_of_differences<TypeParam>(models::densenet({8, 8, 2}, {.depth = 16, .growth = 3}), 3);
}

/// Differences of direction . features by pixels, in a pass with the statistics of the batch and dropout, and in one
/// with running statistics and without.
template <class Exec>
void expect_input_gradients(const nn::Graph& graph, const nn::PassInfo& pass) {
  constexpr int images = 3;
  NetworkCase<Exec, double> network(
      graph, images,
      {.training_images = images, .inference_images = 0, .input_gradients = nn::InputGradients::written});
  for (std::size_t id = 0; id < network.statistics().slices().size(); ++id) {
    const auto& slice = network.statistics().slices()[id];
    auto values = random_values(slice.size, 40 + unsigned(id));
    for (double& value : values) value = slice.name.ends_with("variance") ? 1.5 + value : value / 4;
    network.set_statistic(int(id), values);
  }
  auto pixels = random_values(images * graph.shape(graph.input()).size(), 1);
  const auto direction = random_values(images * graph.shape(graph.output()).size(), 2);
  network.set_images(pixels);
  network.forward(pass);
  network.backward(direction, pass);
  const auto gradient = to_host(network.network().input_diff("images", images).matrix());

  for (std::size_t i = 0; i < pixels.size(); i += 17) {
    const double centre = pixels[i];
    const auto at = [&](const double value) {
      pixels[i] = value;
      network.set_images(pixels);
      const auto features = network.forward(pass);
      return std::inner_product(features.begin(), features.end(), direction.begin(), 0.0);
    };
    const double slope = (at(centre + tolerance::difference_step) - at(centre - tolerance::difference_step)) /
                         (2 * tolerance::difference_step);
    pixels[i] = centre;
    EXPECT_NEAR(gradient[i], slope, tolerance::difference_quotient * (1 + std::abs(slope))) << "pixel " << i;
  }
}

TYPED_TEST(NetworkGradient, ByPixelsAgreesWithCentralDifferencesInTrainingAndFrozen) {
  for (const nn::Phase phase : {nn::Phase::training, nn::Phase::frozen}) {
    expect_input_gradients<TypeParam>(models::wide_resnet({6, 6, 2}, {.depth = 10, .width = 1, .dropout = 0.3}),
                                      {.phase = phase, .seed = 3, .step = 5});
    expect_input_gradients<TypeParam>(models::densenet({8, 8, 2}, {.depth = 16, .growth = 3}),
                                      {.phase = phase, .seed = 3, .step = 5});
  }
}

/// A frozen pass computes what inference computes, but folds nothing.
TYPED_TEST(NetworkGradient, OfAFrozenPassBelongsToTheFeaturesOfInference) {
  const nn::Graph graph = models::wide_resnet({6, 6, 2}, {.depth = 10, .width = 1, .dropout = 0.3});
  NetworkCase<TypeParam, double> network(graph, 3,
                                         {.training_images = 3, .inference_images = 3, .folding = nn::Folding::off});
  network.set_images(random_values(3 * graph.shape(graph.input()).size(), 1));

  EXPECT_EQ(network.forward({.phase = nn::Phase::frozen}), network.forward({.phase = nn::Phase::inference}));
  EXPECT_THROW(network.network().input_diff("images", 3), ShapeError);
}

}  // namespace
}  // namespace bcr::test
