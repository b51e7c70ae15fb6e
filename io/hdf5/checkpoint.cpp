#include "io/hdf5/checkpoint.hpp"

#include "io/hdf5/reader.hpp"
#include "io/hdf5/writer.hpp"
#include "src/core/error.hpp"
#include "src/core/sha256.hpp"
#include "src/core/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace bcr::io {
namespace {

constexpr std::string_view checkpoint_format = "bcr checkpoint";
constexpr std::array<std::string_view, 1> everything{""};

bool begins_with_any(const std::string& name, const std::span<const std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const std::string_view prefix) { return name.starts_with(prefix); });
}

/// All datasets below a group, in alphabetical order of their paths.
void collect(const Hdf5Reader& reader, const std::string& group, std::vector<NamedTensor>& tensors) {
  for (const std::string& member : reader.members("/" + group)) {
    const std::string path = group + "/" + member;
    const bool is_group = group == "optimizer";  // buffers; everything else holds tensors
    if (is_group) {
      for (const std::string& name : reader.members("/" + path)) {
        const std::string full = path + "/" + name;
        tensors.push_back({full, reader.shape("/" + full).extents, reader.read<float>("/" + full)});
      }
    } else {
      tensors.push_back({path, reader.shape("/" + path).extents, reader.read<float>("/" + path)});
    }
  }
}

std::vector<double> optional_numbers(const Hdf5Reader& reader, const std::string& object, const std::string& name) {
  return reader.has_attribute(object, name) ? reader.numbers_attribute(object, name) : std::vector<double>();
}

void write_calibration(Hdf5Writer& writer, const Calibration& calibration) {
  if (calibration.empty()) return;
  const std::size_t count = calibration.scores.size();
  writer.write("/calibration/scores", {count}, std::span(calibration.scores));
  writer.write("/calibration/predictions", {count}, std::span(calibration.predictions));
  writer.write("/calibration/labels", {count}, std::span(calibration.labels));
  writer.set_attribute("/calibration", "score", calibration.score);
}

Calibration read_calibration(const Hdf5Reader& reader, const std::string& operation) {
  Calibration calibration;
  if (!reader.has("/calibration")) return calibration;
  calibration.score = reader.text_attribute("/calibration", "score");
  calibration.scores = reader.read<double>("/calibration/scores");
  calibration.predictions = reader.read<std::int32_t>("/calibration/predictions");
  calibration.labels = reader.read<std::int32_t>("/calibration/labels");
  const std::size_t count = calibration.scores.size();
  require<IoError>(calibration.predictions.size() == count && calibration.labels.size() == count, operation,
                   "a score, a prediction and a label of each sample in /calibration", "lists of different lengths");
  return calibration;
}

void write_thresholds(Hdf5Writer& writer, const std::vector<FoundThreshold>& thresholds) {
  for (const FoundThreshold& threshold : thresholds) {
    const std::string object = "/thresholds/" + threshold.rule;
    writer.write(object, {threshold.values.size()}, std::span(threshold.values));
    writer.set_attribute(object, "score", threshold.score);
    if (threshold.alpha) writer.set_attribute(object, "alpha", std::span<const double>(&*threshold.alpha, 1));
    writer.set_attribute(object, "found", threshold.found);
  }
}

std::vector<FoundThreshold> read_thresholds(const Hdf5Reader& reader, const std::string& operation) {
  std::vector<FoundThreshold> thresholds;
  if (!reader.has("/thresholds")) return thresholds;
  for (const std::string& rule : reader.members("/thresholds")) {
    const std::string object = "/thresholds/" + rule;
    const std::vector<double> alpha = optional_numbers(reader, object, "alpha");
    FoundThreshold threshold{.rule = rule,
                             .score = reader.text_attribute(object, "score"),
                             .alpha = std::nullopt,
                             .values = reader.read<double>(object),
                             .found = reader.text_attribute(object, "found")};
    if (!alpha.empty()) threshold.alpha = alpha.front();
    require<IoError>(!threshold.values.empty(), operation, "a threshold in " + object, "none");
    for (const double value : threshold.values)
      require<IoError>(!std::isnan(value), operation, "numbers in " + object, "NaN");
    thresholds.push_back(std::move(threshold));
  }
  return thresholds;
}

}  // namespace

const NamedTensor& Checkpoint::tensor(const std::string_view name, const std::span<const std::size_t> extents,
                                      const std::string_view file) const {
  const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const NamedTensor& t) { return t.name == name; });
  const std::string operation = "checkpoint " + std::string(file);
  const std::string expected = fmt::format("{} of shape {}", name, shape_text(extents));
  if (found == tensors.end()) throw IoError(operation, expected, "no such tensor");
  if (!std::equal(extents.begin(), extents.end(), found->extents.begin(), found->extents.end()))
    throw IoError(operation, expected, shape_text(found->extents));
  return *found;
}

std::string sha256_of(const std::span<const NamedTensor> tensors, const std::span<const std::string_view> prefixes) {
  std::map<std::string_view, const NamedTensor*> by_name;
  for (const NamedTensor& tensor : tensors) {
    if (begins_with_any(tensor.name, prefixes)) by_name[tensor.name] = &tensor;
  }
  Sha256 hash;
  for (const auto& [name, tensor] : by_name) {
    hash.update(name).update("\n");
    update_with_array(hash, "float32", tensor->extents, std::as_bytes(std::span(tensor->values)));
  }
  return to_hex(hash.digest());
}

