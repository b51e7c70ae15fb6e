#include "models/backbones/gru.hpp"

#include "models/backbones/initial_weights.hpp"
#include "src/nn/layers/embedding.hpp"
#include "src/nn/layers/gru.hpp"

#include <fmt/format.h>

namespace bcr::models {

nn::Graph gru(const nn::ImageShape& input, const GruSettings& settings) {
  require<ConfigError>(settings.layers > 0, "gru", "a layer or more", std::to_string(settings.layers));
  constexpr std::int32_t padding = 1;
  nn::Graph graph;
  const nn::ValueId tokens = graph.add_input("tokens", input, nn::Element::token);
  nn::ValueId value = nn::embedding(graph, "embedding", tokens,
                                    {.vocabulary = settings.vocabulary,
                                     .channels = settings.embedding,
                                     .padding = padding,
                                     .initial = {nn::Fill::normal, 1.0}});
  for (int layer = 1; layer <= settings.layers; ++layer)
    value = nn::gru(graph, "gru" + std::to_string(layer), value, tokens,
                    {.units = settings.units,
                     .result = layer < settings.layers ? nn::GruResult::sequence : nn::GruResult::last,
                     .padding = padding,
                     .initial = uniform_fan_in(settings.units)});
  return graph;
}

BackboneEntry gru_entry() {
  const auto variant = [](const BackboneOptions& o) {
    return fmt::format("gru-{}-{}-{}-{}", o.vocabulary, o.embedding, o.units, o.layers);
  };
  const auto title = [](const BackboneOptions& o) { return fmt::format("GRU-{}x{}", o.layers, o.units); };
  const auto make = [](const BackboneOptions& o, const nn::ImageShape& input) {
    return gru(input,
               {.vocabulary = o.vocabulary, .embedding = o.embedding, .units = o.units, .layers = o.layers});
  };
  return {.name = "gru",
          .explanation = "gated recurrent units on words (Hendrycks et al. 2019)",
          .options = {"vocabulary", "embedding", "units", "layers"},
          .variant = variant,
          .title = title,
          .input = BackboneInput::tokens,
          .make = make};
}

}  // namespace bcr::models
