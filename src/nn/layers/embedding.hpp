#ifndef BCR_SRC_NN_LAYERS_EMBEDDING_HPP
#define BCR_SRC_NN_LAYERS_EMBEDDING_HPP

#include "src/nn/graph.hpp"
#include "src/nn/parameters.hpp"

#include <cstdint>

namespace bcr::nn {

struct Embedding {
  int vocabulary = 1;
  int channels = 1;
  std::int32_t padding = 1;  ///< the token whose vector is zero and stays so
  Initializer initial{};
};

/// The vector of every token: {1, L, 1} tokens become {1, L, channels} numbers, 0 where a row has not begun
/// (kernels/embedding/embedding.hpp). Parameters: <name>.table [vocabulary, channels].
ValueId embedding(Graph& graph, std::string name, ValueId tokens, const Embedding& settings);

}  // namespace bcr::nn

#endif
