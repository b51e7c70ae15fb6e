#include "models/backbones/densenet.hpp"
#include "models/backbones/gru.hpp"
#include "models/backbones/resnet18.hpp"
#include "models/backbones/vgg.hpp"
#include "models/backbones/wide_resnet.hpp"
#include "src/core/launch.hpp"
#include "src/nn/layers/add.hpp"
#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/concatenate.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/linear.hpp"
#include "src/nn/layers/pool.hpp"
#include "src/nn/layers/reshape.hpp"
#include "src/nn/layers/transposed_convolution.hpp"
#include "src/nn/linear_backend.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/invalid_trap.hpp"
#include "tests/support/network_case.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace bcr::test {
namespace {

template <class Exec>
class NetworkOf : public ::testing::Test {};
TYPED_TEST_SUITE(NetworkOf, ExecSpaces);

/// Relative to the largest entry: sums of hundreds of products in another order, through a dozen layers.
void expect_near(const std::vector<double>& expected, const std::vector<double>& received, const double tolerance,
                 const std::string& what) {
  ASSERT_EQ(expected.size(), received.size()) << what;
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  ASSERT_GT(largest, 0) << what << " is all zeros";
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(expected[i], received[i], tolerance * largest) << what << ", element " << i;
}

template <class Exec, class T>
void expect_like_reference(const nn::Graph& graph, const nn::Mode mode, const int images, const double tolerance) {
  NetworkCase<Exec, T> network(graph, mode, images);
  const auto input = random_values(images * graph.shape(0).size(), 1);
  const auto diff = random_values(static_cast<std::size_t>(images) * graph.shape(graph.output()).channels, 2);
  reference::NetworkReference reference(graph, images, network.parameter_values());
  network.set_images(input);

  const auto features = network.forward();
  const auto gradients = network.backward(diff);

  expect_near(reference.forward(input), features, tolerance, "features");
  for (const auto& [name, expected] : reference.backward(diff)) expect_near(expected, gradients.at(name), tolerance, name);
}

nn::Graph small_wrn() {
  return models::wide_resnet({8, 8, 3}, {.depth = 16, .width = 1, .dropout = 0});
}

TYPED_TEST(NetworkOf, NoImagesHasGradientsOfZeroAndLeavesThoseOfOthersAlone) {
  nn::ParameterStore<TypeParam, float> parameters(nn::Gradients::kept), statistics(nn::Gradients::none);
  nn::Network<TypeParam, float> network(small_wrn(), {.mode = nn::Mode::strict, .training_images = 2}, parameters,
                                        statistics, TypeParam(), Log(LogLevel::off));
  const int others = parameters.add({.name = "head.weights", .extents = {5}, .initial = {nn::Fill::zero, 1}});
  parameters.allocate(TypeParam(), 1);
  statistics.allocate(TypeParam(), 1);
  Kokkos::deep_copy(parameters.gradients(), 3.0F);
  const Tensor4<float, TypeParam> none("bcr::tests::none", 0, 8, 8, 3);

  network.forward(TypeParam(), {.phase = nn::Phase::training}, none);
  network.backward(TypeParam(), {.phase = nn::Phase::training}, none);
  TypeParam().fence();

  for (int id = 0; id <= others; ++id)
    for (const float gradient : to_host(parameters.gradients(id)))
      ASSERT_EQ(gradient, id == others ? 3 : 0) << parameters.slices()[std::size_t(id)].name;
}

/// `require` refuses fast mode if and only if no layer says that somebody else computes it.
template <class Require>
void expect_refused_if_strict(const Require& require, const std::vector<std::string>& strict,
                              const std::vector<std::string>& fast) {
  EXPECT_NO_THROW(require(nn::Mode::strict, nn::FastOptions{}));
  EXPECT_NO_THROW(require(nn::Mode::fast, nn::FastOptions{.fallback = nn::Fallback::strict}));
  if (fast == strict)
    EXPECT_THROW(require(nn::Mode::fast, nn::FastOptions{}), ConfigError);
  else
    EXPECT_NO_THROW(require(nn::Mode::fast, nn::FastOptions{}));
}

TYPED_TEST(NetworkOf, OfTextsNeedsALibraryForProductsOfDevicesInFastMode) {
  const auto computed_by = [](const nn::Mode mode) {
    nn::ParameterStore<TypeParam, float> parameters(nn::Gradients::kept), statistics(nn::Gradients::none);
    return nn::Network<TypeParam, float>(models::gru({1, 5, 1}, {.vocabulary = 20, .embedding = 4, .units = 8}),
                                         {.mode = mode, .training_images = 2}, parameters, statistics, TypeParam(),
                                         Log(LogLevel::off))
        .computed_by();
  };

  if (is_host_exec<TypeParam>) {
    EXPECT_EQ(computed_by(nn::Mode::fast), computed_by(nn::Mode::strict));  // the quickest there, so nothing is missing
    EXPECT_NO_THROW(nn::require_linear_library<TypeParam>(nn::Mode::fast, {}));
    return;
  }
  expect_refused_if_strict(nn::require_linear_library<TypeParam>, computed_by(nn::Mode::strict),
                           computed_by(nn::Mode::fast));
}

TYPED_TEST(NetworkOf, NamesWhoComputesAndRefusesFastModeThatIsStrict) {
  const nn::Graph graph = small_wrn();
  const auto computed_by = [&](const nn::Mode mode) {
    return NetworkCase<TypeParam, float>(graph, mode, 2).network().computed_by();
  };
  const auto strict = computed_by(nn::Mode::strict);
  const auto fast = computed_by(nn::Mode::fast);

  std::size_t convolutions = 0;
  for (const auto& operation : graph.operations()) convolutions += operation->work().weights > 0;
  ASSERT_EQ(strict.size(), convolutions);
  EXPECT_TRUE(strict.front().starts_with(graph.operations().front()->name() + ": ")) << strict.front();
  expect_refused_if_strict(nn::require_library<TypeParam>, strict, fast);
}

TYPED_TEST(NetworkOf, WideResNetAgreesWithPlainLoops) {
  expect_like_reference<TypeParam, double>(small_wrn(), nn::Mode::strict, 3, tolerance::network<double>);
  expect_like_reference<TypeParam, float>(small_wrn(), nn::Mode::strict, 3, tolerance::network<float>);
}

TYPED_TEST(NetworkOf, WideResNetOnOddImagesAgreesWithPlainLoops) {
  const auto graph = models::wide_resnet({7, 9, 1}, {.depth = 10, .width = 2, .dropout = 0});

  expect_like_reference<TypeParam, double>(graph, nn::Mode::strict, 5, tolerance::network<double>);
}

TYPED_TEST(NetworkOf, FastModeAgreesWithPlainLoops) {
  expect_like_reference<TypeParam, float>(small_wrn(), nn::Mode::fast, 3, tolerance::network<float>);
}

TYPED_TEST(NetworkOf, ResNetBlocksAgreeWithPlainLoops) {
  nn::Graph graph({6, 6, 3});
  const auto narrow = [&](const std::string& name, const nn::ValueId src, const int stride) {
    return nn::convolution(graph, name, src,
                             {.channels = 8, .window = {.stride = stride, .pad = 1}, .initial = {nn::Fill::normal, 0.2}});
  };
  auto x = nn::batch_norm(graph, "norm0", narrow("conv0", 0, 1), {});
  for (const int stride : {1, 2}) {
    const std::string name = "block" + std::to_string(stride);
    auto shortcut = x;
    if (stride == 2)
      shortcut = nn::batch_norm(graph, name + ".s", narrow(name + ".conv_s", x, stride), {.activation = nn::Activation::none});
    auto y = nn::batch_norm(graph, name + ".norm1", narrow(name + ".conv1", x, stride), {});
    y = nn::batch_norm(graph, name + ".norm2", narrow(name + ".conv2", y, 1), {.activation = nn::Activation::none});
    x = nn::add(graph, name + ".add", y, shortcut, nn::Activation::relu);
  }
  nn::global_average_pool(graph, "pool", x);

  expect_like_reference<TypeParam, double>(graph, nn::Mode::strict, 4, tolerance::network<double>);
  expect_like_reference<TypeParam, float>(graph, nn::Mode::fast, 4, tolerance::network<float>);
}

TYPED_TEST(NetworkOf, ConvolutionsWithBiasPoolingAndLinearLayersAgreeWithPlainLoops) {
  nn::Graph graph({8, 8, 2});
  auto x = nn::convolution(graph, "conv", 0, {.channels = 6, .bias = nn::Bias::added, .initial = {nn::Fill::normal, 0.3}});
  x = nn::max_pool(graph, "pool", x, {});
  x = nn::linear(graph, "fc1", x, {.channels = 10, .activation = nn::Activation::relu, .initial = {nn::Fill::normal, 0.2}});
  nn::linear(graph, "fc2", x, {.channels = 5, .initial = {nn::Fill::normal, 0.2}});

  expect_like_reference<TypeParam, double>(graph, nn::Mode::strict, 4, tolerance::network<double>);
  expect_like_reference<TypeParam, float>(graph, nn::Mode::fast, 4, tolerance::network<float>);
}

constexpr nn::Initializer random_start{nn::Fill::normal, 0.3};

TYPED_TEST(NetworkOf, DenseBlocksAgreeWithPlainLoops) {
  nn::Graph graph({7, 8, 3});
  std::vector<nn::ValueId> pieces{
      nn::convolution(graph, "stem", graph.input(), {.channels = 5, .initial = random_start})};
  for (const std::string layer : {"a", "b", "c"}) {
    auto x = nn::concatenate(graph, layer + ".all", pieces);
    x = nn::batch_norm(graph, layer + ".norm", x, {});
    pieces.push_back(nn::convolution(graph, layer, x, {.channels = 3, .initial = random_start}));
  }
  auto x = nn::batch_norm(graph, "norm", nn::concatenate(graph, "all", pieces), {});
  x = nn::convolution(graph, "narrow", x, {.channels = 4, .taps = 1, .window = {}, .initial = random_start});
  x = nn::average_pool(graph, "halve", x, {});
  x = nn::average_pool(graph, "blur", x, {.window = {.kernel = 3, .stride = 1, .pad = 1}});
  nn::global_average_pool(graph, "pool", nn::batch_norm(graph, "last", x, {.activation = nn::Activation::none}));

  expect_like_reference<TypeParam, double>(graph, nn::Mode::strict, 3, tolerance::network<double>);
  expect_like_reference<TypeParam, float>(graph, nn::Mode::fast, 3, tolerance::network<float>);
}

TYPED_TEST(NetworkOf, DenseNetAgreesWithPlainLoops) {
  const auto graph = models::densenet({9, 8, 3}, {.depth = 16, .growth = 4});

  expect_like_reference<TypeParam, double>(graph, nn::Mode::strict, 3, tolerance::network<double>);
}

TYPED_TEST(NetworkOf, DecodersAgreeWithPlainLoops) {
  for (const auto bias : {nn::Bias::none, nn::Bias::added})
    for (const int extra : {0, 1}) {
      nn::Graph graph({5, 4, 2});
      auto x = nn::linear(graph, "code", graph.input(),
                          {.channels = 24, .activation = nn::Activation::relu, .initial = random_start});
      x = nn::reshape(graph, "image", x, {2, 3, 4});
      x = nn::transposed_convolution(graph, "grow", x,
                                     {.channels = 6, .extra = extra, .bias = bias, .initial = random_start});
      x = nn::transposed_convolution(
          graph, "same", x,
          {.channels = 3, .taps = 3, .window = {.stride = 1, .pad = 1}, .bias = bias, .initial = random_start});
      nn::reshape(graph, "row", x, {1, 1, static_cast<int>(graph.shape(x).size())});

      expect_like_reference<TypeParam, double>(graph, nn::Mode::strict, 3, tolerance::network<double>);
      expect_like_reference<TypeParam, float>(graph, nn::Mode::fast, 3, tolerance::network<float>);
    }
}

TYPED_TEST(NetworkOf, ABatchBelowTheLargestGivesTheSameBits) {
  const auto graph = small_wrn();
  const auto input = random_values(3 * graph.shape(0).size(), 1);
  NetworkCase<TypeParam, float> exact(graph, nn::Mode::strict, 3);
  NetworkCase<TypeParam, float> roomy(graph, nn::Mode::strict, 3, 17);
  exact.set_images(input);
  roomy.set_images(input);

  EXPECT_EQ(exact.forward(), roomy.forward());
}

TYPED_TEST(NetworkOf, AnEmptyBatchHasNoFeaturesAndNoGradients) {
  NetworkCase<TypeParam, float> network(small_wrn(), nn::Mode::strict, 0, 4);

  EXPECT_TRUE(network.forward().empty());
  for (const auto& [name, values] : network.backward({}))
    for (const double value : values) ASSERT_EQ(value, 0) << name;
}

TYPED_TEST(NetworkOf, DropoutIsAFunctionOfTheStep) {
  const auto graph = models::wide_resnet({8, 8, 3}, {.depth = 10, .width = 1, .dropout = 0.3});
  NetworkCase<TypeParam, float> network(graph, nn::Mode::strict, 2);
  network.set_images(random_values(2 * graph.shape(0).size(), 1));

  const auto first = network.forward({nn::Phase::training, 1, 1});

  EXPECT_EQ(first, network.forward({nn::Phase::training, 1, 1}));
  EXPECT_NE(first, network.forward({nn::Phase::training, 1, 2}));
  EXPECT_NE(first, network.forward({nn::Phase::training, 2, 1}));
}

/// Zeros and the other values times 1 / (1 - rate), the rate in units of 2^-16: what is kept makes up for what is not.
TYPED_TEST(NetworkOf, DropoutKeepsValuesAtTheirScale) {
  constexpr int images = 40, channels = 250;
  const auto outputs = [&](const double rate) {
    nn::Graph graph({1, 1, channels});
    graph.name_output("features", nn::batch_norm(graph, "norm", graph.input(), {.dropout = rate}));
    NetworkCase<TypeParam, float> network(graph, nn::Mode::strict, images);
    network.set_images(random_values(images * channels, 1));
    return network.forward();
  };
  const auto whole = outputs(0), dropped = outputs(0.3);
  const double factor = 1 / (1 - std::floor(0.3 * 65536) / 65536);
  int active = 0, zeros = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (whole[i] == 0) continue;
    ++active;
    const double kept = dropped[i] == 0 ? 0 : whole[i] * factor;
    zeros += kept == 0 ? 1 : 0;
    ASSERT_NEAR(dropped[i], kept, std::abs(kept) * tolerance::network<float>) << i;
  }
  ASSERT_GT(active, images * channels / 4);
  EXPECT_NEAR(zeros, 0.3 * active, 4 * std::sqrt(0.3 * 0.7 * active));
}

