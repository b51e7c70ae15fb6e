#ifndef BCR_MODELS_HEADS_REGISTRY_HPP
#define BCR_MODELS_HEADS_REGISTRY_HPP

#include "models/heads/head.hpp"
#include "src/core/config.hpp"
#include "src/core/per_instance.hpp"
#include "src/core/registry.hpp"
#include "src/nn/mode.hpp"
#include "src/nn/parameters.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::models {

/// Of every head there is.
std::vector<std::string> head_names();

/// The section [model.head].
struct HeadOptions {
  std::string name = "distance";
  bool bias = true;
};

template <class V>
void describe(V& v, HeadOptions& o) {
  v("name", o.name, "squared distances to trainable anchors, or logits of a linear layer",
    must_be::one_of(head_names()));
  v("bias", o.bias, "whether a linear head has a bias");
}

/// The sizes a head is made for, all positive.
struct HeadShape {
  int features = 0;   ///< n
  int columns = 0;    ///< outputs, one for each class at least
  int most_rows = 0;  ///< of a batch
};

template <class Exec, class T>
using HeadMaker = std::unique_ptr<Head<Exec, T>> (*)(const HeadOptions&, nn::ParameterStore<Exec, T>&,
                                                     const HeadShape&, nn::Mode);

/// All there is to know of a head but how it computes.
struct HeadEntry {
  std::string_view name;
  std::string_view explanation;
  HeadOutputs outputs;
  PerInstance<HeadMaker> make;
};

/// Every head. Each describes itself in models/heads/<name>_head.cpp; registry.cpp lists them.
Registry<HeadEntry>& all_heads();

/// What the outputs of a head of these options are, before it is made: losses ask.
HeadOutputs head_outputs(const HeadOptions& options);

/// Adds the parameters of the head to the store. ConfigError for another name or sizes that are not positive.
template <class Exec, class T>
std::unique_ptr<Head<Exec, T>> make_head(const HeadOptions& options, nn::ParameterStore<Exec, T>& parameters,
                                         int features, int columns, int most_rows,
                                         nn::Mode mode = nn::Mode::strict);

}  // namespace bcr::models

#endif
