#include "models/backbones/resnet18.hpp"

#include "models/backbones/initial_weights.hpp"
#include "src/nn/layers/add.hpp"
#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/pool.hpp"

namespace bcr::models {
namespace {

using nn::Activation;
using nn::ValueId;

ValueId add_convolution(nn::Graph& graph, const std::string& name, const ValueId src, const int taps,
                        const int channels, const int stride, const Initialisation initialisation) {
  const nn::Initializer initial =
      convolution_weights(initialisation, Initialisation::uniform_fan_in, taps, graph.shape(src).channels, channels);
  return nn::convolution(
      graph, name, src,
      {.channels = channels, .taps = taps, .window = {.stride = stride, .pad = taps / 2}, .initial = initial});
}

ValueId add_block(nn::Graph& graph, const std::string& name, const ValueId src, const int channels, const int stride,
                  const Initialisation initialisation) {
  ValueId shortcut = src;
  if (stride != 1 || graph.shape(src).channels != channels) {
    const ValueId projected = add_convolution(graph, name + ".shortcut", src, 1, channels, stride, initialisation);
    shortcut = nn::batch_norm(graph, name + ".shortcut_norm", projected, {.activation = Activation::none});
  }
  ValueId value = add_convolution(graph, name + ".conv1", src, 3, channels, stride, initialisation);
  value = nn::batch_norm(graph, name + ".norm1", value, {});
  value = add_convolution(graph, name + ".conv2", value, 3, channels, 1, initialisation);
  value = nn::batch_norm(graph, name + ".norm2", value, {.activation = Activation::none});
  return nn::add(graph, name + ".add", value, shortcut, Activation::relu);
}

}  // namespace

nn::Graph resnet18(const nn::ImageShape& input, const Initialisation initialisation) {
  nn::Graph graph(input);
  ValueId value = add_convolution(graph, "conv1", graph.input(), 3, 64, 1, initialisation);
  value = nn::batch_norm(graph, "norm1", value, {});
  for (int stage = 0; stage < 4; ++stage)
    for (int block = 0; block < 2; ++block) {
      const std::string name = "stage" + std::to_string(stage + 1) + ".block" + std::to_string(block + 1);
      value = add_block(graph, name, value, 64 << stage, stage > 0 && block == 0 ? 2 : 1, initialisation);
    }
  nn::global_average_pool(graph, "pool", value);
  return graph;
}

BackboneEntry resnet18_entry() {
  return {
      .name = "resnet18",
      .explanation = "residual network of 18 layers (He et al. 2016)",
      .options = {"initialisation"},
      .variant = [](const BackboneOptions&) { return std::string("resnet18"); },
      .title = [](const BackboneOptions&) { return std::string("ResNet-18"); },
      .make = [](const BackboneOptions& o, const nn::ImageShape& input) { return resnet18(input, o.initialisation); }};
}

}  // namespace bcr::models
