#include "src/optim/parameter_layout.hpp"

#include "src/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace bcr::optim {

namespace {

constexpr std::int64_t chunk_size = 16384;

std::vector<ParameterSlice> by_offset(std::vector<ParameterSlice> slices) {
  std::stable_sort(slices.begin(), slices.end(),
                   [](const ParameterSlice& a, const ParameterSlice& b) { return a.offset < b.offset; });
  return slices;
}

std::int32_t index_of(const std::string& group, const std::vector<ParameterGroup>& groups) {
  const auto found =
      std::find_if(groups.begin(), groups.end(), [&](const ParameterGroup& g) { return g.name == group; });
  return static_cast<std::int32_t>(found - groups.begin());
}

void check_groups(const std::vector<ParameterGroup>& groups) {
  const auto most = static_cast<std::size_t>(kernels::most_parameter_groups);
  if (groups.empty() || groups.size() > most) {
    throw ConfigError("parameter groups", "1 to " + std::to_string(most) + " groups", std::to_string(groups.size()));
  }
  for (const ParameterGroup& group : groups) {
    const bool fits = group.rate_multiplier >= 0 && std::isfinite(group.rate_multiplier) && group.weight_decay >= 0 &&
                      std::isfinite(group.weight_decay) && group.momentum >= 0 && group.momentum < 1;
    if (!fits) {
      throw ConfigError("parameter group " + group.name, "rate multiplier and weight decay >= 0, momentum in [0, 1)",
                        std::to_string(group.rate_multiplier) + ", " + std::to_string(group.weight_decay) + ", " +
                            std::to_string(group.momentum));
    }
  }
}

}  // namespace

void check(const ParameterLayout& layout) {
  check_groups(layout.groups);
  std::set<std::string> names;
  for (const ParameterSlice& slice : layout.slices) {
    require<ConfigError>(names.insert(slice.name).second, "parameter layout", "names that differ",
                         slice.name + " twice");
    require<ConfigError>(static_cast<std::size_t>(index_of(slice.group, layout.groups)) < layout.groups.size(),
                         "parameter " + slice.name, "a group of the layout", slice.group);
  }
  std::size_t end = 0;
  for (const ParameterSlice& slice : by_offset(layout.slices)) {
    if (slice.size > 0 && slice.offset < end) {
      throw ShapeError("parameter " + slice.name, "an offset of at least " + std::to_string(end),
                       std::to_string(slice.offset));
    }
    end = std::max(end, slice.offset + slice.size);
    if (end > layout.arena_size) {
      throw ShapeError("parameter " + slice.name, "an end within " + std::to_string(layout.arena_size),
                       std::to_string(end));
    }
  }
}

std::vector<kernels::ParameterChunk> make_chunks(const ParameterLayout& layout) {
  std::vector<kernels::ParameterChunk> chunks;
  for (const ParameterSlice& slice : by_offset(layout.slices)) {
    auto begin = static_cast<std::int64_t>(slice.offset);
    auto left = static_cast<std::int64_t>(slice.size);
    const std::int32_t group = index_of(slice.group, layout.groups);
    if (!chunks.empty()) {
      kernels::ParameterChunk& last = chunks.back();
      const bool joins = last.group == group && last.begin + last.size == begin;
      const std::int64_t taken = joins ? std::min(left, chunk_size - last.size) : 0;
      last.size += static_cast<std::int32_t>(taken);
      begin += taken;
      left -= taken;
    }
    while (left > 0) {
      const std::int64_t size = std::min(left, chunk_size);
      chunks.push_back({begin, static_cast<std::int32_t>(size), group});
      begin += size;
      left -= size;
    }
  }
  return chunks;
}

}  // namespace bcr::optim
