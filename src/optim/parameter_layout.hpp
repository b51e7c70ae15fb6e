#ifndef BCR_SRC_OPTIM_PARAMETER_LAYOUT_HPP
#define BCR_SRC_OPTIM_PARAMETER_LAYOUT_HPP

#include "kernels/optim/parameter_chunks.hpp"
#include "src/core/parameter_slice.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace bcr::optim {

/// What an optimiser is told about the parameters that share settings.
struct ParameterGroup {
  std::string name;
  double rate_multiplier = 1;  ///< times the scheduled learning rate
  double weight_decay = 0;
  double momentum = 0.9;  ///< m of SGD, beta1 of Adam
};

/// Where the parameters lie in one flat array ("arena"). Gradients and the state of an optimiser have the same layout.
/// Gaps between slices (padding) are allowed and never touched.
struct ParameterLayout {
  std::size_t arena_size = 0;
  std::vector<ParameterSlice> slices;
  std::vector<ParameterGroup> groups;
};

/// All parameters of a store under the same settings, whatever their groups.
ParameterLayout one_group(const auto& parameters, const ParameterGroup& settings = {.name = "all"}) {
  ParameterLayout layout{parameters.values().size(), parameters.slices(), {settings}};
  for (ParameterSlice& slice : layout.slices) slice.group = settings.name;
  return layout;
}

/// ShapeError if slices overlap or leave the arena; ConfigError if a name comes twice, a group does not exist, there
/// are more than kernels::most_parameter_groups, or a setting is out of range.
void check(const ParameterLayout& layout);

/// The layout as the kernels see it: neighbours of one group joined, then cut so that there is work for all threads.
std::vector<kernels::ParameterChunk> make_chunks(const ParameterLayout& layout);

}  // namespace bcr::optim

#endif
