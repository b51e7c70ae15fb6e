#ifndef BCR_SRC_NN_LAYERS_MAKE_LAYER_HPP
#define BCR_SRC_NN_LAYERS_MAKE_LAYER_HPP

#include "src/core/log.hpp"
#include "src/nn/layer.hpp"
#include "src/nn/mode.hpp"
#include "src/nn/parameters.hpp"

#include <memory>

namespace bcr::nn {

/// Makes the layer of an operation; what computes a convolution is told to the log once.
template <class Exec, class T>
struct LayerFactory {
  const Graph& graph;
  Mode mode;
  int most_images;
  ParameterStore<Exec, T>& parameters;
  ParameterStore<Exec, T>& statistics;
  const Exec& exec;
  const Log& log;

  std::unique_ptr<Layer<Exec, T>> make(const Operation& operation) const;
};

}  // namespace bcr::nn

#endif
