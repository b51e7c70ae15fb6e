#ifndef BCR_SRC_NN_SCHEDULE_HPP
#define BCR_SRC_NN_SCHEDULE_HPP

#include "kernels/conv/window.hpp"
#include "src/nn/graph.hpp"
#include "src/nn/layer.hpp"
#include "src/nn/memory_plan.hpp"

#include <vector>

namespace bcr::nn {

inline constexpr int no_buffer = -1;

/// Whether the backward pass goes on to the inputs of the graph.
enum class InputGradients {
  none,
  written,
  alone  ///< and nothing learns: no gradients of parameters
};

/// Whether batch norms of an inference pass are folded into the convolutions before them.
enum class Folding { on, off };

/// By operation: the last one that runs in the same pass over the memory, itself if it runs alone. In inference a
/// convolution takes in the operations right after it, as their EpilogueRole allows; each only if nobody else reads what
/// it replaces. Storing both, as in the blocks of a wide ResNet whose residual path goes on, was measured to be slower
/// than a second pass.
std::vector<int> find_fusions(const Graph& graph, Folding folding);

/// What must live when. Operation i of L runs forward at event i and backward at event 2 L - 1 - i. Sizes count
/// elements of one image.
///
/// - A value that the backward pass reads is kept until then, unless its operation is_recomputed(): such a value lives
///   twice, once for its forward consumers and once more from the first backward pass that reads it.
/// - A result that overwrites() a source which nobody reads afterwards takes over its buffer.
/// - Operations that inference runs as the end of a convolution share the buffer of its result.
/// - The gradient of a source that is that of the result shares its buffer.
/// - Outputs live to the end of the forward pass, their gradients from there on.
/// - Gradients of inputs, if asked for, live from the first operation that adds to them to event 2 L, after all others.
struct Schedule {
  std::vector<Lifetime> buffers;

  // By value; no_buffer where there is none (inputs are the caller's, inference has no gradients).
  std::vector<int> value;  ///< during the forward pass
  std::vector<int> kept;   ///< during the backward pass: the same one, or that of the second computation
  std::vector<int> diff;   ///< gradients

  // By operation.
  std::vector<std::vector<kernels::ChainStart>> diff_starts;  ///< by source. zero: its first gradient; dst: one more
  std::vector<ValueId> adds_diff_to;                ///< a source that had a gradient already, and shares none
  std::vector<bool> overwrites;                     ///< the result is in the buffer of the source that it overwrites
  std::vector<int> runs_until;                      ///< the last operation that runs together with this one
  std::vector<int> trace;                           ///< the buffer of what an operation keeps for itself, or no_buffer
  std::vector<std::vector<int>> recomputed_before;  ///< operations to run again before the backward pass of this one
};

/// Training folds nothing.
/// A ShapeError if the gradient of an input is asked for where it would share memory with that of a result.
Schedule make_schedule(const Graph& graph, Phase phase, Folding folding = Folding::on,
                       InputGradients input_gradients = InputGradients::none);

}  // namespace bcr::nn

#endif
