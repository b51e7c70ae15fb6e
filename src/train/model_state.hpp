#ifndef BCR_SRC_TRAIN_MODEL_STATE_HPP
#define BCR_SRC_TRAIN_MODEL_STATE_HPP

#include "io/hdf5/checkpoint.hpp"
#include "models/model.hpp"
#include "src/optim/optimizer.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace bcr::train {

/// Parameters and running statistics as they stand in a checkpoint. Waits for exec.
template <class Exec>
std::vector<io::NamedTensor> save_model(const Exec& exec, const models::Model<Exec, float>& model);

/// Appends the buffers of an optimiser. Waits for exec.
template <class Exec>
void save_optimizer(const Exec& exec, const optim::Optimizer<Exec, float>& optimizer,
                    std::vector<io::NamedTensor>& tensors);

/// Into a model of either precision; `file` is named in the IoError for a checkpoint of other tensors.
template <class Exec, class T>
void restore_model(const Exec& exec, const io::Checkpoint& checkpoint, std::string_view file,
                   models::Model<Exec, T>& model);

/// How many tensors of a model are in the checkpoint with the same name and shape, which are taken over, and the names
/// of the parameters and statistics of the model that are not.
struct SharedTensors {
  std::size_t taken = 0;
  std::vector<std::string> missing;
};
template <class Exec>
SharedTensors restore_shared(const Exec& exec, const io::Checkpoint& checkpoint, models::Model<Exec, float>& model);

template <class Exec>
void restore_optimizer(const Exec& exec, const io::Checkpoint& checkpoint, std::string_view file,
                       optim::Optimizer<Exec, float>& optimizer);

/// SHA-256 of parameters and running statistics: what "the same weights" means.
std::string weights_sha256(const std::vector<io::NamedTensor>& tensors);

}  // namespace bcr::train

#endif
