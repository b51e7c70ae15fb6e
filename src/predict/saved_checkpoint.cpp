#include "src/predict/saved_checkpoint.hpp"

#include "io/images/fit.hpp"
#include "io/image_set.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace bcr::predict {

io::Checkpoint read_complete_checkpoint(const std::filesystem::path& file) {
  io::Checkpoint checkpoint = io::read_checkpoint(file);
  const std::string operation = "checkpoint " + file.string();
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

}  // namespace bcr::predict
