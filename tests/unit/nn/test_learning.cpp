#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/dropout.hpp"
#include "src/nn/layers/linear.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/network_case.hpp"

#include <gtest/gtest.h>

/// Networks of which a part learns.
namespace bcr::test {
namespace {

template <class Exec>
class PartialLearning : public ::testing::Test {};
TYPED_TEST_SUITE(PartialLearning, ExecSpaces);

constexpr int images = 3;
constexpr nn::Initializer initial{nn::Fill::normal, 0.4};

/// Statistics and dropout, which a frozen pass does without, and two layers behind them.
nn::Graph stem_and_top() {
  nn::Graph graph({5, 4, 2});
  const auto x = nn::convolution(graph, "stem.conv", graph.input(), {.channels = 4, .initial = initial});
  const auto y = nn::dropout(graph, "stem.dropout", nn::batch_norm(graph, "stem.norm", x, {}), {.rate = 0.5});
  const auto z = nn::linear(graph, "top.wide", y, {.channels = 6, .initial = initial});
  nn::linear(graph, "top.last", z, {.channels = 3, .initial = initial});
  return graph;
}

nn::NetworkSettings settings(const std::vector<std::string>& learned) {
  return {.training_images = images, .inference_images = 0, .learned = learned};
}

TYPED_TEST(PartialLearning, ComputesTheOtherPartFrozenAndLeavesItsGradientsAlone) {
  NetworkCase<TypeParam, double> part(stem_and_top(), images, settings({"top"}));
  NetworkCase<TypeParam, double> whole(stem_and_top(), images, settings({}));
  const nn::PassInfo training{nn::Phase::training, 1, 7}, frozen{nn::Phase::frozen, 1, 7};
  const auto diff = random_values(images * 3, 2);
  for (auto* const network : {&part, &whole}) network->set_images(random_values(images * 40, 1));
  const std::vector<double> statistics = part.statistic_values();
  Kokkos::deep_copy(part.parameters().gradients(), 3.0);

  const std::vector<double> features = whole.forward(frozen);
  EXPECT_EQ(part.forward(training), features);
  const auto expected = whole.backward(diff, frozen);
  for (const auto& [name, gradient] : part.backward(diff, training))
    EXPECT_EQ(gradient, name.starts_with("top") ? expected.at(name) : std::vector<double>(gradient.size(), 3.0)) << name;

  EXPECT_NE(whole.forward(training), features);
  part.network().renew_running_statistics(TypeParam(), part.network().batch_sums(), images);
  EXPECT_EQ(part.statistic_values(), statistics);
  EXPECT_NE(whole.statistic_values(), statistics);
}

TYPED_TEST(PartialLearning, GoesBackAsFarAsSomethingLearns) {
  NetworkCase<TypeParam, double> part(stem_and_top(), images, settings({"stem", "top.last"}));
  NetworkCase<TypeParam, double> whole(stem_and_top(), images, settings({}));
  const auto diff = random_values(images * 3, 2);
  for (auto* const network : {&part, &whole}) network->set_images(random_values(images * 40, 1));

  EXPECT_EQ(part.forward(), whole.forward());
  const auto expected = whole.backward(diff);
  for (const auto& [name, gradient] : part.backward(diff)) {
    if (name.starts_with("top.wide")) continue;
    EXPECT_EQ(gradient, expected.at(name)) << name;
  }
}

TYPED_TEST(PartialLearning, IsNoneWhereTheGradientsOfTheInputsAreAloneAskedFor) {
  const auto by_images = [](const nn::InputGradients asked) {
    NetworkCase<TypeParam, double> network(
        stem_and_top(), images, {.training_images = images, .inference_images = 0, .input_gradients = asked});
    network.set_images(random_values(images * 40, 1));
    Kokkos::deep_copy(network.parameters().gradients(), 3.0);
    const nn::PassInfo frozen{nn::Phase::frozen, 1, 7};
    network.forward(frozen);
    const auto gradients = network.backward(random_values(images * 3, 2), frozen);
    const bool untouched = gradients.at("stem.conv.weights") == std::vector<double>(3 * 3 * 2 * 4, 3.0);
    return std::pair(to_host(network.network().input_diff("images", images).matrix()), untouched);
  };
  const auto [written, learns_not] = by_images(nn::InputGradients::written);
  const auto [alone, untouched] = by_images(nn::InputGradients::alone);

  EXPECT_EQ(alone, written);
  EXPECT_FALSE(learns_not);
  EXPECT_TRUE(untouched);
}

TYPED_TEST(PartialLearning, IsThatOfAnOperationWhoseParameterIsNamed) {
  const auto gradient_of_last = [](const std::string& learned) {
    NetworkCase<TypeParam, double> network(stem_and_top(), images, settings({learned}));
    network.set_images(random_values(images * 40, 1));
    network.forward();
    return network.backward(random_values(images * 3, 2)).at("top.last.weights");
  };
  const auto expected = gradient_of_last("top.last");

  EXPECT_NE(expected, std::vector<double>(expected.size(), 0));
  EXPECT_EQ(gradient_of_last("top.last.weights"), expected);
}

TYPED_TEST(PartialLearning, IsOfNamesThatBeginSo) {
  EXPECT_TRUE(nn::is_learned({}, "conv1.weights"));
  EXPECT_TRUE(nn::is_learned({"head", "decoder."}, "decoder.film.shift.bias"));
  EXPECT_FALSE(nn::is_learned({"head", "decoder."}, "fc.head"));
}

}  // namespace
}  // namespace bcr::test
