#include "src/scale/point/point.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

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

models::BackboneOptions backbone_of(const PointOptions& options) {
  return {.name = options.backbone, .depth = options.depth, .width = options.width};
}

void require_consistent(const PointOptions& options) {
  models::require_backbone(backbone_of(options), "");
  const models::BackboneEntry& backbone = models::backbones().find(options.backbone);
  require<ConfigError>(backbone.input == models::BackboneInput::images, "backbone", "one that reads images",
                       backbone.name);
  if (options.image % backbone.divides_image != 0)
    throw ConfigError("image", fmt::format("a size that {} divides, for a {}", backbone.divides_image, backbone.name),
                      std::to_string(options.image));
  if (options.batch % (2 * options.shards) != 0)
    throw ConfigError("batch", fmt::format("a multiple of 2 x {} shards: half of each is background", options.shards),
                      std::to_string(options.batch));
}

std::string application_name(const PointOptions& options) {
  return fmt::format("bcr {}", mode_name(options.mode));
}

std::string network_name(const PointOptions& options) {
  return models::backbones().find(options.backbone).variant(backbone_of(options));
}

std::string problem_name(const PointOptions& options) {
  return fmt::format("train {} {}x{}x{} batch {} classes {}{}", network_name(options), options.image, options.image,
                     options.channels, options.batch, options.classes, shards_name(options));
}

std::string platform_name(const std::string& machine, const Resources& resources) {
  return fmt::format("{} [{}x{}]", machine, resources.ranks, resources.threads);
}

std::string point_key(const PointOptions& options, const Resources& resources) {
  const bool usual_buckets = options.bucket_mib == PointOptions().bucket_mib;
  return fmt::format("{}-{}-i{}x{}-c{}-b{}-s{}-r{}-t{}{}{}", mode_name(options.mode), network_name(options),
                     options.image, options.channels, options.classes, options.batch, options.shards, resources.ranks,
                     resources.threads, options.batch_norm == train::BatchNormScope::global ? "-global" : "",
                     usual_buckets ? "" : fmt::format("-k{}", options.bucket_mib));
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
