#ifndef BCR_TESTS_UNIT_SCALE_SAMPLE_POINTS_HPP
#define BCR_TESTS_UNIT_SCALE_SAMPLE_POINTS_HPP

#include "src/scale/point/point.hpp"

namespace bcr::test {

/// A point whose steps all took about `seconds`.
inline scale::Point sample_point(const scale::PointOptions& options, const scale::Resources& resources,
                                 const double seconds) {
  scale::Point point;
  point.options = options;
  point.resources = resources;
  point.date = "2026-01-31T12:34:56Z";
  point.machine = "Machine, \"model\" 1";
  point.version = "0.1.0 (0123456789ab, clean)";
  point.space = "OpenMP";
  point.kind = "cpu";
  point.library = "own kernels";
  for (int i = 0; i < 11; ++i) point.step_seconds.push_back(seconds * (1 + 0.01 * (i - 5)));
  point.regions = {{"data", {0.1 * seconds, 0.2 * seconds}, 0, 1e6},
                   {"forward", {0.25 * seconds}, 2e8, 3e7},
                   {"backward", {0.5 * seconds}, 4e8, 6e7}};
  point.fma_peak = 1e11;
  point.bandwidth = 2e10;
  point.parameters = 1e6;
  point.message_bytes = 3;
  point.model_bytes = 5e6;
  point.resident_bytes = 7e7;
  point.device_bytes = 6e6;
  point.loss = 2.5;
  return point;
}

}  // namespace bcr::test

#endif
