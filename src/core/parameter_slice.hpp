#ifndef BCR_SRC_CORE_PARAMETER_SLICE_HPP
#define BCR_SRC_CORE_PARAMETER_SLICE_HPP

#include <cstddef>
#include <string>

namespace bcr {

/// Where a named parameter tensor lies in the flat array that holds them all: what a network, which makes the tensors,
/// and an optimiser, which sees the array alone, both know of it.
struct ParameterSlice {
  std::string name;
  std::size_t offset = 0;
  std::size_t size = 0;
  std::string group = "default";  ///< parameters of one group share the settings of an optimiser
};

}  // namespace bcr

#endif
