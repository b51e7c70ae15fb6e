#ifndef BCR_KERNELS_OPTIM_PARAMETER_CHUNKS_HPP
#define BCR_KERNELS_OPTIM_PARAMETER_CHUNKS_HPP

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace bcr::kernels {

/// A stretch of the flat array that holds all parameters, all of one group (same rate, decay, momentum). A chunk is the
/// unit of scheduling; an update is element by element, so where chunks begin has no influence on a bit.
struct ParameterChunk {
  std::int64_t begin = 0;
  std::int32_t size = 0;
  std::int32_t group = 0;
};

/// Small enough to travel in the argument of a kernel.
inline constexpr int most_parameter_groups = 8;

template <class Coefficients>
using PerGroup = Kokkos::Array<Coefficients, most_parameter_groups>;

}  // namespace bcr::kernels

#endif
