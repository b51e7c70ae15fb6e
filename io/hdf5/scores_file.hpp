#ifndef BCR_IO_HDF5_SCORES_FILE_HPP
#define BCR_IO_HDF5_SCORES_FILE_HPP

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bcr::io {

/// What a model says of each image of one set.
struct SetScores {
  std::vector<std::int32_t> labels;       ///< places in class_names, or, if that is empty, among the known classes
  std::vector<std::string> class_names;   ///< of unknown sets: those of their file
  std::vector<std::string> files;         ///< that the samples were when they were imported; may be empty
  std::vector<std::int32_t> predictions;  ///< known classes
  std::vector<std::pair<std::string, std::vector<double>>> scores;  ///< by name; higher: more likely known
  /// By score and rule, "min_distance.recall": known classes, or their number for "unknown".
  std::vector<std::pair<std::string, std::vector<std::int32_t>>> decisions;
  std::vector<float> features;                                      ///< [N, n]; may be empty
  std::vector<float> outputs;                                       ///< [N, columns]; may be empty
  // While scores are computed; files do not hold them.
  std::vector<float> latents;        ///< [N, entries of the latent vector]
  std::vector<float> moved_outputs;  ///< [N, columns], of images moved as the score odin wants them
  std::vector<double> errors;        ///< [N], squared errors of reconstructions
  std::vector<double> class_errors;  ///< [N, C], mean absolute errors of reconstructions for each class

  std::size_t count() const noexcept { return labels.size(); }
  bool operator==(const SetScores&) const = default;
};

/// A few samples of one set, for people to look at.
struct ExampleImages {
  std::string name;
  std::size_t height = 0, width = 0, channels = 0;
  std::vector<std::uint8_t> images;
  std::vector<std::string> texts;     ///< in place of images, if the samples are documents
  std::vector<std::int64_t> indices;  ///< in their set
  std::vector<std::int32_t> labels;
  std::vector<std::string> classes;  ///< names of the labels
  std::vector<std::int32_t> predictions;
  std::vector<double> scores;

  std::size_t count() const noexcept { return predictions.size(); }
  bool operator==(const ExampleImages&) const = default;
};

/// The content of scores.h5; docs/run_directory.md has the layout.
struct ScoresFile {
  std::string default_score;
  std::string model;
  std::string checkpoint_sha256;
  std::vector<std::string> class_names;
  SetScores known;
  std::vector<std::pair<std::string, SetScores>> unknown;
  SetScores train_known;                ///< scores alone
  std::optional<SetScores> validation;  ///< images of the training file that were kept out of training
  std::vector<float> anchors;           ///< [C, n], or empty
  std::vector<ExampleImages> examples;
  bool is_checked = true;  ///< as read: false for a file of version 1

  bool operator==(const ScoresFile&) const = default;
};

/// Writes atomically.
void write_scores_file(const std::filesystem::path& path, const ScoresFile& file);

/// An IoError that names the file if it is damaged or its parts do not fit together. Parts that are not there are empty;
/// scores are by ascending name.
ScoresFile read_scores_file(const std::filesystem::path& path);

}  // namespace bcr::io

#endif