/// Of Wide ResNets, between the second norm of a block and its second convolution (Zagoruyko and Komodakis 2016):
/// without these convolutions nothing depends on the step, and the norm before it never does.
TYPED_TEST(NetworkOf, DropoutOfAWideResNetIsBehindTheSecondNormOfItsBlocks) {
  const auto graph = models::wide_resnet({8, 8, 3}, {.depth = 10, .width = 1, .dropout = 0.3});
  const auto of_step = [&](const std::string& without, const std::uint32_t step) {
    NetworkCase<TypeParam, float> network(graph, nn::Mode::strict, 2);
    network.set_images(random_values(2 * graph.shape(0).size(), 1));
    auto& slices = network.parameters().slices();
    for (std::size_t id = 0; id < slices.size(); ++id)
      if (slices[id].name.ends_with(without))
        network.set_parameter(static_cast<int>(id), std::vector<double>(slices[id].size, 0));
    const auto features = network.forward({nn::Phase::training, 1, step});
    std::map<std::string, std::vector<double>> statistics;
    const auto all = network.statistic_values();
    for (const auto& slice : network.statistics().slices()) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(slice.offset);
      statistics[slice.name] = {first, first + static_cast<std::ptrdiff_t>(slice.size)};
    }
    return std::pair(features, statistics);
  };

  EXPECT_EQ(of_step(".conv2.weights", 1), of_step(".conv2.weights", 2));
  const auto first = of_step("no such parameter", 1), second = of_step("no such parameter", 2);
  EXPECT_NE(first.first, second.first);
  for (const char* const statistic : {"running_mean", "running_variance"}) {
    const std::string norm1 = std::string("group1.block1.norm1.") + statistic;
    const std::string norm2 = std::string("group1.block1.norm2.") + statistic;
    EXPECT_EQ(first.second.at(norm1), second.second.at(norm1));
    EXPECT_EQ(first.second.at(norm2), second.second.at(norm2));
  }
  EXPECT_NE(first.second.at("group2.block1.norm1.running_mean"), second.second.at("group2.block1.norm1.running_mean"));
}

