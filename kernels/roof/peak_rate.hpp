#ifndef BCR_KERNELS_ROOF_PEAK_RATE_HPP
#define BCR_KERNELS_ROOF_PEAK_RATE_HPP

#include "kernels/conv/lanes.hpp"
#include "src/core/launch.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

// What an execution space can compute at best. A share of the roof is only fair if both are timed in turn, since clocks
// and neighbours change: call sample() between repetitions of the kernel.
namespace bcr::kernels {

/// What a term is: one fma, or one subtraction and one fma.
enum class PeakOperation { fma, subtract_and_fma };

namespace impl {

/// A thread of the host: independent chains, as many as the registers hold beside their operands. These are read again
/// in each step from the first cache, through pointers the compiler cannot see through: else it would take the
/// subtractions out of the loop.
template <class Exec, class T, PeakOperation operation>
struct HostPeakLoop {
  static constexpr int width = channel_block<T>;
  static constexpr int points = vector_bytes == 64 ? 6 : 2;
  static constexpr int steps = 480000 / points;                  // long against the cost of a launch
  static constexpr double terms = 2.0 * points * width * steps;  ///< of one thread

  Kokkos::View<T*, typename Exec::memory_space> sink;
  Kokkos::View<double*, Kokkos::HostSpace> seconds;  ///< of each thread, the shortest loop so far

  void operator()(const int thread) const {
    const Kokkos::Timer timer;
    sink(thread) = compute();
    const double taken = timer.seconds();
    if (seconds(thread) == 0 || taken < seconds(thread)) seconds(thread) = taken;
  }

  T compute() const {
    alignas(64) T point[points][width];
    alignas(64) T centre[2][width];
    for (int l = 0; l < width; ++l) {
      for (int k = 0; k < points; ++k) point[k][l] = T(l + k);
      for (int k = 0; k < 2; ++k) centre[k][l] = T(k) - T(l);
    }
    const T* from_points = point[0];
    const T* from_centres = centre[0];
    Lanes<T> sums[points][2];
    unroll<points>([&](const auto p) { unroll<2>([&](const auto k) { sums[p][k] = Lanes<T>::zero(); }); });
#pragma GCC unroll 2
    for (int step = 0; step < steps; ++step) {
      asm volatile("" : "+r"(from_points), "+r"(from_centres));
      Lanes<T> centres[2];
      unroll<2>([&](const auto k) { centres[k] = Lanes<T>::load(from_centres + k * width); });
      unroll<points>([&](const auto p) {
        const auto lanes = Lanes<T>::load(from_points + p * width);
        unroll<2>([&](const auto k) {
          if constexpr (operation == PeakOperation::fma) {
            sums[p][k] = Lanes<T>::fma(lanes, centres[k], sums[p][k]);
          } else {
            const Lanes<T> difference = lanes - centres[k];
            sums[p][k] = Lanes<T>::fma(difference, difference, sums[p][k]);
          }
        });
      });
    }
    T total = 0;
    unroll<points>([&](const auto p) {
      unroll<2>([&](const auto k) {
        alignas(64) T values[width];
        sums[p][k].store(values);
        for (const T value : values) total += value;
      });
    });
    return total;
  }
};

/// A thread of a device: eight chains, each term of which needs the one before, so that none leaves the loop.
template <class Exec, class T, PeakOperation operation>
struct DevicePeakLoop {
  static constexpr int steps = 1024;
  static constexpr double terms = 8.0 * steps;

  Kokkos::View<T*, typename Exec::memory_space> sink;

  KOKKOS_FUNCTION void operator()(const int thread) const {
    T sums[8] = {};
    const T scale = T(1) / T(2 + thread % 7);
    for (int step = 0; step < steps; ++step) {
      for (int k = 0; k < 8; ++k) {
        const T factor = operation == PeakOperation::fma ? sums[k] : sums[k] - scale;
        sums[k] = Kokkos::fma(scale, factor, T(k));
      }
    }
    T total = 0;
    for (const T sum : sums) total += sum;
    sink(thread) = total;
  }
};

}  // namespace impl

/// Terms per second of the whole execution space, best of all samples. Threads of the host are timed one by one, in loops
/// that are short against the time for which a system lets others in, and their best rates are added: on a machine that is
/// shared the sum is what they reach when they are let run, so no kernel between two samples can be faster.
template <class Exec, class T, PeakOperation operation>
class PeakRate {
  using Loop = std::conditional_t<is_host_exec<Exec>, impl::HostPeakLoop<Exec, T, operation>,
                                  impl::DevicePeakLoop<Exec, T, operation>>;

 public:
  explicit PeakRate(const Exec& exec) : exec_(exec) {
    const auto threads = std::size_t(exec.concurrency());
    loop_.sink = decltype(loop_.sink)("bcr::kernels::peak", threads);
    if constexpr (is_host_exec<Exec>) loop_.seconds = decltype(loop_.seconds)("bcr::kernels::peak_seconds", threads);
  }

  void sample() {
    const int threads = exec_.concurrency();
    const Kokkos::Timer timer;
    Kokkos::parallel_for("bcr::kernels::peak", Kokkos::RangePolicy<Exec>(exec_, 0, threads, Kokkos::ChunkSize(1)),
                         loop_);
    exec_.fence("bcr::kernels::PeakRate");
    best_ = std::max(best_, rate(timer.seconds()));
  }

  double best() const { return best_; }

 private:
  double rate(const double seconds_of_all) const {
    if constexpr (is_host_exec<Exec>) {
      double sum = 0;
      for (std::size_t i = 0; i < loop_.seconds.size(); ++i) sum += Loop::terms / loop_.seconds(i);
      return sum;
    }
    return exec_.concurrency() * Loop::terms / seconds_of_all;
  }

  Exec exec_;
  Loop loop_{};
  double best_ = 0;
};

}  // namespace bcr::kernels

#endif
