#include "src/scale/study/point_store.hpp"

#include "src/core/atomic_file.hpp"
#include "src/core/error.hpp"
#include "src/core/text_file.hpp"
#include "src/scale/measure/measure_point.hpp"

#include <system_error>
#include <utility>

namespace bcr::scale {
namespace {

bool is_as_planned(const Point& point, const PlannedPoint& planned) {
  return point.options == planned.options && point.resources == planned.resources;
}

}  // namespace

PointStore::PointStore(std::filesystem::path folder, Log log) : folder_(std::move(folder)), log_(std::move(log)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw IoError("make " + folder_.string(), "a directory", error.message());
}

std::optional<StoredPoint> PointStore::find(const PlannedPoint& planned) const {
  const std::filesystem::path file = path(planned);
  if (!std::filesystem::exists(file)) return std::nullopt;
  try {
    const std::string json = read_text(file);
    Point point = parse_point(json, file.string());
    if (is_as_planned(point, planned) && point.version == program_version() && point.machine == device_name())
      return StoredPoint{std::move(point), json};
    log_.info("scale", "{} was measured otherwise, by another version or elsewhere: again", file.string());
  } catch (const Error& error) {
    log_.warning("scale", "{}: measured again", error.what());
  }
  return std::nullopt;
}

StoredPoint PointStore::keep(const PlannedPoint& planned, const std::string& json) const {
  Point point = parse_point(json, "the output of bcr-scale run");
  if (!is_as_planned(point, planned))
    throw IoError("bcr-scale run", planned.key(), point_key(point.options, point.resources));
  write_file(path(planned), json);
  return {std::move(point), json};
}

}  // namespace bcr::scale
