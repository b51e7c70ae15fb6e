#include "src/scale/point/point.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

#include <array>

namespace bcr::scale {
namespace {

std::string_view mode_name(const nn::Mode mode) {
  return mode == nn::Mode::strict ? "strict" : "fast";
}

std::string shards_name(const PointOptions& options) {
  if (options.shards == 1) return "";
  const bool global = options.batch_norm == train::BatchNormScope::global;
  return fmt::format(" shards {}{}", options.shards, global ? " global" : "");
}

}  // namespace

bool reads_texts(const PointOptions& options) {
  return models::backbones().find(options.backbone).input == models::BackboneInput::tokens;
}

models::BackboneOptions backbone_of(const PointOptions& options) {
  return {.name = options.backbone, .depth = options.depth, .width = options.width};
}

void require_consistent(const PointOptions& options) {
  models::require_backbone(backbone_of(options), "");
  const models::BackboneEntry& backbone = models::backbones().find(options.backbone);
  if (!reads_texts(options) && options.image % backbone.divides_image != 0)
    throw ConfigError("image", fmt::format("a size that {} divides, for a {}", backbone.divides_image, backbone.name),
                      std::to_string(options.image));
  if (options.batch % (2 * options.shards) != 0)
    throw ConfigError("batch", fmt::format("a multiple of 2 x {} shards: half of each is background", options.shards),
                      std::to_string(options.batch));
  require<ConfigError>(options.shards == 1 || (options.work == PointWork::training && !reads_texts(options)), "shards",
                       "1 but for training of images", std::to_string(options.shards));
}

std::string application_name(const PointOptions& options) {
  return fmt::format("bcr {}", mode_name(options.mode));
}

std::string network_name(const PointOptions& options) {
  return models::backbones().find(options.backbone).variant(backbone_of(options));
}

std::string problem_name(const PointOptions& options) {
  constexpr std::array<std::string_view, 4> verbs{"train", "infer", "head", "loss"};
  const std::string input = reads_texts(options)
                                ? fmt::format("{} tokens", options.tokens)
                                : fmt::format("{}x{}x{}", options.image, options.image, options.channels);
  const bool usual_loss = options.loss == PointOptions().loss;
  return fmt::format("{} {} {} batch {} classes {}{}{}", verbs[static_cast<std::size_t>(options.work)],
                     network_name(options), input, options.batch, options.classes,
                     usual_loss ? "" : " loss " + options.loss, shards_name(options));
}

std::string platform_name(const std::string& machine, const Resources& resources) {
  return fmt::format("{} [{}x{}]", machine, resources.ranks, resources.threads);
}

std::string point_key(const PointOptions& options, const Resources& resources) {
  constexpr std::array<std::string_view, 4> works{"", "infer-", "head-", "loss-"};
  const PointOptions usual;
  std::string key = fmt::format("{}{}-{}", works[static_cast<std::size_t>(options.work)], mode_name(options.mode),
                                network_name(options));
  key += reads_texts(options) ? fmt::format("-l{}", options.tokens)
                              : fmt::format("-i{}x{}", options.image, options.channels);
  key += fmt::format("-c{}-b{}-s{}-r{}-t{}", options.classes, options.batch, options.shards, resources.ranks,
                     resources.threads);
  if (options.loss != usual.loss) key += "-" + options.loss;
  if (options.batch_norm == train::BatchNormScope::global) key += "-global";
  if (options.bucket_mib != usual.bucket_mib) key += fmt::format("-k{}", options.bucket_mib);
  return key;
}

double Point::multiply_accumulates() const {
  double total = 0;
  for (const RegionTimes& part : regions) total += part.multiply_accumulates;
  return total;
}

double Point::bytes() const {
  double total = 0;
  for (const RegionTimes& part : regions) total += part.bytes;
  return total;
}

const RegionTimes* Point::region(const std::string& name) const {
  for (const RegionTimes& part : regions)
    if (part.name == name) return &part;
  return nullptr;
}

}  // namespace bcr::scale