TYPED_TEST(NetworkOf, AStepAllocatesNothing) {
  NetworkCase<TypeParam, float> network(small_wrn(), nn::Mode::strict, 3);
  const auto pass = network.training_pass();
  Tensor4<float, TypeParam> images("bcr::tests::images", 3, 8, 8, 3);
  network.network().forward(TypeParam(), pass, images);
  network.set_diff("features", random_values(3 * 64, 2));
  network.network().backward(TypeParam(), pass, images);
  Kokkos::fence();

  const AllocationCounter counter;
  network.network().forward(TypeParam(), pass, images);
  network.network().backward(TypeParam(), pass, images);
  Kokkos::fence();

  EXPECT_EQ(counter.count(), 0);
}

TYPED_TEST(NetworkOf, NamesTheFirstLayerThatIsNotFinite) {
  const InvalidTrapOff nan_may_live;
  NetworkCase<TypeParam, float> network(small_wrn(), nn::Mode::strict, 2);
  network.set_images(random_values(2 * 8 * 8 * 3, 1));
  network.forward();
  EXPECT_EQ(network.network().first_not_finite(TypeParam(), 2), "");

  auto& slices = network.parameters().slices();
  for (std::size_t id = 0; id < slices.size(); ++id)
    if (slices[id].name == "group2.block1.conv1.weights")
      network.set_parameter(static_cast<int>(id), std::vector<double>(slices[id].size, 1e39));
  network.forward();

  EXPECT_EQ(network.network().first_not_finite(TypeParam(), 2), "group2.block1.conv1");
}

TYPED_TEST(NetworkOf, RefusesImagesOfAnotherShape) {
  NetworkCase<TypeParam, float> network(small_wrn(), nn::Mode::strict, 2);
  const auto forward = [&](const Tensor4<float, TypeParam>& images) {
    network.network().forward(TypeParam(), network.training_pass(), images);
  };

  EXPECT_THROW(forward(Tensor4<float, TypeParam>("bcr::tests::images", 2, 8, 9, 3)), ShapeError);
  EXPECT_THROW(forward(Tensor4<float, TypeParam>("bcr::tests::images", 3, 8, 8, 3)), ShapeError);
}

}  // namespace
}  // namespace bcr::test
