#include "src/scale/study/study_plan.hpp"

#include "src/core/error.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace bcr::scale {
namespace {

struct Variation {
  SweepKind kind;
  std::string key;  ///< of the study file
  const std::vector<int>& values;
  std::function<void(PlannedPoint&, int)> apply;
};

void require_ascending(const std::string& key, const std::vector<int>& values) {
  const bool ascending = std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
  require<ConfigError>(ascending, key, "values in ascending order, each once", "others");
}

std::vector<Variation> variations(const StudyOptions& o) {
  const int shards = std::max(o.base.shards, o.strong.ranks.empty() ? 1 : o.strong.ranks.back());
  const auto size = [](int PointOptions::*const member) {
    return [member](PlannedPoint& point, const int value) { point.options.*member = value; };
  };
  return {
      {SweepKind::strong_threads, "strong.threads", o.strong.threads,
       [](PlannedPoint& p, const int n) { p.resources.threads = n; }},
      {SweepKind::strong_ranks, "strong.ranks", o.strong.ranks,
       [&o, shards](PlannedPoint& p, const int n) {
         p.resources = {n, o.study.threads_per_rank};
         p.options.shards = shards;
       }},
      {SweepKind::weak_threads, "weak.threads", o.weak.threads,
       [](PlannedPoint& p, const int n) {
         p.resources.threads = n;
         p.options.batch *= n;
       }},
      {SweepKind::weak_ranks, "weak.ranks", o.weak.ranks,
       [&o](PlannedPoint& p, const int n) {
         p.resources = {n, o.study.threads_per_rank};
         p.options.batch *= n;
         p.options.shards *= n;
       }},
      {SweepKind::batch, "size.batch", o.size.batch, size(&PointOptions::batch)},
      {SweepKind::image, "size.image", o.size.image, size(&PointOptions::image)},
      {SweepKind::depth, "size.depth", o.size.depth, size(&PointOptions::depth)},
      {SweepKind::width, "size.width", o.size.width, size(&PointOptions::width)},
      {SweepKind::classes, "size.classes", o.size.classes, size(&PointOptions::classes)},
  };
}

void add_point(StudyPlan& plan, const PlannedPoint& point) {
  require_consistent(point.options);
  if (std::find(plan.points.begin(), plan.points.end(), point) == plan.points.end()) plan.points.push_back(point);
}

}  // namespace

std::string_view sweep_name(const SweepKind kind) {
  constexpr std::array<std::string_view, 9> names{"strong, threads", "strong, ranks", "weak, threads",
                                                  "weak, ranks",     "batch",         "image",
                                                  "depth",           "width",         "classes"};
  return names[static_cast<std::size_t>(kind)];
}

PlannedPoint base_point(const StudyOptions& options, const nn::Mode mode) {
  PlannedPoint point{options.base, {1, options.study.threads}};
  point.options.mode = mode;
  return point;
}

std::vector<nn::Mode> modes_of(const StudyOptions& options) {
  return options.study.modes.empty() ? std::vector{options.base.mode} : options.study.modes;
}

StudyPlan plan_study(const StudyOptions& options) {
  StudyPlan plan;
  for (const nn::Mode mode : modes_of(options)) add_point(plan, base_point(options, mode));
  for (const Variation& variation : variations(options)) {
    if (variation.values.empty()) continue;
    require_ascending(variation.key, variation.values);
    for (const nn::Mode mode : modes_of(options)) {
      Sweep& sweep = plan.sweeps.emplace_back(Sweep{variation.kind, mode, {}});
      for (const int value : variation.values) {
        PlannedPoint point = base_point(options, mode);
        variation.apply(point, value);
        add_point(plan, point);
        sweep.steps.push_back({value, point});
      }
    }
  }
  require<ConfigError>(!plan.sweeps.empty(), "study", "at least one list of strong, weak or size", "none");
  return plan;
}

}  // namespace bcr::scale
