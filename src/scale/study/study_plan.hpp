#ifndef BCR_SRC_SCALE_STUDY_STUDY_PLAN_HPP
#define BCR_SRC_SCALE_STUDY_STUDY_PLAN_HPP

#include "src/scale/study/study_options.hpp"

namespace bcr::scale {

struct PlannedPoint {
  PointOptions options;
  Resources resources;

  std::string key() const { return point_key(options, resources); }
  bool operator==(const PlannedPoint&) const = default;
};

/// What a sweep varies.
enum class SweepKind { strong_threads, strong_ranks, weak_threads, weak_ranks, batch, image, depth, width, classes };

/// "strong, threads"; "batch".
std::string_view sweep_name(SweepKind kind);

struct SweepStep {
  int value = 0;  ///< threads, ranks, images, ...
  PlannedPoint point;
};

struct Sweep {
  SweepKind kind = SweepKind::batch;
  nn::Mode mode = nn::Mode::strict;
  std::vector<SweepStep> steps;
};

/// Everything a study measures; points that several sweeps share are there once. The first points are the base in each
/// mode.
struct StudyPlan {
  std::vector<Sweep> sweeps;
  std::vector<PlannedPoint> points;
};

/// ConfigErrors: no sweep at all, a list that does not ascend, a point that cannot work.
///   strong  base.batch images; over ranks, as many shards as the most ranks, so that all compute the same
///   weak    base.batch images for each thread or rank; base.shards shards for each rank
StudyPlan plan_study(const StudyOptions& options);

/// The base in a mode, on one rank.
PlannedPoint base_point(const StudyOptions& options, nn::Mode mode);
std::vector<nn::Mode> modes_of(const StudyOptions& options);

}  // namespace bcr::scale

#endif
