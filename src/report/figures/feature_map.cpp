#include "src/report/figures/run_figures.hpp"

#include "src/report/figures/principal_axes.hpp"
#include "src/report/plot/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bcr::report {

namespace {

constexpr std::size_t most_known = 900;
constexpr std::size_t most_unknown = 600;
constexpr std::size_t most_named = 12;   ///< anchors that carry their name
constexpr double room_for_names = 0.06;  ///< beyond the outermost anchors, as a share of the axis

std::string class_name(const RunScores& scores, const std::int32_t label) {
  return scores.class_names[static_cast<std::size_t>(label)];
}

bool finite_row(const Rows& rows, const std::size_t i) {
  return std::all_of(rows.row(i), rows.row(i) + rows.width, [](const float value) { return std::isfinite(value); });
}

/// A cloud for each class, all of one colour where there are more classes than colours.
std::vector<Cloud> known_clouds(const RunScores& scores, const PrincipalPlane& plane) {
  const bool few = scores.classes() <= series_colours;
  const bool labelled = scores.known.labels.size() == scores.known.size();
  std::vector<Cloud> clouds(few && labelled ? scores.classes() : 1);
  for (std::size_t c = 0; c < clouds.size(); ++c) {
    clouds[c].colour = c;
    if (clouds.size() == 1) {
      clouds[c].name = "known";
    } else if (scores.anchors.width == 0) {
      clouds[c].name = scores.class_names[c];  // else the anchors carry the names
    }
  }
  for (const std::size_t i : spread(scores.known.size(), most_known)) {
    if (!finite_row(scores.known.features, i)) continue;
    Cloud& cloud = clouds[clouds.size() == 1 ? 0 : static_cast<std::size_t>(scores.known.labels[i])];
    cloud.points.push_back(plane.project(scores.known.features.row(i)));
    cloud.names.push_back(labelled ? fmt::format("{}, called {}", class_name(scores, scores.known.labels[i]),
                                                 class_name(scores, scores.known.predictions[i]))
                                   : std::string());
  }
  return clouds;
}

Cloud unknown_cloud(const RunScores& scores, const PrincipalPlane& plane) {
  Cloud cloud{"unknown", Symbol::ring, neutral_colour, {}, {}};
  for (const ScoredSet& set : scores.unknown) {
    if (set.features.width != plane.mean.size()) continue;
    for (const std::size_t i : spread(set.size(), most_unknown / std::max<std::size_t>(scores.unknown.size(), 1))) {
      if (!finite_row(set.features, i)) continue;
      cloud.points.push_back(plane.project(set.features.row(i)));
      cloud.names.push_back(fmt::format("{}, nearest to {}", set.name, class_name(scores, set.predictions[i])));
    }
  }
  return cloud;
}

std::vector<Cloud> anchor_clouds(const RunScores& scores, const PrincipalPlane& plane) {
  std::vector<Cloud> clouds;
  const std::size_t count = std::min(scores.anchors.count(), scores.classes());
  for (std::size_t c = 0; c < count; ++c) {
    if (!finite_row(scores.anchors, c)) continue;
    const bool few = scores.classes() <= series_colours;
    Cloud cloud{"", Symbol::diamond, few ? c : 1, {plane.project(scores.anchors.row(c))}, {}};
    if (count <= most_named) cloud.names.push_back(scores.class_names[c]);
    clouds.push_back(std::move(cloud));
  }
  return clouds;
}

/// A range that shows nearly all points: far outliers would squeeze the rest into a corner.
Axis axis_of(const std::vector<Cloud>& clouds, double Point::*const coordinate, const std::string& label) {
  std::vector<std::vector<double>> lists(1);
  for (const Cloud& cloud : clouds) {
    const bool anchor = cloud.symbol == Symbol::diamond;
    if (anchor) lists.emplace_back();
    for (const Point& point : cloud.points) (anchor ? lists.back() : lists.front()).push_back(point.*coordinate);
  }
  Axis axis = histogram_range(label, lists, 0.005);
  const double room = lists.size() > 1 ? room_for_names * (axis.high - axis.low) : 0;
  axis.low -= room;
  axis.high += room;
  return axis;
}

}  // namespace

Figures feature_map(const RunScores& scores) {
  const Rows& features = scores.known.features;
  if (features.count() == 0 || features.width < 2) return {};
  for (std::size_t i = 0; i < features.count(); ++i) {
    if (!finite_row(features, i)) return {};
  }
  const PrincipalPlane plane = principal_plane(features);
  std::vector<Cloud> clouds;
  if (Cloud unknown = unknown_cloud(scores, plane); !unknown.points.empty()) clouds.push_back(std::move(unknown));
  for (Cloud& cloud : known_clouds(scores, plane)) clouds.push_back(std::move(cloud));
  for (Cloud& cloud : anchor_clouds(scores, plane)) clouds.push_back(std::move(cloud));
  const auto label = [&](const int axis) {
    return fmt::format("principal axis {} ({:.0f} % of the variance)", axis + 1, 100 * plane.shares[axis]);
  };
  const Axis x = axis_of(clouds, &Point::x, label(0));
  const Axis y = axis_of(clouds, &Point::y, label(1));
  const bool anchors = scores.anchors.count() != 0;
  Figures figures;
  figures.push_back(
      {"features",
       fmt::format("Features of test images ({} dimensions) in the plane of largest variance of the known ones{}. "
                   "Distances in the plane are at most the true ones.",
                   features.width, anchors ? "; diamonds are the anchors of the classes" : ""),
       draw(ScatterPlot{"Map of the features", x, y, std::move(clouds)})});
  return figures;
}

}  // namespace bcr::report
