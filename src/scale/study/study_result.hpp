#ifndef BCR_SRC_SCALE_STUDY_STUDY_RESULT_HPP
#define BCR_SRC_SCALE_STUDY_STUDY_RESULT_HPP

#include "src/core/log.hpp"
#include "src/scale/p3/p3_table.hpp"
#include "src/scale/point/point.hpp"
#include "src/scale/study/study_plan.hpp"

#include <filesystem>
#include <map>
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

struct FailedPoint {
  std::string key;
  std::string reason;
};

/// What a study has measured so far.
struct StudyResult {
  StudyOptions options;
  StudyPlan plan;
  std::string machine;
  std::map<std::string, StoredPoint> points;  ///< by key
  std::vector<FailedPoint> failed;

  const Point* find(const PlannedPoint& planned) const;
};

/// A value with its confidence interval.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// One measured step of a sweep.
struct SeriesPoint {
  int value = 0;  ///< threads, ranks, images, ...
  const Point* point = nullptr;
  Estimate seconds;
  Estimate seconds_per_image;
  Estimate speed_up;    ///< images per second over those of the first step; 1 at the first
  Estimate efficiency;  ///< speed-up over the growth of threads or ranks since the first
};

struct MeasuredSeries {
  SweepKind kind = SweepKind::batch;
  nn::Mode mode = nn::Mode::strict;
  std::vector<SeriesPoint> points;  ///< without those that failed
};

/// The sweeps with their numbers; those without a single point are left out. Intervals of ratios are the widest that
/// the intervals of both times allow.
std::vector<MeasuredSeries> measured_series(const StudyResult& result);

/// One row per point, in the order of the plan.
std::vector<P3Row> p3_rows(const StudyResult& result);

/// What was measured of the sweeps, as a table for people.
std::string series_text(const std::vector<MeasuredSeries>& all);

std::string_view mode_name(nn::Mode mode);

/// What the model says of one mode, and from what.
struct StudyPrediction {
  nn::Mode mode = nn::Mode::strict;
  ComputeModel compute;
  std::size_t samples = 0;  ///< batch sizes that the compute model was fitted to
  double gradient_bytes = 0;
  std::vector<PredictedPoint> strong;
  std::vector<PredictedPoint> weak;
};

/// From the points of one rank that differ from the base in nothing but the batch; modes without any are left out.
std::vector<StudyPrediction> predict_study(const StudyResult& result);

}  // namespace bcr::scale

#endif
