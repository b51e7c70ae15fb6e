#ifndef BCR_SRC_CORE_HOST_TASKS_HPP
#define BCR_SRC_CORE_HOST_TASKS_HPP

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace bcr {

/// A contiguous part of an array.
struct IndexRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  constexpr std::size_t size() const { return end - begin; }
};

/// Runs task(0), ..., task(tasks - 1) on the host's threads and waits for them. The order is not defined, so a task
/// may write only what no other task touches. What a task is must not depend on the number of threads.
template <class Task>
void for_each_task(const char* const label, const std::size_t tasks, const Task& task) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  using Policy = Kokkos::RangePolicy<Host, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::size_t>>;
  const Host host;
  if (tasks == 1) {
    task(std::size_t{0});
    return;
  }
  Kokkos::parallel_for(label, Policy(host, 0, tasks, Kokkos::ChunkSize(1)), task);
  host.fence(label);
}

/// Elements that one task handles: enough to pay for its start, and the same whatever the number of threads.
inline constexpr std::size_t task_length = std::size_t{1} << 16;

/// Part `index` of [0, size) cut into pieces of `length`; the last may be shorter.
constexpr IndexRange part_of(const std::size_t size, const std::size_t length, const std::size_t index) {
  const std::size_t begin = index * length;
  return {begin, std::min(size, begin + length)};
}

/// How many such parts there are.
constexpr std::size_t parts_in(const std::size_t size, const std::size_t length) {
  return (size + length - 1) / length;
}

}  // namespace bcr

#endif
