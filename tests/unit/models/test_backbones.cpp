#include "models/backbones/registry.hpp"
#include "models/backbones/resnet18.hpp"
#include "models/backbones/vgg.hpp"
#include "models/backbones/wide_resnet.hpp"
#include "src/core/log.hpp"
#include "src/nn/network.hpp"

#include <gtest/gtest.h>

namespace bcr::models {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

std::size_t parameter_count(const nn::Graph& graph) {
  nn::ParameterStore<Exec, float> parameters(nn::Gradients::kept);
  nn::ParameterStore<Exec, float> statistics(nn::Gradients::none);
  const nn::Network<Exec, float> network(graph, {.inference_images = 1}, parameters, statistics, Exec(),
                                         Log(LogLevel::off));
  return parameters.count();
}

constexpr nn::ImageShape colour{32, 32, 3};

TEST(Backbones, HaveThePublishedNumbersOfParameters) {
  EXPECT_EQ(parameter_count(wide_resnet(colour, {.depth = 40, .width = 2})), 2'242'256u);
  EXPECT_EQ(parameter_count(wide_resnet(colour, {.depth = 16, .width = 4})), 2'746'320u);
  EXPECT_EQ(parameter_count(wide_resnet(colour, {.depth = 28, .width = 10})), 36'472'784u);
  EXPECT_EQ(parameter_count(resnet18(colour)), 11'168'832u);
  EXPECT_EQ(parameter_count(vgg(colour)), 7'583'562u - 10'250u);  // without the last layer, which is the head
}

TEST(Backbones, HaveThePublishedNumbersOfFeaturesAndOperations) {
  const auto features = [](const nn::Graph& graph) { return graph.shape(graph.output()).channels; };
  const auto mmac = [](const nn::Graph& graph) { return graph.multiply_accumulates() * 1e-6; };

  EXPECT_EQ(features(wide_resnet(colour, {.depth = 40, .width = 2})), 128);
  EXPECT_EQ(features(resnet18(colour)), 512);
  EXPECT_EQ(features(vgg(colour)), 1024);
  EXPECT_NEAR(mmac(wide_resnet(colour, {.depth = 40, .width = 2})), 327.6, 0.05);
  EXPECT_NEAR(mmac(wide_resnet(colour, {.depth = 16, .width = 4})), 392.6, 0.05);
  EXPECT_NEAR(mmac(wide_resnet(colour, {.depth = 28, .width = 10})), 5243.3, 0.05);
  EXPECT_NEAR(mmac(wide_resnet({64, 64, 3}, {.depth = 40, .width = 2})), 1310, 1);
  EXPECT_NEAR(mmac(resnet18(colour)), 555.4, 0.05);
}

TEST(Backbones, TakeGreyImagesOfOtherSizes) {
  const auto graph = wide_resnet({28, 28, 1}, {.depth = 10, .width = 1});

  EXPECT_EQ(graph.shape(graph.output()), (nn::ImageShape{1, 1, 64}));
}

TEST(Backbones, RefuseWhatDoesNotFit) {
  EXPECT_THROW(wide_resnet(colour, {.depth = 41}), ConfigError);
  EXPECT_THROW(vgg({28, 28, 1}), ShapeError);
  EXPECT_THROW(make_backbone({.name = "alexnet"}, colour), ConfigError);
}

}  // namespace
}  // namespace bcr::models
