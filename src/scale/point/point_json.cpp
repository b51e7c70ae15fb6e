#include "src/core/error.hpp"
#include "src/core/manifest.hpp"
#include "src/scale/point/point.hpp"

#include <nlohmann/json.hpp>

namespace bcr::scale {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "bcr scale point";

void set_summary(Manifest& manifest, const std::string& key, const SampleSummary& summary) {
  manifest.set(key + ".median", summary.median);
  manifest.set(key + ".low", summary.low);
  manifest.set(key + ".high", summary.high);
  manifest.set(key + ".coverage", summary.coverage);
  manifest.set(key + ".mean", summary.mean);
  manifest.set(key + ".deviation", summary.deviation);
  manifest.set(key + ".least", summary.least);
  manifest.set(key + ".most", summary.most);
  manifest.set(key + ".count", summary.count);
}

void set_options(Manifest& manifest, const PointOptions& options) {
  for (const OptionSection& section : list_options(options))
    for (const OptionLine& line : section.lines) manifest.set_value("point." + line.key, *line.value);
}

void set_region(Manifest& manifest, const RegionTimes& region) {
  const std::string key = "regions." + region.name;
  const SampleSummary summary = region.summary();
  set_summary(manifest, key + ".seconds", summary);
  manifest.set(key + ".multiply_accumulates", region.multiply_accumulates);
  manifest.set(key + ".bytes", region.bytes);
  manifest.set(key + ".samples", region.seconds);
}

/// Reads one file and says which entry was wrong.
class PointReader {
 public:
  PointReader(const std::string& text, std::string source) : source_("read " + std::move(source)) {
    try {
      root_ = Json::parse(text);
    } catch (const Json::exception& error) {
      throw IoError(source_, "JSON", error.what());
    }
    require<IoError>(root_.is_object() && root_.value("format", "") == format_name, source_, "a point of bcr-scale",
                     "another kind of file");
  }

  const Json& root() const { return root_; }

  template <class T>
  T get(const std::string& pointer) const {
    return get<T>(root_, pointer);
  }

  template <class T>
  T get(const Json& object, const std::string& pointer) const {
    try {
      return object.at(Json::json_pointer(pointer)).get<T>();
    } catch (const Json::exception& error) {
      throw IoError(source_, "the entry " + pointer, error.what());
    }
  }

 private:
  std::string source_;
  Json root_;
};

PointOptions read_options(const PointReader& reader, const std::string& source) {
  std::vector<std::string> overrides;
  const Json given = reader.get<Json>("/point");
  for (const auto& [key, value] : given.items()) overrides.push_back(key + "=" + value.dump());
  try {
    return Config::load({}, overrides).read<PointOptions>();
  } catch (const ConfigError& error) {
    throw IoError("read " + source, error.expected(), error.received());
  }
}

}  // namespace

std::string point_json(const Point& point) {
  Manifest manifest;
  manifest.set("format", format_name);
  manifest.set("date", point.date);
  manifest.set("program", point.version);
  manifest.set("device", point.machine);
  manifest.set("backend.space", point.space);
  manifest.set("backend.kind", point.kind);
  manifest.set("backend.library", point.library);
  manifest.set("application", application_name(point.options));
  manifest.set("problem", problem_name(point.options));
  set_options(manifest, point.options);
  manifest.set("resources.ranks", point.resources.ranks);
  manifest.set("resources.threads", point.resources.threads);
  set_summary(manifest, "step.seconds", point.step());
  manifest.set("step.samples", point.step_seconds);
  manifest.set("step.images_per_second", point.images_per_second());
  manifest.set("step.multiply_accumulates", point.multiply_accumulates());
  manifest.set("step.bytes", point.bytes());
  manifest.set("step.share_of_peak", point.share_of_peak());
  manifest.set("step.share_of_bandwidth", point.share_of_bandwidth());
  manifest.set("step.loss", point.loss);
  for (const RegionTimes& region : point.regions) set_region(manifest, region);
  manifest.set("roof.fma_per_second", point.fma_peak);
  manifest.set("roof.bytes_per_second", point.bandwidth);
  manifest.set("communication.bytes", point.message_bytes);
  manifest.set("memory.parameters", point.parameters);
  manifest.set("memory.model_bytes", point.model_bytes);
  manifest.set("memory.resident_bytes", point.resident_bytes);
  manifest.set("memory.device_bytes", point.device_bytes);
  return manifest.to_json();
}

Point parse_point(const std::string& text, const std::string& source) {
  const PointReader reader(text, source);
  Point point;
  point.options = read_options(reader, source);
  point.resources = {reader.get<int>("/resources/ranks"), reader.get<int>("/resources/threads")};
  point.date = reader.get<std::string>("/date");
  point.machine = reader.get<std::string>("/device");
  point.version = reader.get<std::string>("/program");
  point.space = reader.get<std::string>("/backend/space");
  point.kind = reader.get<std::string>("/backend/kind");
  point.library = reader.get<std::string>("/backend/library");
  point.step_seconds = reader.get<std::vector<double>>("/step/samples");
  require<IoError>(!point.step_seconds.empty(), "read " + source, "at least one step that was timed", "none");
  const Json regions = reader.get<Json>("/regions");
  for (const auto& [name, region] : regions.items()) {
    point.regions.push_back({name, reader.get<std::vector<double>>(region, "/samples"),
                             reader.get<double>(region, "/multiply_accumulates"),
                             reader.get<double>(region, "/bytes")});
  }
  point.fma_peak = reader.get<double>("/roof/fma_per_second");
  point.bandwidth = reader.get<double>("/roof/bytes_per_second");
  point.message_bytes = reader.get<double>("/communication/bytes");
  point.parameters = reader.get<double>("/memory/parameters");
  point.model_bytes = reader.get<double>("/memory/model_bytes");
  point.resident_bytes = reader.get<double>("/memory/resident_bytes");
  point.device_bytes = reader.get<double>("/memory/device_bytes");
  point.loss = reader.get<double>("/step/loss");
  return point;
}

}  // namespace bcr::scale
