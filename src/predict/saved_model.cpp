#include "src/predict/saved_model.hpp"

#include "src/predict/saved_checkpoint.hpp"
#include "src/run/run_directory.hpp"

namespace bcr::predict {
namespace {

namespace fs = std::filesystem;

nn::ImageShape sample_shape(const io::Checkpoint& checkpoint, const train::RunOptions& options) {
  if (!checkpoint.vocabulary.empty()) return {1, options.data.text.length, 1};
  const auto extent = [&](const std::size_t i) { return static_cast<int>(checkpoint.sample[i]); };
  return {extent(0), extent(1), extent(2)};
}

}  // namespace

SavedModel read_saved_model(const fs::path& path) {
  SavedModel saved;
  saved.file = (fs::is_directory(path) ? run::RunDirectory(path).latest() : path).string();
  saved.checkpoint = read_complete_checkpoint(saved.file);
  saved.options = Config::parse(saved.checkpoint.config, saved.file).read<train::RunOptions>();
  const auto kind = models::backbones().find(saved.options.model.backbone.name).input;
  require<IoError>((kind == models::BackboneInput::tokens) == saved.reads_texts(), "checkpoint " + saved.file,
                   "words if and only if the backbone reads texts", saved.options.model.backbone.name);
  saved.plan = train::plan_model(saved.options, sample_shape(saved.checkpoint, saved.options),
                                 static_cast<int>(saved.checkpoint.class_names.size()));
  return saved;
}

}  // namespace bcr::predict
