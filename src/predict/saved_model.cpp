#include "src/predict/saved_model.hpp"

#include "io/images/fit.hpp"
#include "src/run/run_directory.hpp"

#include <fmt/format.h>

#include <cmath>

namespace bcr::predict {
namespace {

namespace fs = std::filesystem;

io::Checkpoint read_complete(const std::string& file) {
  io::Checkpoint checkpoint = io::read_checkpoint(file);
  const std::string operation = "checkpoint " + file;
  const bool has_normalisation = !checkpoint.mean.empty() || !checkpoint.vocabulary.empty();
  require<IoError>(!checkpoint.class_names.empty() && checkpoint.sample.size() == 3 && has_normalisation, operation,
                   "class names, size and normalisation of images",
                   "none: it was written before checkpoints had them; bcr-train --resume auto writes new ones");
  for (const double extent : checkpoint.sample) {
    const bool fits = extent >= 1 && extent <= double(io::largest_side) && extent == std::floor(extent);
    require<IoError>(fits || !checkpoint.vocabulary.empty(), operation, "a size of images", fmt::format("{}", extent));
  }
  require<IoError>(checkpoint.fit.empty() || io::fit_of_name(checkpoint.fit), operation,
                   "a way to fit pictures, as area-crop", checkpoint.fit);
  const auto classes = static_cast<std::int32_t>(checkpoint.class_names.size());
  for (const std::int32_t guess : checkpoint.calibration.predictions)
    require<IoError>(guess >= 0 && guess < classes, operation, "known classes in /calibration/predictions",
                     std::to_string(guess));
  return checkpoint;
}

nn::ImageShape sample_shape(const io::Checkpoint& checkpoint, const train::RunOptions& options) {
  if (!checkpoint.vocabulary.empty()) return {1, options.data.text.length, 1};
  const auto extent = [&](const std::size_t i) { return static_cast<int>(checkpoint.sample[i]); };
  return {extent(0), extent(1), extent(2)};
}

}  // namespace

SavedModel read_saved_model(const fs::path& path) {
  SavedModel saved;
  saved.file = (fs::is_directory(path) ? run::RunDirectory(path).latest() : path).string();
  saved.checkpoint = read_complete(saved.file);
  saved.options = Config::parse(saved.checkpoint.config, saved.file).read<train::RunOptions>();
  const auto kind = models::backbones().find(saved.options.model.backbone.name).input;
  require<IoError>((kind == models::BackboneInput::tokens) == saved.reads_texts(), "checkpoint " + saved.file,
                   "words if and only if the backbone reads texts", saved.options.model.backbone.name);
  saved.plan = train::plan_model(saved.options, sample_shape(saved.checkpoint, saved.options),
                                 static_cast<int>(saved.checkpoint.class_names.size()));
  return saved;
}

}  // namespace bcr::predict
