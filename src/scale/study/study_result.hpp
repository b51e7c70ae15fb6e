#ifndef BCR_SRC_SCALE_STUDY_STUDY_RESULT_HPP
#define BCR_SRC_SCALE_STUDY_STUDY_RESULT_HPP

#include "src/scale/p3/p3_table.hpp"
#include "src/scale/point/point.hpp"
#include "src/scale/study/point_store.hpp"

#include <map>
#include <optional>

namespace bcr::scale {

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

}  // namespace bcr::scale

#endif
