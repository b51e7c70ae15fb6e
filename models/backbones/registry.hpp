#ifndef BCR_MODELS_BACKBONES_REGISTRY_HPP
#define BCR_MODELS_BACKBONES_REGISTRY_HPP

#include "src/core/config.hpp"
#include "src/core/registry.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bcr::nn {
class Graph;
struct ImageShape;
}  // namespace bcr::nn

namespace bcr::models {

/// How the convolutions of a backbone begin: as in its published runs, or all by one rule (initial_weights.hpp).
enum class Initialisation { published, he_fan_out, uniform_fan_in };

constexpr auto enum_names(Initialisation) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"published"sv, Initialisation::published},
                    std::pair{"he_fan_out"sv, Initialisation::he_fan_out},
                    std::pair{"uniform_fan_in"sv, Initialisation::uniform_fan_in}};
}

/// What the section [model] says of the backbone.
struct BackboneOptions {
  std::string name = "wrn";
  int depth = 40;
  int width = 2;
  int growth = 12;
  double dropout = 0.3;
  Initialisation initialisation = Initialisation::published;
  int vocabulary = 10'002;
  int embedding = 50;
  int units = 128;
  int layers = 2;

  bool operator==(const BackboneOptions&) const = default;
};

/// What a backbone reads: images [H, W, C], or sequences of L tokens as {1, L, 1}.
enum class BackboneInput { images, tokens };

/// The whole description of a backbone.
struct BackboneEntry {
  std::string name;         ///< "wrn"
  std::string explanation;  ///< "wide residual network (Zagoruyko and Komodakis 2016)"
  std::vector<std::string> options;  ///< the keys of [model] that it reads; all others mean nothing to it

  /// "wrn-40-2": equal for backbones whose tensors fit each other.
  std::string (*variant)(const BackboneOptions&);
  /// "WRN-40-2", as papers write it.
  std::string (*title)(const BackboneOptions&);
  /// Throws a ConfigError that names `section` + key for options that do not fit together. May be null.
  void (*check)(const BackboneOptions&, const std::string& section) = nullptr;
  BackboneInput input = BackboneInput::images;
  int divides_image = 1;  ///< what must divide the height and width of an image
  nn::Graph (*make)(const BackboneOptions&, const nn::ImageShape& input);
};

Registry<BackboneEntry>& backbones();

/// The graph of the named backbone for samples of this shape. A ConfigError for another name (the message lists them) or
/// options that do not fit, a ShapeError for images that do not.
nn::Graph make_backbone(const BackboneOptions& options, const nn::ImageShape& input);
/// The same checks without a graph. `section`: what stands before the keys in messages, such as "model.".
void require_backbone(const BackboneOptions& options, const std::string& section);
void require_input(const BackboneOptions& options, const nn::ImageShape& input);
/// A check for networks of three groups of N blocks: a depth of 6 N + 4, N >= 1.
void require_three_groups(const BackboneOptions& options, const std::string& section);
/// "a wrn, a densenet": who reads an option, for its explanation.
std::string readers_of(std::string_view option);

template <class V>
void describe(V& v, BackboneOptions& o) {
  v("name", o.name, "backbone", must_be::one_of(backbones().names()));
  v("depth", o.depth, "layers, 6 N + 4, of " + readers_of("depth"), must_be::at_least(10));
  v("width", o.width, "factor on the channels of " + readers_of("width"), must_be::at_least(1));
  v("growth", o.growth, "channels that a layer adds to " + readers_of("growth"), must_be::at_least(1));
  v("dropout", o.dropout, "share of activations dropped in training by " + readers_of("dropout"),
    must_be::fraction_below_one());
  v("initialisation", o.initialisation,
    "first weights of k x k convolutions, N(0, 2 / (k^2 outputs)) or PyTorch's U(+-1 / sqrt(k^2 inputs)), of " +
        readers_of("initialisation"));
  v("vocabulary", o.vocabulary, "tokens, <unk> and <pad> among them, of " + readers_of("vocabulary"),
    must_be::at_least(3));
  v("embedding", o.embedding, "numbers per word of " + readers_of("embedding"), must_be::at_least(1));
  v("units", o.units, "outputs of a hidden layer of " + readers_of("units"), must_be::at_least(1));
  v("layers", o.layers, "recurrent layers, convolutions of a block or units of a level, of " + readers_of("layers"),
    must_be::at_least(1));
}

}  // namespace bcr::models

#endif
