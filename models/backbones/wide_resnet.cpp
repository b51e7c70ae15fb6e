#include "models/backbones/wide_resnet.hpp"

#include "models/backbones/initial_weights.hpp"

namespace bcr::models {
namespace {

using nn::ValueId;

nn::Convolution convolution(const int taps, const int channels, const int stride) {
  return {.channels = channels,
          .taps = taps,
          .window = {.stride = stride, .pad = taps / 2},
          .initial = he_fan_out(taps, channels)};
}

ValueId add_block(nn::Graph& graph, const std::string& name, const ValueId src, const int channels, const int stride,
                  const double dropout) {
  const ValueId activated = graph.batch_norm(name + ".norm1", src, {});
  const bool projects = graph.shape(src).channels != channels;
  const ValueId shortcut =
      projects ? graph.convolution(name + ".shortcut", activated, convolution(1, channels, stride)) : src;
  const ValueId inner = graph.convolution(name + ".conv1", activated, convolution(3, channels, stride));
  const ValueId dropped = graph.batch_norm(name + ".norm2", inner, {.dropout = dropout});
  return graph.convolution(name + ".conv2", dropped, convolution(3, channels, 1), shortcut);
}

}  // namespace

nn::Graph wide_resnet(const nn::ImageShape& input, const WideResNetSettings& settings) {
  require<ConfigError>(settings.depth >= 10 && settings.depth % 6 == 4, "wide_resnet", "a depth of 10, 16, 22, 28, ...",
                       std::to_string(settings.depth));
  require<ConfigError>(settings.width >= 1, "wide_resnet", "a width of at least 1", std::to_string(settings.width));
  const int blocks = (settings.depth - 4) / 6;

  nn::Graph graph(input);
  ValueId value = graph.convolution("conv1", graph.input(), convolution(3, 16, 1));
  for (int group = 0; group < 3; ++group)
    for (int block = 0; block < blocks; ++block) {
      const std::string name = "group" + std::to_string(group + 1) + ".block" + std::to_string(block + 1);
      const int stride = group > 0 && block == 0 ? 2 : 1;
      value = add_block(graph, name, value, (16 << group) * settings.width, stride, settings.dropout);
    }
  graph.global_average_pool("pool", graph.batch_norm("norm", value, {}));
  return graph;
}

}  // namespace bcr::models
