#ifndef BCR_SRC_NN_LAYERS_POOL_HPP
#define BCR_SRC_NN_LAYERS_POOL_HPP

#include "kernels/pool/pool_window.hpp"
#include "src/nn/graph.hpp"

namespace bcr::nn {

struct MaxPool {
  int taps = 2;
};

/// The largest pixel of each window; windows do not overlap. A ShapeError unless they cover the image.
ValueId max_pool(Graph& graph, std::string name, ValueId src, const MaxPool& settings);

struct AveragePool {
  kernels::PoolWindow window{.kernel = 2, .stride = 2, .pad = 0};
};

/// The mean of each window; pixels outside the image count as zeros.
ValueId average_pool(Graph& graph, std::string name, ValueId src, const AveragePool& settings);

struct GlobalAveragePool {};

/// The mean over all pixels of a channel. If src has other consumers, this must be the last of them.
ValueId global_average_pool(Graph& graph, std::string name, ValueId src);

}  // namespace bcr::nn

#endif
