#ifndef BCR_SRC_TRAIN_START_HPP
#define BCR_SRC_TRAIN_START_HPP

#include "models/model.hpp"
#include "src/core/log.hpp"
#include "src/train/batches/open_data.hpp"
#include "src/train/options.hpp"

#include <cstddef>
#include <string>

namespace bcr::train {

/// What a training begins with, if not with random weights alone.
struct Start {
  std::string file;       ///< a checkpoint
  std::string sha256;     ///< of its weights, as `sha256.final_weights` of its manifest has it
  std::size_t taken = 0;  ///< tensors that the model has taken over
};

/// The weights and running statistics of options.start_from, where name and shape agree, into a model that is made; the
/// rest keeps its random beginning. A ConfigError if nothing agrees, if something that options.learned leaves as it is
/// has no tensor there, or if the pixels of that run were normalised in another way.
template <class Exec>
Start start_from(const Exec& exec, const TrainOptions& options, const OpenData& data, models::Model<Exec, float>& model,
                 const Log& log);

}  // namespace bcr::train

#endif
