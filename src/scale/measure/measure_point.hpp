#ifndef BCR_SRC_SCALE_MEASURE_MEASURE_POINT_HPP
#define BCR_SRC_SCALE_MEASURE_MEASURE_POINT_HPP

#include "src/comm/communicator.hpp"
#include "src/core/log.hpp"
#include "src/scale/point/point.hpp"

#include <functional>
#include <optional>

namespace bcr::scale {

/// Times training steps of one problem on the ranks of this job, each with the threads that Kokkos was given: after the
/// warm-up, in turn, a step as it runs in training, a step that waits at the end of each part, and the roof of the
/// machine. Times are those of the slowest rank, from a barrier on; roofs are those of all ranks together. All ranks
/// get the same point. A NumericsError if the loss is not finite: the time of such a step means nothing. Nothing if
/// `stop` asked to end.
std::optional<Point> measure_point(const PointOptions& options, comm::Communicator& ranks, const Log& log,
                                   const std::function<bool()>& stop);

/// "0.1.0 (1a2b3c4d5e6f, clean)".
std::string program_version();

/// The name of the device that computes, or of the processor.
std::string device_name();

}  // namespace bcr::scale

#endif
