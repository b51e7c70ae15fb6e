#ifndef BCR_KERNELS_ROOF_TRIAD_RATE_HPP
#define BCR_KERNELS_ROOF_TRIAD_RATE_HPP

#include "src/core/launch.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace bcr::kernels {

namespace impl {

struct TriadPart {
  double* a;
  const double* b;
  const double* c;
  std::size_t length;
  std::size_t parts;

  KOKKOS_FUNCTION void operator()(const int part) const {
    double* const to = a;
    const double* const from = b;
    const double* const scaled = c;
    const std::size_t end = length * (part + 1) / parts;
#pragma omp simd
    for (std::size_t i = length * part / parts; i < end; ++i) to[i] = Kokkos::fma(0.5, scaled[i], from[i]);
  }
};

}  // namespace impl

/// Bytes per second of a(i) = b(i) + c(i) / 2 on arrays beyond every cache: two reads and a write, write-allocate not
/// counted; best of all samples. On the host a part of the arrays is one loop over plain pointers: through Views the
/// compiler keeps to one lane.
template <class Exec>
class TriadRate {
 public:
  explicit TriadRate(const Exec& exec, const int length = 1 << 23)  // 64 MB each
      : exec_(exec), a_("bcr::kernels::a", length), b_("bcr::kernels::b", length), c_("bcr::kernels::c", length) {}

  void sample() {
    const std::size_t length = a_.size();
    const std::size_t parts = is_host_exec<Exec> ? std::size_t(exec_.concurrency()) : length;
    const impl::TriadPart part{a_.data(), b_.data(), c_.data(), length, parts};
    const Kokkos::Timer timer;
    Kokkos::parallel_for("bcr::kernels::triad", policy(int(parts)), part);
    exec_.fence("bcr::kernels::TriadRate");
    best_ = std::max(best_, 3.0 * sizeof(double) * double(length) / timer.seconds());
  }

  double best() const { return best_; }

 private:
  Kokkos::RangePolicy<Exec> policy(const int parts) const {
    if constexpr (is_host_exec<Exec>) return {exec_, 0, parts, Kokkos::ChunkSize(1)};
    return {exec_, 0, parts};
  }

  using Array = Kokkos::View<double*, typename Exec::memory_space>;
  Exec exec_;
  Array a_, b_, c_;
  double best_ = 0;
};

}  // namespace bcr::kernels

#endif
