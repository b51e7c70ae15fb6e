#include "models/backbones/dhrnet.hpp"

#include "models/backbones/initial_weights.hpp"
#include "src/nn/layers/add.hpp"
#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/concatenate.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/curves.hpp"
#include "src/nn/layers/dropout.hpp"
#include "src/nn/layers/linear.hpp"
#include "src/nn/layers/pool.hpp"
#include "src/nn/layers/transposed_convolution.hpp"

#include <fmt/format.h>

#include <array>

namespace bcr::models {
namespace {

using nn::ValueId;

ValueId add_padded_convolution(nn::Graph& graph, const std::string& name, const ValueId src, const int channels) {
  return nn::convolution(graph, name, src,
                         {.channels = channels,
                          .bias = nn::Bias::added,
                          .initial = uniform_fan_in(9.0 * graph.shape(src).channels)});
}

ValueId add_dropout(nn::Graph& graph, const std::string& name, const ValueId src, const double rate) {
  return rate > 0 ? nn::dropout(graph, name, src, {.rate = rate}) : src;
}

ValueId add_block(nn::Graph& graph, const std::string& name, ValueId value, const int layers, const int channels,
                  const double dropout) {
  for (int i = 1; i <= layers; ++i) {
    const std::string layer = fmt::format("{}.conv{}", name, i);
    value = nn::batch_norm(graph, layer + ".norm", add_padded_convolution(graph, layer, value, channels), {});
  }
  return add_dropout(graph, name + ".dropout", nn::max_pool(graph, name + ".pool", value, {}), dropout);
}

ValueId add_linear(nn::Graph& graph, const std::string& name, const ValueId src, const DhrNetSettings& settings) {
  const ValueId value = nn::linear(graph, name, src,
                                   {.channels = settings.units,
                                    .activation = nn::Activation::relu,
                                    .initial = uniform_fan_in(static_cast<double>(graph.shape(src).size()))});
  return add_dropout(graph, name + ".dropout", value, settings.dropout);
}

/// Twice the height and width. Windows do not overlap, so a pixel of the result is a sum over the channels of src.
ValueId add_growth(nn::Graph& graph, const std::string& name, const ValueId src, const int channels) {
  return nn::transposed_convolution(graph, name, src,
                                    {.channels = channels,
                                     .taps = 2,
                                     .window = {.stride = 2, .pad = 0},
                                     .bias = nn::Bias::added,
                                     .initial = uniform_fan_in(static_cast<double>(graph.shape(src).channels))});
}

}  // namespace

nn::Graph dhrnet(const nn::ImageShape& input, const DhrNetSettings& settings) {
  const auto& [width, layers, units, dropout] = settings;
  require<ConfigError>(width >= 1 && layers >= 1 && units >= 1, "dhrnet", "width, layers and units of at least 1",
                       fmt::format("{}, {} and {}", width, layers, units));
  nn::Graph graph(input);
  std::array<ValueId, 3> block{};
  for (int l = 0; l < 3; ++l)
    block[l] = add_block(graph, fmt::format("block{}", l + 1), l == 0 ? graph.input() : block[l - 1],
                         l == 2 ? 2 * layers - 1 : layers, (16 << l) * width, dropout / 2);
  const ValueId features = add_linear(graph, "fc5", add_linear(graph, "fc4", block[2], settings), settings);

  std::vector<ValueId> means;
  ValueId grown = nn::no_value;
  for (int l = 2; l >= 0; --l) {
    const std::string number = std::to_string(l + 1);
    const ValueId bottleneck =
        nn::relu(graph, "latent" + number, add_padded_convolution(graph, "narrow" + number, block[l], 8 * width));
    // After what it is added to: both share a gradient, which the ReLU of the other changes in place.
    ValueId back = add_padded_convolution(graph, "widen" + number, bottleneck, (16 << l) * width);
    // After the other consumer of the bottleneck: a pool begins the gradient of its source and cannot add to it.
    means.push_back(nn::global_average_pool(graph, "mean" + number, bottleneck));
    if (l < 2) back = nn::add(graph, "join" + number, back, grown, nn::Activation::none);
    grown = add_growth(graph, "grow" + number, back, l == 0 ? input.channels : (8 << l) * width);
    if (l > 0) grown = nn::relu(graph, "grow" + number + ".relu", grown);
  }
  graph.name_output("features", features);
  graph.name_output("latent", nn::concatenate(graph, "latent", means));
  graph.name_output("reconstruction", grown);
  return graph;
}

BackboneEntry dhrnet_entry() {
  const auto variant = [](const BackboneOptions& o) {
    return fmt::format("dhrnet-{}-{}-{}", o.width, o.layers, o.units);
  };
  const auto title = [](const BackboneOptions& o) {
    const bool published = o.width == 4 && o.layers == 2 && o.units == 4096;
    return published ? std::string("DHRNet") : fmt::format("DHRNet-{}-{}-{}", o.width, o.layers, o.units);
  };
  const auto make = [](const BackboneOptions& o, const nn::ImageShape& input) {
    return dhrnet(input, {.width = o.width, .layers = o.layers, .units = o.units, .dropout = o.dropout});
  };
  return {.name = "dhrnet",
          .explanation = "VGG with bottlenecks and a decoder, the network of CROSR (Yoshihashi et al. 2019)",
          .options = {"width", "dropout", "units", "layers"},
          .variant = variant,
          .title = title,
          .divides_image = 8,
          .make = make};
}

}  // namespace bcr::models
