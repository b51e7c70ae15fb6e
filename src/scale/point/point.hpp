#ifndef BCR_SRC_SCALE_POINT_POINT_HPP
#define BCR_SRC_SCALE_POINT_POINT_HPP

#include "src/scale/point/point_options.hpp"
#include "src/scale/statistics/sample_summary.hpp"

#include <string>
#include <vector>

namespace bcr::scale {

/// One part of a training step (src/train/region_clock.hpp) and what it has to do.
struct RegionTimes {
  std::string name;
  std::vector<double> seconds;      ///< of each step that was watched, the slowest rank's
  double multiply_accumulates = 0;  ///< of all ranks (src/scale/measure/step_work.hpp)
  double bytes = 0;

  SampleSummary summary() const { return summarise(seconds); }
};

/// What was measured of one problem on some resources.
struct Point {
  PointOptions options;
  Resources resources;
  std::string date;
  std::string machine;  ///< the name of the device, or of the processor
  std::string version;  ///< "0.1.0 (1a2b3c4d, clean)"

  std::vector<double> step_seconds;  ///< of whole steps, nothing waited for in between; the slowest rank's
  std::vector<RegionTimes> regions;
  double fma_peak = 0;   ///< fused multiply-adds per second, of all ranks together
  double bandwidth = 0;  ///< bytes per second, of all ranks together
  double parameters = 0;
  double message_bytes = 0;   ///< that one rank sends in a step
  double model_bytes = 0;     ///< activations, parameters, gradients, optimiser: of one rank
  double resident_bytes = 0;  ///< the most that a process had in memory
  double loss = 0;

  SampleSummary step() const { return summarise(step_seconds); }
  double images_per_second() const { return options.batch / step().median; }
  double multiply_accumulates() const;
  double bytes() const;
  /// Shares of what the same threads reached in pure fma and triad loops, timed in turn with the steps.
  double share_of_peak() const { return multiply_accumulates() / step().median / fma_peak; }
  double share_of_bandwidth() const { return bytes() / step().median / bandwidth; }

  const RegionTimes* region(const std::string& name) const;
};

/// One JSON object with everything, and where and how it was measured.
std::string point_json(const Point& point);

/// IoErrors that name `source`: no JSON, another kind of file, a missing or wrong entry.
Point parse_point(const std::string& text, const std::string& source);

}  // namespace bcr::scale

#endif
