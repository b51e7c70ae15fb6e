#ifndef BCR_SRC_SCALE_STUDY_STUDY_PLAN_HPP
#define BCR_SRC_SCALE_STUDY_STUDY_PLAN_HPP

#include "src/scale/launch/launch.hpp"
#include "src/scale/point/point.hpp"
#include "src/scale/study/rank_model.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace bcr::scale {

/// The sections [strong] and [weak].
struct GrowthOptions {
  std::vector<int> threads;
  std::vector<int> ranks;
};

template <class V>
void describe(V& v, GrowthOptions& o) {
  v("threads", o.threads, "threads of one rank, ascending; empty: not measured", must_be::at_least(1));
  v("ranks", o.ranks, "ranks of study.threads_per_rank threads, ascending; empty: not measured", must_be::at_least(1));
}

/// The section [size]: what is varied alone, everything else as in [base].
struct SizeOptions {
  std::vector<int> batch;
  std::vector<int> image;
  std::vector<int> depth;
  std::vector<int> width;
  std::vector<int> classes;
};

template <class V>
void describe(V& v, SizeOptions& o) {
  v("batch", o.batch, "images of a batch", must_be::at_least(2));
  v("image", o.image, "height and width of images", must_be::between(8, 4096));
  v("depth", o.depth, "layers of a wrn", must_be::at_least(10));
  v("width", o.width, "factor on the channels of a wrn", must_be::at_least(1));
  v("classes", o.classes, "known classes", must_be::between(2, 21841));
}

/// The section [study].
struct FrameOptions {
  std::string title = "Training steps";
  std::string machine;
  std::vector<nn::Mode> modes;
  int threads = 1;
  int threads_per_rank = 1;
  std::vector<std::filesystem::path> platforms;
};

template <class V>
void describe(V& v, FrameOptions& o) {
  v("title", o.title, "heading of the report", must_be::not_empty());
  v("machine", o.machine, "name of the machine in tables; empty: that of the processor or device");
  v("modes", o.modes, "every sweep in each of these; empty: base.mode alone");
  v("threads", o.threads, "threads of the base point and of the sweeps over sizes", must_be::at_least(1));
  v("threads_per_rank", o.threads_per_rank, "threads of a rank in the sweeps over ranks", must_be::at_least(1));
  v("platforms", o.platforms, "tables (CSV in the columns of P3) of other machines, for the portability cascade");
}

/// A study file.
struct StudyOptions {
  FrameOptions study;
  PointOptions base;
  GrowthOptions strong;
  GrowthOptions weak;
  SizeOptions size;
  NetworkOptions predict;
  LaunchOptions launch;
  SlurmOptions slurm;
};

template <class V>
void describe(V& v, StudyOptions& o) {
  v("study", o.study, "the study as a whole");
  v("base", o.base, "the point from which every sweep departs");
  v("strong", o.strong, "the batch stays: base.batch images over all threads or ranks");
  v("weak", o.weak, "the batch grows: base.batch images for each thread or rank");
  v("size", o.size, "cost per image against the size of the problem, one rank of study.threads threads");
  v("predict", o.predict, "a larger machine, predicted from what was measured");
  v("launch", o.launch, "how points of several ranks are started");
  v("slurm", o.slurm, "the script that --sbatch writes");
}

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
