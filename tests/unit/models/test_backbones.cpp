#include "models/backbones/densenet.hpp"
#include "models/backbones/dhrnet.hpp"
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
    for (std::size_t id = 0; id < parameters.entries().size(); ++id) {
      const nn::ParameterSpec& spec = parameters.entries()[id].spec;
      if (spec.name.starts_with("grow") && spec.extents.size() == 4) {  // transposed, [KH, KW, OC, IC], without overlap
        fan_in = static_cast<double>(spec.extents[3]);
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
  EXPECT_EQ(readers_of("width"), "a wrn, a dhrnet, a one_layer");
  EXPECT_THROW(backbones().add(backbones().find("wrn")), ConfigError);
}

}  // namespace
}  // namespace bcr::models
