#include "models/backbones/conditioned_decoder.hpp"

#include "models/backbones/initial_weights.hpp"
#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/film.hpp"
#include "src/nn/layers/leaky_relu.hpp"
#include "src/nn/layers/reshape.hpp"
#include "src/nn/layers/transposed_convolution.hpp"

#include <string>

namespace bcr::models {
namespace {

using nn::ValueId;

constexpr int growth = 16;  // four times two

/// Twice the height and width. A number of the result is a sum over 2 x 2 pixels of src.
ValueId add_growth(nn::Graph& graph, const std::string& name, const ValueId src, const int channels,
                   const nn::Bias bias) {
  return nn::transposed_convolution(graph, name, src,
                                    {.channels = channels,
                                     .bias = bias,
                                     .initial = uniform_fan_in(4.0 * graph.shape(src).channels),
                                     .stacked = decoded_conditions});
}

}  // namespace

void add_conditioned_decoder(nn::Graph& graph, const ConditionedDecoderSettings& settings) {
  const auto& [w, classes] = settings;
  const nn::ImageShape image = graph.shape(graph.input());
  const ValueId features = graph.output("features");
  require<ConfigError>(w >= 1 && classes >= 1, "conditioned decoder", "a width and a class of at least 1",
                       std::to_string(w) + " and " + std::to_string(classes));
  if (image.height % growth != 0 || image.width % growth != 0)
    throw ShapeError("conditioned decoder", "images whose height and width 16 divides", image.text());

  const nn::ImageShape least{image.height / growth, image.width / growth, 64 * w};
  const ValueId vectors = nn::film(graph, "decoder.film", features,
                                   {.classes = classes,
                                    .conditions = decoded_conditions,
                                    .initial = uniform_fan_in(static_cast<double>(classes))});
  // A linear layer for each condition: they stand one under the other, like pixels.
  const ValueId wide = nn::convolution(graph, "decoder.widen", vectors,
                                       {.channels = static_cast<int>(least.size()),
                                        .taps = 1,
                                        .window = {.stride = 1, .pad = 0},
                                        .initial = uniform_fan_in(static_cast<double>(graph.shape(vectors).channels))});
  const nn::ImageShape stacked{decoded_conditions * least.height, least.width, least.channels};
  ValueId map = nn::reshape(graph, "decoder.map", wide, stacked);
  int number = 1;
  for (const int channels : {64 * w, 32 * w, 16 * w}) {
    const std::string name = "decoder.grow" + std::to_string(number++);
    map = add_growth(graph, name, map, channels, nn::Bias::none);
    map = nn::leaky_relu(graph, name + ".bend", map, {.slope = 0.01});
    map = nn::batch_norm(graph, name + ".norm", map, {.activation = nn::Activation::none});
  }
  map = add_growth(graph, "decoder.grow4", map, image.channels, nn::Bias::added);
  if (graph.output("features") != features) graph.name_output("features", features);
  graph.name_output("reconstructions", map);
}

}  // namespace bcr::models
