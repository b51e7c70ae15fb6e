#ifndef BCR_MODELS_HEADS_REGISTRY_HPP
#define BCR_MODELS_HEADS_REGISTRY_HPP

#include "models/heads/head.hpp"
#include "src/core/config.hpp"
#include "src/nn/mode.hpp"
#include "src/nn/parameters.hpp"

#include <memory>
#include <string>

namespace bcr::models {

/// The section [model.head].
struct HeadOptions {
  std::string name = "distance";
  bool bias = true;
};

template <class V>
void describe(V& v, HeadOptions& o) {
  v("name", o.name, "squared distances to trainable anchors, or logits of a linear layer",
    must_be::one_of({"distance", "linear"}));
  v("bias", o.bias, "whether a linear head has a bias");
}

/// What the outputs of a head of these options are, before it is made: losses ask.
HeadOutputs head_outputs(const HeadOptions& options);

/// Adds the parameters of the head to the store. ConfigError for another name or sizes that are not positive.
template <class Exec, class T>
std::unique_ptr<Head<Exec, T>> make_head(const HeadOptions& options, nn::ParameterStore<Exec, T>& parameters,
                                         int features, int columns, int most_rows,
                                         nn::Mode mode = nn::Mode::strict);

}  // namespace bcr::models

#endif
