#include "models/backbones/wide_resnet.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/network_case.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bcr::test {
namespace {

template <class Exec>
class NetworkGradient : public ::testing::Test {};
TYPED_TEST_SUITE(NetworkGradient, ExecSpaces);

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// With dropout: the mask is a function of the step, so differences see the same network.
TYPED_TEST(NetworkGradient, AgreesWithCentralDifferencesForEveryParameterTensor) {
  const auto graph = models::wide_resnet({6, 6, 2}, {.depth = 10, .width = 1, .dropout = 0.3});
  constexpr int images = 3;
  NetworkCase<TypeParam, double> network(graph, nn::Mode::strict, images);
  network.set_images(random_values(images * graph.shape(0).size(), 1));
  const auto direction = random_values(images * 64, 2);
  network.forward();
  const auto gradients = network.backward(direction);

  const auto& entries = network.parameters().entries();
  for (std::size_t id = 0; id < entries.size(); ++id) {
    const auto& name = entries[id].spec.name;
    auto values = network.parameter_values().at(name);
    for (std::size_t i = 0; i < values.size(); i += values.size() / 3 + 1) {
      const double centre = values[i];
      const auto at = [&](const double value) {
        values[i] = value;
        network.set_parameter(static_cast<int>(id), values);
        return product(network.forward(), direction);
      };
      const double slope = (at(centre + tolerance::difference_step) - at(centre - tolerance::difference_step)) /
                           (2 * tolerance::difference_step);
      at(centre);

      EXPECT_NEAR(gradients.at(name)[i], slope, tolerance::difference_quotient * (1 + std::abs(slope)))
          << name << ", element " << i;
    }
  }
}

}  // namespace
}  // namespace bcr::test
