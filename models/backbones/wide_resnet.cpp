#include "models/backbones/wide_resnet.hpp"

#include "models/backbones/initial_weights.hpp"
#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/pool.hpp"

#include <fmt/format.h>

namespace bcr::models {
namespace {

using nn::ValueId;

struct Convolution {
  int taps;
  int channels;
  int stride;
};

ValueId add_convolution(nn::Graph& graph, const std::string& name, const ValueId src, const Convolution& of,
                        const WideResNetSettings& settings, const ValueId addend = nn::no_value) {
  const nn::Initializer initial = convolution_weights(settings.initialisation, Initialisation::he_fan_out, of.taps,
                                                      graph.shape(src).channels, of.channels);
  return nn::convolution(graph, name, src,
                         {.channels = of.channels,
                          .taps = of.taps,
                          .window = {.stride = of.stride, .pad = of.taps / 2},
                          .initial = initial},
                         addend);
}

ValueId add_block(nn::Graph& graph, const std::string& name, const ValueId src, const int channels, const int stride,
                  const WideResNetSettings& settings) {
  const ValueId activated = nn::batch_norm(graph, name + ".norm1", src, {});
  const bool projects = graph.shape(src).channels != channels;
  const ValueId shortcut =
      projects ? add_convolution(graph, name + ".shortcut", activated, {1, channels, stride}, settings) : src;
  const ValueId inner = add_convolution(graph, name + ".conv1", activated, {3, channels, stride}, settings);
  const ValueId dropped = nn::batch_norm(graph, name + ".norm2", inner, {.dropout = settings.dropout});
  return add_convolution(graph, name + ".conv2", dropped, {3, channels, 1}, settings, shortcut);
}

}  // namespace

nn::Graph wide_resnet(const nn::ImageShape& input, const WideResNetSettings& settings) {
  require_three_groups({.name = "wrn", .depth = settings.depth}, "");
  require<ConfigError>(settings.width >= 1, "wide_resnet", "a width of at least 1", std::to_string(settings.width));
  const int blocks = (settings.depth - 4) / 6;

  nn::Graph graph(input);
  ValueId value = add_convolution(graph, "conv1", graph.input(), {3, 16, 1}, settings);
  for (int group = 0; group < 3; ++group)
    for (int block = 0; block < blocks; ++block) {
      const std::string name = "group" + std::to_string(group + 1) + ".block" + std::to_string(block + 1);
      const int stride = group > 0 && block == 0 ? 2 : 1;
      value = add_block(graph, name, value, (16 << group) * settings.width, stride, settings);
    }
  nn::global_average_pool(graph, "pool", nn::batch_norm(graph, "norm", value, {}));
  return graph;
}

BackboneEntry wide_resnet_entry() {
  const auto variant = [](const BackboneOptions& o) { return fmt::format("wrn-{}-{}", o.depth, o.width); };
  const auto title = [](const BackboneOptions& o) { return fmt::format("WRN-{}-{}", o.depth, o.width); };
  const auto make = [](const BackboneOptions& o, const nn::ImageShape& input) {
    return wide_resnet(input,
                       {.depth = o.depth, .width = o.width, .dropout = o.dropout, .initialisation = o.initialisation});
  };
  return {.name = "wrn",
          .explanation = "wide residual network (Zagoruyko and Komodakis 2016)",
          .options = {"depth", "width", "dropout", "initialisation"},
          .variant = variant,
          .title = title,
          .check = require_three_groups,
          .make = make};
}

}  // namespace bcr::models
