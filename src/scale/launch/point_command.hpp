#ifndef BCR_SRC_SCALE_LAUNCH_POINT_COMMAND_HPP
#define BCR_SRC_SCALE_LAUNCH_POINT_COMMAND_HPP

#include "src/scale/launch/launch_options.hpp"
#include "src/scale/launch/process.hpp"
#include "src/scale/point/point_options.hpp"

namespace bcr::scale {

/// `bcr-scale run` for one point, started by the launcher where there is more than one rank. `program` is bcr-scale.
/// Threads are not bound to cores by mpirun: Open MPI would put all threads of a rank on one.
Command point_command(const std::string& program, const PointOptions& options, const Resources& resources,
                      const LaunchOptions& launch);

}  // namespace bcr::scale

#endif
