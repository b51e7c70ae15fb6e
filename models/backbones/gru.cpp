#include "models/backbones/gru.hpp"

#include "models/backbones/initial_weights.hpp"
#include "src/nn/layers/embedding.hpp"
#include "src/nn/layers/gru.hpp"

namespace bcr::models {

nn::Graph gru(const nn::ImageShape& input, const GruSettings& settings) {
  require<ConfigError>(settings.layers > 0, "gru", "a layer or more", std::to_string(settings.layers));
  nn::Graph graph;
  const nn::ValueId tokens = graph.add_input("tokens", input, nn::Element::token);
  nn::ValueId value = nn::embedding(graph, "embedding", tokens,
                                    {.vocabulary = settings.vocabulary,
                                     .channels = settings.embedding,
                                     .padding = 1,
                                     .initial = {nn::Fill::normal, 1.0}});
  for (int layer = 1; layer <= settings.layers; ++layer)
    value = nn::gru(graph, "gru" + std::to_string(layer), value, tokens,
                    {.units = settings.units,
                     .result = layer < settings.layers ? nn::GruResult::sequence : nn::GruResult::last,
                     .initial = uniform_fan_in(settings.units)});
  return graph;
}

}  // namespace bcr::models