std::string write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint,
                             const std::function<void()>& before_replacing) {
  Hdf5Writer writer(path);
  const std::string sha256 = sha256_of(checkpoint.tensors, everything);
  for (const char* const group : {"/parameters", "/statistics", "/optimizer", "/progress"}) writer.create_group(group);
  for (const NamedTensor& tensor : checkpoint.tensors)
    writer.write("/" + tensor.name, tensor.extents, std::span(tensor.values));

  writer.set_attribute("/", "format", std::string(checkpoint_format));
  writer.set_attribute("/", "version", checkpoint_format_version);
  writer.set_attribute("/", "model", checkpoint.model);
  writer.set_attribute("/", "mode", checkpoint.mode);
  writer.set_attribute("/", "seed", static_cast<std::int64_t>(checkpoint.seed));
  writer.set_attribute("/", "config", checkpoint.config);
  writer.set_attribute("/", "split_hash", checkpoint.split_hash);
  writer.set_attribute("/", "split", checkpoint.split);
  if (!checkpoint.mean.empty()) writer.set_attribute("/", "mean", checkpoint.mean);
  if (!checkpoint.std.empty()) writer.set_attribute("/", "std", checkpoint.std);
  if (!checkpoint.data.empty()) writer.set_attribute("/", "data", checkpoint.data);
  if (!checkpoint.vocabulary.empty()) {  // too long for an attribute
    const auto* const letters = reinterpret_cast<const std::uint8_t*>(checkpoint.vocabulary.data());
    writer.write("/vocabulary", {checkpoint.vocabulary.size()}, std::span(letters, checkpoint.vocabulary.size()));
  }
  if (!checkpoint.class_names.empty()) writer.write_strings("/class_names", checkpoint.class_names);
  if (!checkpoint.sample.empty()) writer.set_attribute("/", "sample", checkpoint.sample);
  if (!checkpoint.fit.empty()) writer.set_attribute("/", "fit", checkpoint.fit);
  write_calibration(writer, checkpoint.calibration);
  write_thresholds(writer, checkpoint.thresholds);
  writer.set_attribute("/", "sha256", sha256);
  writer.set_attribute("/optimizer", "name", checkpoint.optimizer);
  writer.set_attribute("/optimizer", "steps_done", static_cast<std::int64_t>(checkpoint.optimizer_steps));
  writer.set_attribute("/progress", "step", static_cast<std::int64_t>(checkpoint.step));
  if (!checkpoint.epoch_sums.empty()) writer.set_attribute("/progress", "epoch_sums", checkpoint.epoch_sums);
  if (!checkpoint.best.empty()) writer.set_attribute("/progress", "best", checkpoint.best);
  writer.commit(before_replacing);
  return sha256;
}

bool is_checkpoint(const std::filesystem::path& path) {
  return Hdf5Reader(path).format() == checkpoint_format;
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const Hdf5Reader reader(path);
  const std::string operation = "checkpoint " + path.string();
  const std::string format = reader.format();
  require<IoError>(format == checkpoint_format, operation, checkpoint_format, format);
  const std::int64_t version = reader.integer_attribute("/", "version");
  if (version != 1 && version != checkpoint_format_version)
    throw IoError(operation, fmt::format("version 1 or {}", checkpoint_format_version),
                  fmt::format("version {}", version));
  require<IoError>(version == 1 || reader.is_checked(), operation, "digests of the content", "none");

  Checkpoint checkpoint;
  checkpoint.is_checked = reader.is_checked();
  if (version > 1) checkpoint.split = reader.text_attribute("/", "split");
  checkpoint.mean = optional_numbers(reader, "/", "mean");
  checkpoint.std = optional_numbers(reader, "/", "std");
  checkpoint.model = reader.text_attribute("/", "model");
  checkpoint.mode = reader.text_attribute("/", "mode");
  checkpoint.config = reader.text_attribute("/", "config");
  checkpoint.split_hash = reader.text_attribute("/", "split_hash");
  if (reader.has_attribute("/", "data")) checkpoint.data = reader.text_attribute("/", "data");
  if (reader.has("/vocabulary")) {
    const auto letters = reader.read<std::uint8_t>("/vocabulary");
    checkpoint.vocabulary.assign(letters.begin(), letters.end());
  }
  if (reader.has("/class_names")) checkpoint.class_names = reader.read_strings("/class_names");
  checkpoint.sample = optional_numbers(reader, "/", "sample");
  if (reader.has_attribute("/", "fit")) checkpoint.fit = reader.text_attribute("/", "fit");
  checkpoint.calibration = read_calibration(reader, operation);
  checkpoint.thresholds = read_thresholds(reader, operation);
  checkpoint.seed = static_cast<std::uint64_t>(reader.integer_attribute("/", "seed"));
  checkpoint.optimizer = reader.text_attribute("/optimizer", "name");
  checkpoint.optimizer_steps = static_cast<std::uint64_t>(reader.integer_attribute("/optimizer", "steps_done"));
  checkpoint.step = static_cast<std::uint64_t>(reader.integer_attribute("/progress", "step"));
  checkpoint.epoch_sums = optional_numbers(reader, "/progress", "epoch_sums");
  checkpoint.best = optional_numbers(reader, "/progress", "best");
  for (const char* const group : {"parameters", "statistics", "optimizer"})
    collect(reader, group, checkpoint.tensors);

  const std::string sha256 = sha256_of(checkpoint.tensors, everything);
  const std::string stored = reader.text_attribute("/", "sha256");
  require<IoError>(sha256 == stored, operation, "tensors of SHA-256 " + stored, sha256);
  return checkpoint;
}

}  // namespace bcr::io
