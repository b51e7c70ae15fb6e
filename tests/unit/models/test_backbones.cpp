#include "models/backbones/conditioned_decoder.hpp"
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

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

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

/// Behind one linear layer of so many features.
nn::Graph decoded(const nn::ImageShape& image, const int features, const ConditionedDecoderSettings& settings) {
  nn::Graph graph(image);
  nn::linear(graph, "features", graph.input(), {.channels = features});
  add_conditioned_decoder(graph, settings);
  return graph;
}

/// For six classes: the published code, less layers that it declares and never uses, and a small one.
TEST(Backbones, OfC2aeHaveDecodersOfThePublishedNumbersOfParameters) {
  const auto of_features = [](const int features) { return std::size_t(features) * (32 * 32 * 3 + 1); };

  EXPECT_EQ(parameter_count(decoded(colour, 512, {.width = 8, .classes = 6})) - of_features(512), 7'879'427u);
  EXPECT_EQ(parameter_count(decoded(colour, 128, {.width = 1, .classes = 6})) - of_features(128), 142'051u);
}

TEST(Backbones, OfC2aeReconstructAnImageForTwoClassesAtOnce) {
  const auto graph = decoded({16, 48, 3}, 7, {.width = 1, .classes = 5});

  EXPECT_EQ(graph.shape(graph.output("features")), (nn::ImageShape{1, 1, 7}));
  EXPECT_EQ(graph.shape(graph.output("reconstructions")), (nn::ImageShape{2 * 16, 48, 3}));
  EXPECT_THROW(decoded({24, 32, 3}, 7, {}), ShapeError);
  EXPECT_THROW(decoded({16, 32, 3}, 7, {.width = 0}), ConfigError);
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

/// By name, how the parameters of a backbone begin.
std::map<std::string, nn::Initializer> beginnings(const BackboneOptions& options) {
  nn::ParameterStore<Exec, float> parameters(nn::Gradients::kept);
  nn::ParameterStore<Exec, float> statistics(nn::Gradients::none);
  const nn::Network<Exec, float> network(make_backbone(options, colour), {.inference_images = 1}, parameters,
                                         statistics, Exec(), Log(LogLevel::off));
  std::map<std::string, nn::Initializer> found;
  for (const nn::ParameterSpec& spec : parameters.specs()) found[spec.name] = spec.initial;
  return found;
}

/// Taps, inputs and outputs of a convolution.
struct Sizes {
  const char* name;
  double taps, inputs, outputs;
};

void expect_convolutions(const BackboneOptions& options, const nn::Fill fill, const std::vector<Sizes>& convolutions) {
  const auto found = beginnings(options);
  for (const auto& [name, taps, inputs, outputs] : convolutions) {
    const nn::Initializer& initial = found.at(std::string(name) + ".weights");
    EXPECT_EQ(initial.fill, fill) << name;
    EXPECT_DOUBLE_EQ(initial.scale, fill == nn::Fill::normal ? std::sqrt(2 / (taps * taps * outputs))
                                                             : 1 / std::sqrt(taps * taps * inputs))
        << name;
  }
}

TEST(Backbones, BeginAsPublishedOrByOneRule) {
  const std::vector<Sizes> wrn{{"conv1", 3, 3, 16},
                               {"group1.block1.conv1", 3, 16, 32},
                               {"group1.block1.shortcut", 1, 16, 32},
                               {"group3.block1.conv2", 3, 128, 128}};
  const std::vector<Sizes> resnet{
      {"conv1", 3, 3, 64}, {"stage2.block1.conv1", 3, 64, 128}, {"stage2.block1.shortcut", 1, 64, 128}};
  const std::vector<Sizes> dense{
      {"conv1", 3, 3, 24}, {"block1.layer2.conv1", 1, 36, 48}, {"transition1.conv", 1, 216, 108}};
  BackboneOptions a{.name = "wrn", .depth = 10, .width = 2}, b{.name = "resnet18"}, c{.name = "densenet", .depth = 100};

  expect_convolutions(a, nn::Fill::normal, wrn);
  expect_convolutions(b, nn::Fill::uniform, resnet);
  expect_convolutions(c, nn::Fill::normal, dense);
  a.initialisation = b.initialisation = c.initialisation = Initialisation::uniform_fan_in;
  expect_convolutions(a, nn::Fill::uniform, wrn);
  expect_convolutions(b, nn::Fill::uniform, resnet);
  expect_convolutions(c, nn::Fill::uniform, dense);
  a.initialisation = b.initialisation = c.initialisation = Initialisation::he_fan_out;
  expect_convolutions(a, nn::Fill::normal, wrn);
  expect_convolutions(b, nn::Fill::normal, resnet);
  expect_convolutions(c, nn::Fill::normal, dense);
}

/// What a tensor must begin as, from the papers: N(0, variance), U(-bound, bound), or one value.
struct Beginning {
  double variance = 0;
  double bound = 0;  ///< of a uniform distribution
  double value = 0;
};

/// fan_in: of the weights that a bias stands beside.
Beginning expected_beginning(const std::string& backbone, const nn::ParameterSpec& spec, const double fan_in,
                             const double fan_out, const double units) {
  const auto uniform = [](const double fan) { return Beginning{.variance = 1 / (3 * fan), .bound = 1 / std::sqrt(fan)}; };
  if (spec.name.ends_with(".gamma")) return {.value = 1};
  if (spec.name.ends_with(".slope")) return {.value = 0.25};
  if (spec.name.ends_with(".beta")) return {};
  if (spec.name == "head.anchors" || spec.name == "embedding.table") return {.variance = 1};
  if (backbone == "gru") return uniform(units);
  const bool he = backbone == "wrn" || backbone == "densenet";
  return he ? Beginning{.variance = 2 / fan_out} : uniform(fan_in);
}

void expect_beginning(const std::vector<float>& values, const Beginning& expected, const std::string& name) {
  if (expected.variance == 0) {
    for (const float value : values) ASSERT_EQ(value, expected.value) << name;
    return;
  }
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0, largest = 0;
  for (const double value : values) {
    sum += value / count;
    squares += value * value / count;
    largest = std::max(largest, std::abs(value));
  }
  // Five standard errors; the fourth moment of a normal distribution is 3 variance^2, of a uniform one 9/5.
  const double spread = expected.bound > 0 ? 0.8 : 2;
  EXPECT_NEAR(sum, 0, 5 * std::sqrt(expected.variance / count)) << name;
  EXPECT_NEAR(squares / expected.variance, 1, 5 * std::sqrt(spread / count)) << name;
  EXPECT_TRUE(expected.bound == 0 || largest <= expected.bound * (1 + 0x1p-20)) << name << ", " << largest;
}

TEST(Backbones, BeginAtThePublishedScales) {
  const std::vector<BackboneOptions> all{{.name = "wrn", .depth = 16, .width = 4},
                                         {.name = "densenet", .depth = 40, .growth = 12},
                                         {.name = "resnet18"},
                                         {.name = "vgg"},
                                         {.name = "dhrnet", .width = 1, .units = 128, .layers = 1},
                                         {.name = "lvae", .width = 1, .units = 32, .layers = 1},
                                         {.name = "gru"}};
  for (const std::string& name : backbones().names()) {
    const bool is_here = std::any_of(all.begin(), all.end(), [&](const auto& o) { return o.name == name; });
    EXPECT_TRUE(is_here || name == "one_layer") << name << " is not in this test";
  }
  for (const BackboneOptions& options : all) {
    SCOPED_TRACE(options.name);
    const nn::ImageShape shape = options.name == "gru" ? nn::ImageShape{1, 5, 1} : colour;
    Model<Exec, float> model({.backbone = options, .head = {}}, {shape, 6},
                             {.training_images = 1, .inference_images = 1}, 3, Exec(), Log(LogLevel::off));
    const auto& parameters = model.parameters();
    double fan_in = 0, fan_out = 0;
    for (std::size_t id = 0; id < parameters.slices().size(); ++id) {
      const nn::ParameterSpec& spec = parameters.specs()[id];
      if (spec.name.starts_with("grow") && spec.extents.size() == 4) {  // transposed, [KH, KW, OC, IC], without overlap
        fan_in = static_cast<double>(spec.extents[3]);
      } else if (spec.name.starts_with("down") && spec.extents.size() == 4) {  // likewise, by the rule of convolutions
        fan_in = static_cast<double>(spec.extents[0] * spec.extents[1] * spec.extents[3]);
      } else if (spec.extents.size() == 4) {  // [KH, KW, IC, OC]
        fan_in = static_cast<double>(spec.extents[0] * spec.extents[1] * spec.extents[2]);
        fan_out = static_cast<double>(spec.extents[0] * spec.extents[1] * spec.extents[3]);
      } else if (spec.extents.size() == 2) {
        fan_in = static_cast<double>(spec.extents[1]);
      }
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), parameters.values(static_cast<int>(id)));
      expect_beginning({host.data(), host.data() + host.size()},
                       expected_beginning(options.name, spec, fan_in, fan_out, options.units), spec.name);
    }
  }
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
