#ifndef BCR_SRC_SCALE_POINT_POINT_HPP
#define BCR_SRC_SCALE_POINT_POINT_HPP

#include "losses/options.hpp"
#include "models/backbones/registry.hpp"
#include "src/core/config.hpp"
#include "src/nn/mode.hpp"
#include "src/scale/point/sample_summary.hpp"
#include "src/train/shards/shard_options.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bcr::scale {

/// What one step is.
///   training   forward, head, loss, backward, update: of images as bcr-train does it, of texts without loading them
///   inference  what bcr-eval does with a batch: forward, head, score, numbers to the host
///   head       head and loss, and their gradients, of features that lie there
///   loss       the loss and its gradient, of outputs that lie there
enum class PointWork { training, inference, head, loss };

constexpr auto enum_names(PointWork) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"training"sv, PointWork::training}, std::pair{"inference"sv, PointWork::inference},
                    std::pair{"head"sv, PointWork::head}, std::pair{"loss"sv, PointWork::loss}};
}

/// One problem whose steps are timed. Images and texts are noise, resident on the device.
struct PointOptions {
  PointWork work = PointWork::training;
  nn::Mode mode = nn::Mode::strict;
  std::string backbone = "wrn";
  int depth = 10;
  int width = 1;
  int image = 32;
  int channels = 3;
  int tokens = 100;
  int classes = 10;
  std::string loss = "class_inclusion";
  int batch = 128;
  int shards = 1;
  train::BatchNormScope batch_norm = train::BatchNormScope::shard;
  double bucket_mib = 1;
  int warmup = 3;
  int repetitions = 10;
  std::uint64_t seed = 1;

  bool operator==(const PointOptions&) const = default;
};

template <class V>
void describe(V& v, PointOptions& o) {
  v("work", o.work,
    "what a step is: a training step, inference of a batch, head and loss with gradients, the loss alone");
  v("mode", o.mode, "strict: the same bits everywhere; fast: convolutions by the vendor's library");
  v("backbone", o.backbone, "network", must_be::one_of(models::backbones().names()));
  v("depth", o.depth, "layers, 6 N + 4, of " + models::readers_of("depth"), must_be::at_least(10));
  v("width", o.width, "factor on the channels of " + models::readers_of("width"), must_be::at_least(1));
  v("image", o.image, "height and width of an image", must_be::between(8, 4096));
  v("channels", o.channels, "channels of an image", must_be::between(1, 4));
  v("tokens", o.tokens, "tokens of a text, for backbones that read texts", must_be::between(1, 4096));
  v("classes", o.classes, "known classes", must_be::between(2, 21841));
  v("loss", o.loss, "loss of training, head and loss; a linear head where it does not fit distances",
    must_be::one_of(losses::loss_names()));
  v("batch", o.batch, "images of the global batch, half of them background; even", must_be::at_least(2));
  v("shards", o.shards, "parts of the global batch that ranks share", must_be::at_least(1));
  v("batch_norm", o.batch_norm, "statistics of each shard, or of the global batch");
  v("bucket_mib", o.bucket_mib, "gradients that ranks send on at once during the backward pass; 0: all after it",
    must_be::not_negative());
  v("warmup", o.warmup, "steps before the first that is timed", must_be::at_least(1));
  v("repetitions", o.repetitions, "steps that are timed", must_be::between(10, 100000));
  v("seed", o.seed, "of weights and images");
}

models::BackboneOptions backbone_of(const PointOptions& options);
bool reads_texts(const PointOptions& options);

/// Combinations that cannot work, as ConfigErrors that name the keys.
void require_consistent(const PointOptions& options);

/// Ranks, and host threads of each.
struct Resources {
  int ranks = 1;
  int threads = 1;

  bool operator==(const Resources&) const = default;
};

/// The names of a point in tables: "bcr strict"; "train wrn-10-1 32x32x3 batch 128 classes 10", "loss energy batch 128
/// classes 10"; "AMD EPYC [1x2]". Losses other than class_inclusion, shards, and how batch norm sees them, are part of
/// the problem where there is more than one.
std::string application_name(const PointOptions& options);
std::string network_name(const PointOptions& options);
std::string problem_name(const PointOptions& options);
std::string platform_name(const std::string& machine, const Resources& resources);

/// "strict-wrn-10-1-i32x3-c10-b128-s1-r1-t2": all that decides what is measured, for file names. Batch norm over the
/// global batch and other buckets than the usual ones are added.
std::string point_key(const PointOptions& options, const Resources& resources);

/// One part of a training step (src/train/region_clock.hpp) and what it has to do.
struct RegionTimes {
  std::string name;
  std::vector<double> seconds;      ///< of each step that was watched, the slowest rank's
  double multiply_accumulates = 0;  ///< of all ranks (src/scale/measure/step_work.hpp)
  double bytes = 0;

  SampleSummary summary() const { return summarise(seconds); }
};

/// What was measured of one problem on some resources.
struct Point {
  PointOptions options;
  Resources resources;
  std::string date;
  std::string machine;  ///< the name of the device, or of the processor
  std::string version;  ///< "0.1.0 (1a2b3c4d, clean)"
  std::string space;    ///< the execution space: "OpenMP", "Cuda"
  std::string kind;     ///< "cpu" or "gpu"
  std::string library;  ///< what may compute convolutions and matrix products in this mode

  std::vector<double> step_seconds;  ///< of whole steps, nothing waited for in between; the slowest rank's
  std::vector<RegionTimes> regions;
  double fma_peak = 0;   ///< fused multiply-adds per second, of all ranks together
  double bandwidth = 0;  ///< bytes per second, of all ranks together
  double parameters = 0;
  double message_bytes = 0;   ///< that one rank sends in a step
  double model_bytes = 0;     ///< activations, parameters, gradients, optimiser: of one rank
  double resident_bytes = 0;  ///< the most that a process had in memory
  double device_bytes = 0;    ///< the most that Kokkos held in the memory of the device, of one rank
  double loss = 0;

  SampleSummary step() const { return summarise(step_seconds); }
  double images_per_second() const { return options.batch / step().median; }
  double multiply_accumulates() const;
  double bytes() const;
  /// Shares of what the same threads reached in pure fma and triad loops, timed in turn with the steps.
  double share_of_peak() const { return multiply_accumulates() / step().median / fma_peak; }
  double share_of_bandwidth() const { return bytes() / step().median / bandwidth; }

  const RegionTimes* region(const std::string& name) const;
};

/// One JSON object with everything, and where and how it was measured.
std::string point_json(const Point& point);

/// IoErrors that name `source`: no JSON, another kind of file, a missing or wrong entry.
Point parse_point(const std::string& text, const std::string& source);

}  // namespace bcr::scale

#endif
