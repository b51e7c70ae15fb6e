#ifndef BCR_MODELS_BACKBONES_OPTIONS_HPP
#define BCR_MODELS_BACKBONES_OPTIONS_HPP

#include "src/core/config.hpp"

#include <string>

namespace bcr::models {

/// What the section [model] says of the backbone.
struct BackboneOptions {
  std::string name = "wrn";
  int depth = 40;
  int width = 2;
  double dropout = 0.3;
  int vocabulary = 10'002;
  int embedding = 50;
  int units = 128;
  int layers = 2;

  bool operator==(const BackboneOptions&) const = default;
};

template <class V>
void describe(V& v, BackboneOptions& o) {
  v("name", o.name, "backbone", must_be::one_of({"wrn", "resnet18", "vgg", "gru"}));
  v("depth", o.depth, "layers of a wrn: 6 N + 4", must_be::at_least(10));
  v("width", o.width, "factor on the channels of a wrn", must_be::at_least(1));
  v("dropout", o.dropout, "share of activations that a wrn drops in training", must_be::fraction_below_one());
  v("vocabulary", o.vocabulary, "tokens that a gru knows, <unk> and <pad> among them", must_be::at_least(3));
  v("embedding", o.embedding, "numbers per word of a gru", must_be::at_least(1));
  v("units", o.units, "states of a layer of a gru", must_be::at_least(1));
  v("layers", o.layers, "recurrent layers of a gru", must_be::at_least(1));
}

}  // namespace bcr::models

#endif
