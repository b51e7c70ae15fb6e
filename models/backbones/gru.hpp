#ifndef BCR_MODELS_BACKBONES_GRU_HPP
#define BCR_MODELS_BACKBONES_GRU_HPP

#include "models/backbones/registry.hpp"
#include "src/nn/graph.hpp"

namespace bcr::models {

struct GruSettings {
  int vocabulary = 10'002;
  int embedding = 50;
  int units = 128;
  int layers = 2;
};

/// The text model of outlier exposure (Hendrycks et al. 2019): vectors of words from N(0, 1), that of padding zero and
/// not trained, then layers of gated recurrent units whose numbers begin in U(-b, b), b = 1 / sqrt(units). Features:
/// the last state of the top layer, in (-1, 1). Input: "tokens" {1, L, 1}, left-padded (io/text/vocabulary.hpp).
nn::Graph gru(const nn::ImageShape& input, const GruSettings& settings);

BackboneEntry gru_entry();

}  // namespace bcr::models

#endif
