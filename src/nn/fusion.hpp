#ifndef BCR_SRC_NN_FUSION_HPP
#define BCR_SRC_NN_FUSION_HPP

#include "src/nn/graph.hpp"

#include <vector>

namespace bcr::nn {

/// Whether batch norms of an inference pass are folded into the convolutions before them.
enum class Folding { on, off };

/// By operation: the last one that runs in the same pass over the memory, itself if it runs alone. In inference a
/// convolution takes in the operations right after it: the batch norm of its result, and if that has no activation the
/// residual Add of what it gives (kernels/conv/epilogue.hpp); each only if nobody else reads what it replaces. Storing
/// both, as in the blocks of a wide ResNet whose residual path goes on, was measured to be slower than a second pass.
std::vector<int> find_fusions(const Graph& graph, Folding folding);

}  // namespace bcr::nn

#endif
