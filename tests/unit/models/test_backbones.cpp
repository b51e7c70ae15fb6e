#include "models/backbones/densenet.hpp"
#include "models/backbones/dhrnet.hpp"
#include "models/backbones/ladder_vae.hpp"
#include "models/backbones/registry.hpp"
#include "models/backbones/resnet18.hpp"
#include "models/backbones/vgg.hpp"
#include "models/backbones/wide_resnet.hpp"
#include "models/model.hpp"
#include "src/core/log.hpp"
#include "src/nn/layers/linear.hpp"
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
  EXPECT_EQ(parameter_count(densenet(colour, {.depth = 100, .growth = 12})) + 342 * 10 + 10, 769'162u);
  EXPECT_EQ(parameter_count(vgg(colour)), 7'583'562u - 10'250u);  // without the last layer, which is the head
  EXPECT_EQ(parameter_count(dhrnet(colour, {})) + 4097 * 6, 35'748'393u);
  EXPECT_EQ(parameter_count(dhrnet(colour, {.width = 1, .layers = 1, .units = 128})) + 129 * 6, 199'041u);
}

/// 1 x 28 x 28 images become 32 x 32 in the first unit of the published network: the same numbers as of such images.
TEST(Backbones, OfCgdlHaveThePublishedNumbersOfParameters) {
  const nn::ImageShape grey{32, 32, 1};
  const std::size_t up = 67'110'017 + 16'815'169 + 16'851'585 + 4'342'401 + 4'489'729 + 1'638'913 + 2'228'865 +
                         2'622'081 + 2'490'945 + 2'392'641;
  const std::size_t down = 1'197'121 + 592'513 + 2'230'913 + 1'712'641 + 4'985'345 + 6'341'249 + 18'948'737 +
                           25'207'873 + 75'531'329 + 33'620'034;

  EXPECT_EQ(parameter_count(ladder_vae(grey, {.width = 4, .layers = 2, .units = 32})), up + down);
  EXPECT_EQ(parameter_count(ladder_vae(colour, {.width = 1, .layers = 1, .units = 16})), 1'073'935u - 102u - 112u);
}

TEST(Backbones, OfCgdlGiveGaussiansAndAReconstruction) {
  const auto graph = ladder_vae({16, 24, 3}, {.width = 1, .layers = 1, .units = 5});

  EXPECT_EQ(graph.shape(graph.output("features")), (nn::ImageShape{1, 1, 5}));
  EXPECT_EQ(graph.shape(graph.output("top")), (nn::ImageShape{1, 1, 10}));
  EXPECT_EQ(graph.shape(graph.output("divergence")), (nn::ImageShape{1, 1, 2}));
  EXPECT_EQ(graph.shape(graph.output("reconstruction")), (nn::ImageShape{16, 24, 3}));
  EXPECT_THROW(ladder_vae({24, 24, 3}, {.layers = 2}), ShapeError);
  EXPECT_THROW(ladder_vae({20, 24, 3}, {.layers = 1}), ShapeError);
  EXPECT_THROW(ladder_vae({24, 24, 3}, {.layers = 3}), ConfigError);
}

TEST(Backbones, HaveThePublishedNumbersOfFeaturesAndOperations) {
  const auto features = [](const nn::Graph& graph) { return graph.shape(graph.output()).channels; };
  const auto mmac = [](const nn::Graph& graph) { return graph.multiply_accumulates() * 1e-6; };

  EXPECT_EQ(features(wide_resnet(colour, {.depth = 40, .width = 2})), 128);
  EXPECT_EQ(features(resnet18(colour)), 512);
  EXPECT_EQ(features(vgg(colour)), 1024);
  EXPECT_EQ(features(densenet(colour, {.depth = 100, .growth = 12})), 342);
  EXPECT_NEAR(mmac(wide_resnet(colour, {.depth = 40, .width = 2})), 327.6, 0.05);
  EXPECT_NEAR(mmac(wide_resnet(colour, {.depth = 16, .width = 4})), 392.6, 0.05);
  EXPECT_NEAR(mmac(wide_resnet(colour, {.depth = 28, .width = 10})), 5243.3, 0.05);
  EXPECT_NEAR(mmac(wide_resnet({64, 64, 3}, {.depth = 40, .width = 2})), 1310, 1);
  EXPECT_NEAR(mmac(resnet18(colour)), 555.4, 0.05);
  EXPECT_NEAR(mmac(dhrnet(colour, {})), 245.0, 0.05);
}

TEST(Backbones, TakeGreyImagesOfOtherSizes) {
  const auto graph = wide_resnet({28, 28, 1}, {.depth = 10, .width = 1});

  EXPECT_EQ(graph.shape(graph.output()), (nn::ImageShape{1, 1, 64}));
}

TEST(Backbones, OfCrosrReconstructsImagesAndHasALatentVector) {
  const auto graph = dhrnet({16, 24, 3}, {.width = 1, .layers = 1, .units = 20});

  EXPECT_EQ(graph.shape(graph.output("features")), (nn::ImageShape{1, 1, 20}));
  EXPECT_EQ(graph.shape(graph.output("latent")), (nn::ImageShape{1, 1, 24}));
  EXPECT_EQ(graph.shape(graph.output("reconstruction")), (nn::ImageShape{16, 24, 3}));
}

TEST(Backbones, RefuseWhatDoesNotFit) {
  EXPECT_THROW(wide_resnet(colour, {.depth = 41}), ConfigError);
  EXPECT_THROW(vgg({28, 28, 1}), ShapeError);
  EXPECT_THROW(make_backbone({.name = "alexnet"}, colour), ConfigError);
  EXPECT_THROW(make_backbone({.name = "vgg"}, {28, 28, 1}), ShapeError);
  EXPECT_THROW(make_backbone({.name = "densenet", .depth = 99}, colour), ConfigError);
}

TEST(Backbones, OfThePaperHaveTheirTitles) {
  const auto title = [](const BackboneOptions& options) { return backbones().find(options.name).title(options); };
  const auto variant = [](const BackboneOptions& options) { return backbones().find(options.name).variant(options); };

  EXPECT_EQ(title({}), "WRN-40-2");
  EXPECT_EQ(variant({}), "wrn-40-2");
  EXPECT_EQ(title({.name = "resnet18"}), "ResNet-18");
  EXPECT_EQ(title({.name = "densenet", .depth = 100, .growth = 12}), "DenseNet-BC-100-12");
  EXPECT_EQ(variant({.name = "densenet", .depth = 100, .growth = 12}), "densenet-100-12");
  EXPECT_EQ(title({.name = "dhrnet", .width = 4, .units = 4096, .layers = 2}), "DHRNet");
  EXPECT_EQ(title({.name = "dhrnet", .width = 1, .units = 128, .layers = 1}), "DHRNet-1-1-128");
}

/// Everything that lists backbones knows one that was added from outside.
TEST(Backbones, CanBeAddedFromOutside) {
  backbones().add({.name = "one_layer",
                   .explanation = "a single linear layer",
                   .options = {"width"},
                   .variant = [](const BackboneOptions& o) { return "one_layer-" + std::to_string(o.width); },
                   .title = [](const BackboneOptions&) { return std::string("One layer"); },
                   .divides_image = 2,
                   .make = [](const BackboneOptions& o, const nn::ImageShape& input) {
                     nn::Graph graph(input);
                     nn::linear(graph, "layer", graph.input(), {.channels = 3 * o.width});
                     return graph;
                   }});

  const auto options = Config::parse("name = 'one_layer'\nwidth = 5", "test").read<BackboneOptions>();
  const auto graph = make_backbone(options, {4, 4, 1});

  EXPECT_EQ(graph.shape(graph.output()).channels, 15);
  EXPECT_THROW(make_backbone(options, {5, 4, 1}), ShapeError);
  EXPECT_EQ(model_description({.backbone = options, .head = {}}, {{4, 4, 1}, 6}, 15),
            "one_layer-5 on 4x4x1, 15 features, distance head, 6 outputs");
  EXPECT_EQ(readers_of("width"), "a wrn, a dhrnet, a lvae, a one_layer");
  EXPECT_THROW(backbones().add(backbones().find("wrn")), ConfigError);
}

}  // namespace
}  // namespace bcr::models
