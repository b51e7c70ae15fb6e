#include "src/scale/measure/timed_work.hpp"

#include "src/scale/measure/synthetic_head.hpp"
#include "src/scale/measure/synthetic_inference.hpp"
#include "src/scale/measure/synthetic_text_training.hpp"
#include "src/scale/measure/synthetic_training.hpp"

namespace bcr::scale {

std::unique_ptr<TimedWork> make_timed_work(const PointOptions& options, comm::Communicator& ranks, const Log& log) {
  if (options.work == PointWork::training && !reads_texts(options))
    return std::make_unique<SyntheticTraining>(options, ranks, log);
  require<ConfigError>(ranks.size() == 1, "work", "training of images on several ranks, anything on one",
                       std::to_string(ranks.size()) + " ranks");
  switch (options.work) {
    case PointWork::training:
      return std::make_unique<SyntheticTextTraining>(options, ranks, log);
    case PointWork::inference:
      return std::make_unique<SyntheticInference>(options, log);
    default:
      return std::make_unique<SyntheticHead>(options);
  }
}

}  // namespace bcr::scale
