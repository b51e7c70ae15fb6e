#include "models/backbones/ladder_vae.hpp"

#include "models/backbones/initial_weights.hpp"
#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/concatenate.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/curves.hpp"
#include "src/nn/layers/gaussian.hpp"
#include "src/nn/layers/leaky_relu.hpp"
#include "src/nn/layers/linear.hpp"
#include "src/nn/layers/reshape.hpp"
#include "src/nn/layers/transposed_convolution.hpp"

#include <fmt/format.h>

namespace bcr::models {
namespace {

using nn::ValueId;

constexpr nn::LeakyRelu prelu{.slope = 0.25, .kind = nn::Slope::learned};

/// What a unit is made from.
struct Unit {
  std::string number;  ///< "3_2": the second of the third level
  int channels;
  int taps;
  int stride;
  int coordinates;  ///< of its Gaussian
};

/// A unit on the way up as it stands in the graph.
struct Rung {
  Unit unit;
  nn::ImageShape map;  ///< of h
  ValueId gaussian;
};

std::vector<Unit> units_of(const LadderVaeSettings& settings) {
  const auto& [width, layers, d] = settings;
  std::vector<Unit> units;
  const int levels = layers == 2 ? 5 : 3;
  for (int level = 1; level <= levels; ++level) {
    const int channels = 16 * width << std::min(level - 1, 3);
    const int coordinates = layers == 2 ? d << (levels - level) : level == levels ? d : 2 * d;
    if (layers == 2)
      units.push_back({fmt::format("{}_1", level), channels, level == 1 ? 1 : 3, 1, coordinates});
    units.push_back({fmt::format("{}_{}", level, layers), channels, 3, 2, coordinates});
  }
  return units;
}

ValueId add_gaussian_linear(nn::Graph& graph, const std::string& name, const ValueId src, const int channels) {
  return nn::linear(graph, name, src,
                    {.channels = channels,
                     .initial = uniform_fan_in(static_cast<double>(graph.shape(src).size()))});
}

ValueId add_norm(nn::Graph& graph, const std::string& name, const ValueId src) {
  return nn::batch_norm(graph, name, src, {.activation = nn::Activation::none, .affine = nn::Affine::none});
}

ValueId add_up(nn::Graph& graph, const Unit& unit, const ValueId src) {
  const std::string name = "up" + unit.number;
  const ValueId map = nn::convolution(graph, name, src,
                                      {.channels = unit.channels,
                                       .taps = unit.taps,
                                       .window = {.stride = unit.stride, .pad = unit.taps / 2},
                                       .bias = nn::Bias::added,
                                       .initial = uniform_fan_in(double(unit.taps) * unit.taps *
                                                                 graph.shape(src).channels)});
  return nn::leaky_relu(graph, name + ".prelu", add_norm(graph, name + ".norm", map), prelu);
}

/// From a sample of the Gaussian of a unit to a map of the size of that unit's source.
ValueId add_down(nn::Graph& graph, const Rung& rung, const ValueId sample, const int channels) {
  const std::string name = "down" + rung.unit.number;
  const ValueId wide = add_gaussian_linear(graph, name + ".widen", sample, static_cast<int>(rung.map.size()));
  const ValueId map =
      nn::leaky_relu(graph, name + ".prelu", nn::reshape(graph, name + ".map", wide, rung.map), prelu);
  const int taps = rung.unit.stride;
  return nn::transposed_convolution(graph, name, map,
                                    {.channels = channels,
                                     .taps = taps,
                                     .window = {.stride = rung.unit.stride, .pad = 0},
                                     .bias = nn::Bias::added,
                                     .initial = uniform_fan_in(double(taps) * taps * rung.map.channels)});
}

}  // namespace

nn::Graph ladder_vae(const nn::ImageShape& input, const LadderVaeSettings& settings) {
  const auto& [width, layers, d] = settings;
  require<ConfigError>(width >= 1 && d >= 1, "lvae", "width and units of at least 1",
                       fmt::format("{} and {}", width, d));
  require<ConfigError>(layers == 1 || layers == 2, "lvae", "1 or 2 layers", std::to_string(layers));
  const int divisor = layers == 2 ? 32 : 8;
  if (input.height % divisor != 0 || input.width % divisor != 0)
    throw ShapeError("lvae", fmt::format("images whose height and width {} divides", divisor), input.text());

  nn::Graph graph(input);
  std::vector<Rung> rungs;
  ValueId map = graph.input();
  for (const Unit& unit : units_of(settings)) {
    map = add_up(graph, unit, map);
    rungs.push_back({unit, graph.shape(map), add_gaussian_linear(graph, "up" + unit.number + ".gaussian", map,
                                                        2 * unit.coordinates)});
  }
  const ValueId features = nn::gaussian_sample(graph, "top", rungs.back().gaussian);

  std::vector<ValueId> divergences;
  ValueId sample = features;
  for (std::size_t i = rungs.size() - 1; i > 0; --i) {
    const Rung& below = rungs[i - 1];
    const std::string name = "down" + rungs[i].unit.number;
    const ValueId grown = add_norm(graph, name + ".norm", add_down(graph, rungs[i], sample, below.map.channels));
    const ValueId expected = add_gaussian_linear(graph, name + ".gaussian", grown, 2 * below.unit.coordinates);
    const nn::JoinedValues joined = nn::gaussian_join(graph, "join" + below.unit.number, below.gaussian, expected);
    divergences.push_back(joined.divergence);
    sample = joined.sample;
  }
  const ValueId image = nn::tanh(graph, "image", add_down(graph, rungs.front(), sample, input.channels));
  graph.name_output("features", features);
  graph.name_output("top", rungs.back().gaussian);
  graph.name_output("divergence", nn::concatenate(graph, "divergence", divergences));
  graph.name_output("reconstruction", image);
  return graph;
}

BackboneEntry ladder_vae_entry() {
  const auto variant = [](const BackboneOptions& o) {
    return fmt::format("lvae-{}-{}-{}", o.width, o.layers, o.units);
  };
  const auto title = [](const BackboneOptions& o) {
    return fmt::format("ladder VAE {}-{}-{}", o.width, o.layers, o.units);
  };
  const auto check = [](const BackboneOptions& o, const std::string& section) {
    if (o.layers != 1 && o.layers != 2)
      throw ConfigError(section + "layers", "1 or 2 units in each level of an lvae", std::to_string(o.layers));
  };
  const auto make = [](const BackboneOptions& o, const nn::ImageShape& input) {
    return ladder_vae(input, {.width = o.width, .layers = o.layers, .units = o.units});
  };
  return {.name = "lvae",
          .explanation = "ladder VAE, the network of CGDL (Sun et al. 2020)",
          .options = {"width", "units", "layers"},
          .variant = variant,
          .title = title,
          .check = check,
          .divides_image = 8,
          .make = make};
}

}  // namespace bcr::models
