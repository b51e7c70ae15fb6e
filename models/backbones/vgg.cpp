#include "models/backbones/vgg.hpp"

#include "models/backbones/initial_weights.hpp"
#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/linear.hpp"
#include "src/nn/layers/pool.hpp"

#include <array>

namespace bcr::models {
namespace {

using nn::ValueId;

ValueId add_convolution(nn::Graph& graph, const std::string& name, const ValueId src, const int channels) {
  const nn::Convolution settings{.channels = channels,
                                 .bias = nn::Bias::added,
                                 .initial = uniform_fan_in(9.0 * graph.shape(src).channels)};
  return nn::batch_norm(graph, name + ".norm", nn::convolution(graph, name, src, settings), {});
}

ValueId add_linear(nn::Graph& graph, const std::string& name, const ValueId src, const int channels) {
  return nn::linear(graph, name, src,
                      {.channels = channels,
                       .activation = nn::Activation::relu,
                       .initial = uniform_fan_in(static_cast<double>(graph.shape(src).size()))});
}

}  // namespace

nn::Graph vgg(const nn::ImageShape& input) {
  constexpr std::array<std::pair<int, int>, 3> stages{{{2, 64}, {2, 128}, {4, 256}}};

  nn::Graph graph(input);
  ValueId value = graph.input();
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    const std::string name = "stage" + std::to_string(stage + 1);
    for (int i = 1; i <= stages[stage].first; ++i)
      value = add_convolution(graph, name + ".conv" + std::to_string(i), value, stages[stage].second);
    value = nn::max_pool(graph, name + ".pool", value, {});
  }
  value = add_linear(graph, "fc4", value, 1024);
  add_linear(graph, "fc5", value, 1024);
  return graph;
}

BackboneEntry vgg_entry() {
  return {.name = "vgg",
          .explanation = "VGG of the AOSR experiments (Fang et al. 2021)",
          .options = {},
          .variant = [](const BackboneOptions&) { return std::string("vgg"); },
          .title = [](const BackboneOptions&) { return std::string("VGG"); },
          .divides_image = 8,
          .make = [](const BackboneOptions&, const nn::ImageShape& input) { return vgg(input); }};
}

}  // namespace bcr::models
