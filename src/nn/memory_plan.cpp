#include "src/nn/memory_plan.hpp"

#include <algorithm>
#include <numeric>

namespace bcr::nn {
namespace {

std::size_t round_up(const std::size_t size, const std::size_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

bool meet(const Lifetime& a, const Lifetime& b) {
  return a.first <= b.last && b.first <= a.last;
}

}  // namespace

MemoryPlan place_buffers(const std::span<const Lifetime> lifetimes, const std::size_t alignment) {
  std::vector<std::size_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](const auto a, const auto b) { return lifetimes[a].size > lifetimes[b].size; });

  MemoryPlan plan{std::vector<std::size_t>(lifetimes.size(), 0), 0};
  std::vector<std::size_t> placed;  // by ascending offset
  for (const std::size_t buffer : order) {
    const std::size_t size = round_up(lifetimes[buffer].size, alignment);
    std::size_t offset = 0;
    for (const std::size_t other : placed) {
      if (!meet(lifetimes[buffer], lifetimes[other])) continue;
      if (offset + size <= plan.offsets[other]) break;
      offset = std::max(offset, plan.offsets[other] + round_up(lifetimes[other].size, alignment));
    }
    plan.offsets[buffer] = offset;
    plan.size = std::max(plan.size, offset + size);
    const auto position = std::upper_bound(placed.begin(), placed.end(), offset, [&](const auto value, const auto other) {
      return value < plan.offsets[other];
    });
    placed.insert(position, buffer);
  }
  return plan;
}

std::size_t peak_size(const std::span<const Lifetime> lifetimes, const std::size_t alignment) {
  std::size_t peak = 0;
  for (const auto& at : lifetimes) {
    std::size_t alive = 0;
    for (const auto& other : lifetimes)
      if (other.first <= at.first && at.first <= other.last) alive += round_up(other.size, alignment);
    peak = std::max(peak, alive);
  }
  return peak;
}

}  // namespace bcr::nn
