#ifndef BCR_SRC_PREDICT_SAVED_MODEL_HPP
#define BCR_SRC_PREDICT_SAVED_MODEL_HPP

#include "io/hdf5/checkpoint.hpp"
#include "src/train/experiment.hpp"

#include <filesystem>
#include <string>

namespace bcr::predict {

/// What a checkpoint alone says of its model, before a network is made of it.
struct SavedModel {
  std::string file;  ///< the checkpoint, for messages
  io::Checkpoint checkpoint;
  train::RunOptions options;
  train::ModelPlan plan;

  bool reads_texts() const { return !checkpoint.vocabulary.empty(); }
};

/// `path`: a checkpoint, or a run directory, whose latest one is taken. Of texts the plan is for rows as training makes
/// them of known documents: data.text.length steps. An IoError if it is none, is damaged, or was written before
/// checkpoints had class names and sizes.
SavedModel read_saved_model(const std::filesystem::path& path);

}  // namespace bcr::predict

#endif
