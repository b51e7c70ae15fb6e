#include "src/nn/layers/add.hpp"
#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/concatenate.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/curves.hpp"
#include "src/nn/layers/dropout.hpp"
#include "src/nn/layers/film.hpp"
#include "src/nn/layers/gaussian.hpp"
#include "src/nn/layers/leaky_relu.hpp"
#include "src/nn/layers/linear.hpp"
#include "src/nn/layers/pool.hpp"
#include "src/nn/layers/reshape.hpp"
#include "src/nn/layers/transposed_convolution.hpp"
#include "src/nn/schedule.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/parameter_differences.hpp"

#include <gtest/gtest.h>

/// The gradient with respect to the parameters before an operation passes through it.
namespace bcr::test {
namespace {

template <class Exec>
class OperationGradients : public ::testing::Test {};
TYPED_TEST_SUITE(OperationGradients, ExecSpaces);

constexpr nn::Initializer random_start{nn::Fill::normal, 0.4};
constexpr int images = 3;

nn::ValueId add_stem(nn::Graph& graph, const std::string& name = "stem") {
  return nn::convolution(graph, name, graph.input(), {.channels = 4, .initial = random_start});
}

TYPED_TEST(OperationGradients, OfAConcatenationWhoseSourcesHaveOtherConsumers) {
  nn::Graph graph({5, 4, 2});
  const auto x = add_stem(graph);
  const auto y = nn::convolution(graph, "next", x, {.channels = 3, .initial = random_start});
  const auto all = nn::batch_norm(graph, "norm", nn::concatenate(graph, "all", {y, x, y}), {});
  nn::linear(graph, "fc", all, {.channels = 3, .initial = random_start});

  expect_gradients_of_differences<TypeParam>(graph, images);
}

TYPED_TEST(OperationGradients, OfDropoutInPlaceAndBesideAnotherConsumer) {
  nn::Graph graph({5, 4, 2});
  const auto x = add_stem(graph);
  const auto kept = nn::dropout(graph, "first", x, {.rate = 0.4});
  const auto both = nn::concatenate(graph, "both", {x, kept});
  const auto last = nn::dropout(graph, "second", nn::linear(graph, "fc", both, {.channels = 6, .initial = random_start}),
                                {.rate = 0.25});
  nn::linear(graph, "fc2", last, {.channels = 3, .initial = random_start});

  expect_gradients_of_differences<TypeParam>(graph, images);
}

TYPED_TEST(OperationGradients, OfAveragePools) {
  for (const kernels::PoolWindow window : {kernels::PoolWindow{2, 2, 0}, {3, 2, 1}, {3, 1, 0}}) {
    nn::Graph graph({5, 6, 2});
    const auto x = nn::average_pool(graph, "pool", add_stem(graph), {.window = window});
    nn::linear(graph, "fc", x, {.channels = 3, .initial = random_start});

    expect_gradients_of_differences<TypeParam>(graph, images);
  }
}

TYPED_TEST(OperationGradients, OfTransposedConvolutionsAndReshape) {
  nn::Graph graph({4, 3, 2});
  auto x = nn::transposed_convolution(
      graph, "grow", add_stem(graph),
      {.channels = 3, .taps = 3, .extra = 1, .bias = nn::Bias::added, .initial = random_start});
  x = nn::reshape(graph, "turned", x, {6, 8, 3});
  x = nn::transposed_convolution(
      graph, "same", x, {.channels = 2, .taps = 5, .window = {.stride = 1, .pad = 2}, .initial = random_start});
  nn::global_average_pool(graph, "pool", x);

  expect_gradients_of_differences<TypeParam>(graph, images);
}

TYPED_TEST(OperationGradients, OfReluInPlaceBesideAnotherConsumerAndAsAnAddend) {
  nn::Graph graph({5, 4, 2});
  const auto x = add_stem(graph);
  const auto bent = nn::relu(graph, "bent", x);
  const auto term = nn::convolution(graph, "term", x, {.channels = 4, .initial = random_start});
  const auto sum = nn::add(graph, "sum", term, bent, nn::Activation::none);
  const auto last = nn::relu(graph, "last", nn::linear(graph, "fc", sum, {.channels = 6, .initial = random_start}));
  nn::linear(graph, "fc2", last, {.channels = 3, .initial = random_start});

  expect_gradients_of_differences<TypeParam>(graph, images);
}

TYPED_TEST(OperationGradients, OfSlopesAndTanhBehindANormThatLearnsNothing) {
  nn::Graph graph({5, 4, 2});
  const auto x = nn::batch_norm(graph, "norm", add_stem(graph),
                                {.activation = nn::Activation::none, .affine = nn::Affine::none});
  const auto y = nn::leaky_relu(graph, "learned", x, {.slope = 0.25, .kind = nn::Slope::learned});
  const auto z = nn::leaky_relu(graph, "fixed", nn::linear(graph, "fc", y, {.channels = 6, .initial = random_start}), {});
  const auto all = nn::concatenate(graph, "all", {nn::tanh(graph, "tanh", z)});
  nn::linear(graph, "fc2", all, {.channels = 3, .initial = random_start});

  expect_gradients_of_differences<TypeParam>(graph, images);
}

TYPED_TEST(OperationGradients, OfGaussiansTheirSamplesAndDivergence) {
  nn::Graph graph({5, 4, 2});
  const auto x = add_stem(graph);
  const auto linear = [&](const char* const name, const nn::ValueId src, const int channels) {
    return nn::linear(graph, name, src, {.channels = channels, .initial = random_start});
  };
  const auto up = linear("up", x, 8);
  const auto top = linear("most", x, 6);
  const auto sample = nn::gaussian_sample(graph, "top", top);
  const auto joined = nn::gaussian_join(graph, "join", up, linear("down", sample, 8));
  linear("fc", nn::concatenate(graph, "all", {joined.sample, joined.divergence, top, up}), 3);

  expect_gradients_of_differences<TypeParam>(graph, images);
}

TYPED_TEST(OperationGradients, OfFeaturesThatClassesModulateAndOfStackedImages) {
  nn::Graph graph({5, 4, 2});
  const auto f = nn::linear(graph, "f", add_stem(graph), {.channels = 4, .initial = random_start});
  auto x = nn::film(graph, "film", f, {.classes = 3, .conditions = 2, .initial = random_start});
  x = nn::convolution(graph, "widen", x, {.channels = 12, .taps = 1, .window = {1, 0}, .initial = random_start});
  x = nn::reshape(graph, "map", x, {4, 2, 3});
  x = nn::transposed_convolution(graph, "grow", x,
                                 {.channels = 2, .bias = nn::Bias::added, .initial = random_start, .stacked = 2});
  nn::linear(graph, "fc", nn::concatenate(graph, "all", {nn::linear(graph, "grown", x, {.channels = 3, .initial = random_start}), f}),
             {.channels = 3, .initial = random_start});

  expect_gradients_of_differences<TypeParam>(graph, images);
}

TYPED_TEST(OperationGradients, AreRefusedWhereAnAddendWouldMaskThatOfTheOtherTerm) {
  nn::Graph graph({5, 4, 2});
  const auto x = add_stem(graph);
  const auto term = nn::convolution(graph, "term", x, {.channels = 4, .initial = random_start});
  nn::add(graph, "sum", term, nn::relu(graph, "bent", x), nn::Activation::none);

  EXPECT_THROW(nn::make_schedule(graph, nn::Phase::training, nn::Folding::off), ShapeError);
}

}  // namespace
}  // namespace bcr::test
