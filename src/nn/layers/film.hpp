#ifndef BCR_SRC_NN_LAYERS_FILM_HPP
#define BCR_SRC_NN_LAYERS_FILM_HPP

#include "src/nn/graph.hpp"
#include "src/nn/parameters.hpp"

namespace bcr::nn {

struct Film {
  int classes = 2;     ///< C
  int conditions = 2;  ///< S, of each sample
  Initializer initial{};
};

/// Feature vectors [n] modulated by classes: z_s = gamma_k f + beta_k, linear in the code of class k (kernels/film),
/// for the S conditions k of a sample; the result has shape {S, 1, n}. In training, for samples with labels, the first
/// condition is the label and the others are drawn from the other classes; else they are PassInfo::first_condition and
/// those that follow it, modulo C. Parameters: <name>.factor.weights, <name>.shift.weights [n, C]; <name>.factor.bias,
/// <name>.shift.bias [n].
ValueId film(Graph& graph, std::string name, ValueId src, const Film& settings);

}  // namespace bcr::nn

#endif
