#ifndef BCR_SRC_NN_SCHEDULE_HPP
#define BCR_SRC_NN_SCHEDULE_HPP

#include "kernels/conv/window.hpp"
#include "src/nn/fusion.hpp"
#include "src/nn/graph.hpp"
#include "src/nn/memory_plan.hpp"

#include <vector>

namespace bcr::nn {

enum class Phase { inference, training };

inline constexpr int no_buffer = -1;

/// What must live when. Operation i of L runs forward at event i and backward at event 2 L - 1 - i. Sizes count
/// elements of one image.
///
/// - A value that the backward pass reads is kept until then, unless its operation is_recomputed(): such a value lives
///   twice, once for its forward consumers and once more from the first backward pass that reads it.
/// - A convolution whose addend nobody reads afterwards accumulates in place.
/// - Operations that inference runs as the end of a convolution share the buffer of its result.
/// - The gradient of a sum is the gradient of its addend, and shares its buffer.
struct Schedule {
  std::vector<Lifetime> buffers;

  // By value; no_buffer where there is none (the input is the caller's, inference has no gradients).
  std::vector<int> value;  ///< during the forward pass
  std::vector<int> kept;   ///< during the backward pass: the same one, or that of the second computation
  std::vector<int> diff;   ///< gradients

  // By operation.
  std::vector<kernels::ChainStart> diff_src_start;  ///< zero: the first gradient of the source; dst: one more
  std::vector<bool> adds_diff_to_addend;            ///< the addend had a gradient already: no sharing
  std::vector<bool> starts_in_place;                ///< dst is the buffer of the addend
  std::vector<int> runs_until;                      ///< the last operation that runs together with this one
  std::vector<std::vector<int>> recomputed_before;  ///< operations to run again before the backward pass of this one
};

/// Training folds nothing.
Schedule make_schedule(const Graph& graph, Phase phase, Folding folding = Folding::on);

}  // namespace bcr::nn

#endif
