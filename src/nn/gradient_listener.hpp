#ifndef BCR_SRC_NN_GRADIENT_LISTENER_HPP
#define BCR_SRC_NN_GRADIENT_LISTENER_HPP

#include <cstddef>

namespace bcr::nn {

/// Is told by a backward pass how far it is, so that gradients can be sent on while the pass goes on. Gradients are
/// finished from the end of the flat array towards its beginning.
class GradientListener {
 public:
  virtual ~GradientListener() = default;
  /// What follows is about this shard, counted from the first of this rank: its gradients are about to be written.
  virtual void begin_shard(int shard) = 0;
  /// Of the shard begun last, all gradients from position `from` of the flat array on are written (asynchronously).
  virtual void gradients_written(std::size_t from) = 0;
};

}  // namespace bcr::nn

#endif
