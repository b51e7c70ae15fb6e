#include "models/backbones/densenet.hpp"

#include "models/backbones/initial_weights.hpp"
#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/concatenate.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/pool.hpp"

#include <fmt/format.h>

namespace bcr::models {
namespace {

using nn::ValueId;

ValueId add_convolution(nn::Graph& graph, const std::string& name, const ValueId src, const int taps,
                        const int channels, const DenseNetSettings& settings) {
  const nn::Initializer initial = convolution_weights(settings.initialisation, Initialisation::he_fan_out, taps,
                                                      graph.shape(src).channels, channels);
  return nn::convolution(
      graph, name, src,
      {.channels = channels, .taps = taps, .window = {.stride = 1, .pad = taps / 2}, .initial = initial});
}

/// All pieces of a block side by side, normalised.
ValueId add_joined_norm(nn::Graph& graph, const std::string& name, const std::vector<ValueId>& pieces) {
  const ValueId all = pieces.size() == 1 ? pieces.front() : nn::concatenate(graph, name + ".joined", pieces);
  return nn::batch_norm(graph, name, all, {});
}

ValueId add_layer(nn::Graph& graph, const std::string& name, const std::vector<ValueId>& pieces,
                  const DenseNetSettings& settings) {
  const ValueId read = add_joined_norm(graph, name + ".norm1", pieces);
  const ValueId inner = add_convolution(graph, name + ".conv1", read, 1, 4 * settings.growth, settings);
  return add_convolution(graph, name + ".conv2", nn::batch_norm(graph, name + ".norm2", inner, {}), 3, settings.growth,
                         settings);
}

ValueId add_transition(nn::Graph& graph, const std::string& name, const std::vector<ValueId>& pieces,
                       const DenseNetSettings& settings) {
  const ValueId read = add_joined_norm(graph, name + ".norm", pieces);
  const ValueId narrow = add_convolution(graph, name + ".conv", read, 1, graph.shape(read).channels / 2, settings);
  return nn::average_pool(graph, name + ".pool", narrow, {});
}

}  // namespace

nn::Graph densenet(const nn::ImageShape& input, const DenseNetSettings& settings) {
  require_three_groups({.name = "densenet", .depth = settings.depth}, "");
  require<ConfigError>(settings.growth >= 1, "densenet", "a growth of at least 1", std::to_string(settings.growth));
  const int layers = (settings.depth - 4) / 6;

  nn::Graph graph(input);
  std::vector<ValueId> pieces{add_convolution(graph, "conv1", graph.input(), 3, 2 * settings.growth, settings)};
  for (int block = 1; block <= 3; ++block) {
    for (int layer = 1; layer <= layers; ++layer)
      pieces.push_back(add_layer(graph, fmt::format("block{}.layer{}", block, layer), pieces, settings));
    if (block < 3) pieces = {add_transition(graph, fmt::format("transition{}", block), pieces, settings)};
  }
  nn::global_average_pool(graph, "pool", add_joined_norm(graph, "norm", pieces));
  return graph;
}

BackboneEntry densenet_entry() {
  const auto variant = [](const BackboneOptions& o) { return fmt::format("densenet-{}-{}", o.depth, o.growth); };
  const auto title = [](const BackboneOptions& o) { return fmt::format("DenseNet-BC-{}-{}", o.depth, o.growth); };
  const auto make = [](const BackboneOptions& o, const nn::ImageShape& input) {
    return densenet(input, {.depth = o.depth, .growth = o.growth, .initialisation = o.initialisation});
  };
  return {.name = "densenet",
          .explanation = "dense network with bottlenecks and compression, DenseNet-BC (Huang et al. 2017)",
          .options = {"depth", "growth", "initialisation"},
          .variant = variant,
          .title = title,
          .check = require_three_groups,
          .make = make};
}

}  // namespace bcr::models
