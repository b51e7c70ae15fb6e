#ifndef BCR_SRC_NN_LAYERS_GRU_HPP
#define BCR_SRC_NN_LAYERS_GRU_HPP

#include "src/nn/graph.hpp"
#include "src/nn/parameters.hpp"

#include <cstdint>

namespace bcr::nn {

/// What leaves a recurrent layer: the state after every step, for another layer above it, or after the last one.
enum class GruResult { sequence, last };

struct Gru {
  int units = 1;
  GruResult result = GruResult::last;
  std::int32_t padding = -1;  ///< a token in front of rows whose vectors are all the same; none if negative
  Initializer initial{};
};

/// Gated recurrent units (kernels/rnn/gru.hpp) over vectors {1, L, E}: {1, L, units} or {1, 1, units}. `tokens` {1, L,
/// 1} says where a row has not begun. Gates in the order reset, update, candidate. Parameters: <name>.input_weights [3
/// units, E], <name>.recurrent_weights [3 units, units], <name>.input_bias and <name>.recurrent_bias [3 units].
ValueId gru(Graph& graph, std::string name, ValueId src, ValueId tokens, const Gru& settings);

}  // namespace bcr::nn

#endif
