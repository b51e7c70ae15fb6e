#include "src/train/start.hpp"

#include "src/core/instances.hpp"
#include "src/run/run_directory.hpp"
#include "src/train/model_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bcr::train {
namespace {

void require_same_normalisation(const io::Checkpoint& checkpoint, const OpenData& data, const std::string& operation) {
  if (checkpoint.mean.empty()) return;  // a file of the first programs
  const auto text = [](const std::vector<double>& mean, const std::vector<double>& std) {
    return fmt::format("data.mean = [{}], data.std = [{}]", fmt::join(mean, ", "), fmt::join(std, ", "));
  };
  if (checkpoint.mean != data.mean || checkpoint.std != data.std)
    throw ConfigError(operation, "the normalisation of that run, " + text(checkpoint.mean, checkpoint.std),
                      text(data.mean, data.std));
}

}  // namespace

template <class Exec>
Start start_from(const Exec& exec, const TrainOptions& options, const OpenData& data, models::Model<Exec, float>& model,
                 const Log& log) {
  std::filesystem::path path = options.start_from;
  if (std::filesystem::is_directory(path)) path = run::RunDirectory(path).latest();
  const io::Checkpoint checkpoint = io::read_checkpoint(path);
  const std::string operation = fmt::format("train.start_from = '{}'", path.string());
  require_same_normalisation(checkpoint, data, operation);

  const SharedTensors shared = restore_shared(exec, checkpoint, model);
  if (shared.taken == 0)
    throw ConfigError(operation, "tensors with names and shapes of " + model.description(), checkpoint.model);
  for (const std::string& name : shared.missing)
    if (!nn::is_learned(options.learned, name))
      throw ConfigError(operation, fmt::format("the tensor {}, since train.learned leaves it as it is", name),
                        "none of that name and shape");
  log.info("train", "begins with {} tensors of {}; {} begin at random{}", shared.taken, path.string(),
           shared.missing.size(), shared.missing.empty() ? "" : fmt::format(": {}", fmt::join(shared.missing, ", ")));
  return {.file = path.string(), .sha256 = weights_sha256(checkpoint.tensors), .taken = shared.taken};
}

#define BCR_INSTANCE(Exec) \
  template Start start_from<Exec>(const Exec&, const TrainOptions&, const OpenData&, models::Model<Exec, float>&, \
                                  const Log&);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
