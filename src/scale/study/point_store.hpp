#ifndef BCR_SRC_SCALE_STUDY_POINT_STORE_HPP
#define BCR_SRC_SCALE_STUDY_POINT_STORE_HPP

#include "src/core/log.hpp"
#include "src/scale/point/point.hpp"
#include "src/scale/study/study_plan.hpp"

#include <filesystem>
#include <optional>

namespace bcr::scale {

/// A point and the object that `bcr-scale run` wrote of it, which says where and how it was measured.
struct StoredPoint {
  Point point;
  std::string json;
};

/// The points of a study on disk, one JSON file each: what a study that was stopped finds again.
class PointStore {
 public:
  /// Makes the folder if absent.
  PointStore(std::filesystem::path folder, Log log);

  std::filesystem::path path(const PlannedPoint& planned) const { return folder_ / (planned.key() + ".json"); }

  /// The point if it was measured as planned, by this very program on this device. Files that cannot be read are told
  /// and count as absent.
  std::optional<StoredPoint> find(const PlannedPoint& planned) const;

  /// Takes the output of `bcr-scale run`; an IoError if that is not the point that was planned.
  StoredPoint keep(const PlannedPoint& planned, const std::string& json) const;

 private:
  std::filesystem::path folder_;
  Log log_;
};

}  // namespace bcr::scale

#endif
