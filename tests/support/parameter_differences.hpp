#ifndef BCR_TESTS_SUPPORT_PARAMETER_DIFFERENCES_HPP
#define BCR_TESTS_SUPPORT_PARAMETER_DIFFERENCES_HPP

#include "tests/support/network_case.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace bcr::test {

/// Central differences of direction . features with respect to three elements or more of every parameter tensor. With
/// dropout: the mask is a function of the step, so differences see the same network.
template <class Exec>
void expect_gradients_of_differences(const nn::Graph& graph, const int images) {
  NetworkCase<Exec, double> network(graph, nn::Mode::strict, images);
  network.set_images(random_values(images * graph.shape(graph.input()).size(), 1));
  const auto direction = random_values(images * graph.shape(graph.output()).size(), 2);
  network.forward();
  const auto gradients = network.backward(direction);

  const auto& slices = network.parameters().slices();
  for (std::size_t id = 0; id < slices.size(); ++id) {
    const auto& name = slices[id].name;
    auto values = network.parameter_values().at(name);
    for (std::size_t i = 0; i < values.size(); i += values.size() / 3 + 1) {
      const double centre = values[i];
      const auto at = [&](const double value) {
        values[i] = value;
        network.set_parameter(static_cast<int>(id), values);
        const auto features = network.forward();
        return std::inner_product(features.begin(), features.end(), direction.begin(), 0.0);
      };
      const double slope = (at(centre + tolerance::difference_step) - at(centre - tolerance::difference_step)) /
                           (2 * tolerance::difference_step);
      at(centre);

      EXPECT_NEAR(gradients.at(name)[i], slope, tolerance::difference_quotient * (1 + std::abs(slope)))
          << name << ", element " << i;
    }
  }
}

}  // namespace bcr::test

#endif
