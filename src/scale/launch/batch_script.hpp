#ifndef BCR_SRC_SCALE_LAUNCH_BATCH_SCRIPT_HPP
#define BCR_SRC_SCALE_LAUNCH_BATCH_SCRIPT_HPP

#include "src/scale/launch/launch_options.hpp"
#include "src/scale/launch/process.hpp"
#include "src/scale/point/point_options.hpp"

#include <span>

namespace bcr::scale {

/// What a study needs at most.
struct Allocation {
  Resources largest;                                         ///< the point with the most ranks
  enum class Nodes { shared, whole } nodes = Nodes::shared;  ///< whole: points of fewer ranks have more threads each
};

Allocation allocation_for(std::span<const Resources> points);

/// A script for sbatch: an allocation that is large enough, in which `study` runs. A job that was cut
/// short is submitted again and goes on where it stopped.
std::string batch_script(const SlurmOptions& slurm, const Allocation& allocation, const Command& study);

}  // namespace bcr::scale

#endif
