#ifndef BCR_IO_HDF5_CHECKPOINT_HPP
#define BCR_IO_HDF5_CHECKPOINT_HPP

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::io {

/// A tensor on the host, row-major, under the path it has in a file: "parameters/conv1.weights".
struct NamedTensor {
  std::string name;
  std::vector<std::size_t> extents;
  std::vector<float> values;
};

/// What thresholds are found on: the scores that a model gives to known samples it was not trained on. Empty without
/// such samples, and where the weights have moved on since they were scored.
struct Calibration {
  std::string score;                      ///< its name
  std::vector<double> scores;             ///< of each sample
  std::vector<std::int32_t> predictions;  ///< the best known class of each
  std::vector<std::int32_t> labels;

  bool empty() const noexcept { return scores.empty(); }
};

/// A threshold that was found before any test sample was seen: what scores less is unknown.
struct FoundThreshold {
  std::string rule;             ///< as bcr-predict --rule names it
  std::string score;            ///< what is compared with it
  std::optional<double> alpha;  ///< the share of known samples that it may reject, if the rule knows one
  std::vector<double> values;   ///< one, or one of each class that may be guessed
  std::string found;            ///< how, for people
};

/// The whole state of a run between two steps. Layout of the file: docs/run_directory.md.
struct Checkpoint {
  std::string model;   ///< names backbone, head and sizes
  std::string mode;    ///< strict or fast
  std::string config;  ///< the resolved configuration, TOML
  std::string split_hash;
  std::string split;  ///< known, background and unknown classes, as split_text; empty in files of version 1
  std::string data;   ///< SHA-256 of the data files, a line for each side; empty in files of the first programs
  std::vector<double> mean, std;  ///< of each channel, what pixels were normalised with; empty in files of version 1
  std::string vocabulary;         ///< of texts: the words that the model knows, joined by line feeds
  std::vector<std::string> class_names;  ///< of the known classes, by label; empty in files of the first programs
  std::vector<double> sample;  ///< height, width and channels of an image, 1, steps and 1 of texts; empty likewise
  std::string fit;  ///< how pictures of other sizes became the images of the training (io/images/fit.hpp), if they were
  Calibration calibration;
  std::vector<FoundThreshold> thresholds;  ///< one of a rule; absent in files of earlier programs
  std::uint64_t seed = 0;
  std::string optimizer;
  std::uint64_t optimizer_steps = 0;

  std::uint64_t step = 0;          ///< the next step to run
  std::vector<double> epoch_sums;  ///< sums of the epoch so far, for its means
  std::vector<double> best;        ///< empty, or the measure of checkpoint-best.h5 and its epoch

  bool is_checked = true;  ///< as read: false for a file of version 1, whose tensors alone have a digest

  std::vector<NamedTensor> tensors;  ///< names begin with parameters/, statistics/ or optimizer/

  /// The tensor of that name; an IoError that names `file` if there is none, or one of another shape.
  const NamedTensor& tensor(std::string_view name, std::span<const std::size_t> extents, std::string_view file) const;
};

inline constexpr std::int64_t checkpoint_format_version = 2;

/// SHA-256 over names, shapes and values of the tensors whose names begin with one of the prefixes, by ascending name.
std::string sha256_of(std::span<const NamedTensor> tensors, std::span<const std::string_view> prefixes);

/// Writes atomically, with checksums of everything, and reads it back before it takes the place of an old file;
/// `before_replacing` is called in between. Returns the SHA-256 of all tensors.
std::string write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint,
                             const std::function<void()>& before_replacing = {});

/// Whether an HDF5 file says that it is one. An IoError if it is no HDF5 file.
bool is_checkpoint(const std::filesystem::path& path);

/// Throws an IoError that names the file if it is no checkpoint, of another version, or damaged anywhere.
Checkpoint read_checkpoint(const std::filesystem::path& path);

}  // namespace bcr::io

#endif
