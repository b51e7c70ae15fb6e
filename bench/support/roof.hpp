#ifndef BCR_BENCH_SUPPORT_ROOF_HPP
#define BCR_BENCH_SUPPORT_ROOF_HPP

#include "src/core/launch.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

// What this machine can do at best, measured on all threads of a host execution space. A share of the roof is only fair
// if both are timed in turn, since clocks and neighbours change: call sample() between repetitions of the kernel.
namespace bcr::bench {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

enum class Operation { fma, subtract_and_fma };

/// Twelve independent chains in registers. The eight operands are read again in each step from the first cache, through
/// pointers the compiler cannot see through: else it would take the subtractions out of the loop.
template <class T, Operation operation>
struct PeakLoop {
  static constexpr int width = vector_bytes / int(sizeof(T));
  static constexpr int steps = 80000;                    // long against the cost of a launch
  static constexpr double terms = 12.0 * width * steps;  ///< fused multiply-adds of one thread

  Kokkos::View<T*, Kokkos::HostSpace> sink;

  void operator()(const int thread) const {
    T sums[6][2][width] = {};
    alignas(64) T points[6][width];
    alignas(64) T centres[2][width];
    for (int l = 0; l < width; ++l) {
      for (int k = 0; k < 6; ++k) points[k][l] = T(l + k);
      for (int k = 0; k < 2; ++k) centres[k][l] = T(k) - T(l);
    }
    const T(*point)[width] = points;
    const T(*centre)[width] = centres;
#pragma GCC unroll 2
    for (int step = 0; step < steps; ++step) {
      asm volatile("" : "+r"(point), "+r"(centre));
#pragma GCC unroll 6
      for (int p = 0; p < 6; ++p)
#pragma GCC unroll 2
        for (int k = 0; k < 2; ++k)
#pragma omp simd
          for (int l = 0; l < width; ++l) {
            if constexpr (operation == Operation::fma) {
              sums[p][k][l] = Kokkos::fma(point[p][l], centre[k][l], sums[p][k][l]);
            } else {
              const T difference = point[p][l] - centre[k][l];
              sums[p][k][l] = Kokkos::fma(difference, difference, sums[p][k][l]);
            }
          }
    }
    T total = 0;
    for (auto& by_point : sums)
      for (auto& lanes : by_point)
        for (const T lane : lanes) total += lane;
    sink(thread) = total;
  }
};

/// Terms (one fma, or one subtraction and one fma) per second of the whole execution space, best of all samples.
template <class Exec, class T, Operation operation>
class PeakRate {
  static_assert(is_host_exec<Exec>, "the roof of a device is not measured here");

 public:
  explicit PeakRate(const Exec& exec) : exec_(exec), loop_{{"bcr::bench::sink", std::size_t(exec.concurrency())}} {}

  void sample() {
    const int threads = exec_.concurrency();
    const Kokkos::Timer timer;
    Kokkos::parallel_for("bcr::bench::peak", Kokkos::RangePolicy<Exec>(exec_, 0, threads, Kokkos::ChunkSize(1)), loop_);
    exec_.fence();
    best_ = std::max(best_, threads * loop_.terms / timer.seconds());
  }

  double best() const { return best_; }

 private:
  Exec exec_;
  PeakLoop<T, operation> loop_;
  double best_ = 0;
};

/// Bytes per second of a(i) = b(i) + s c(i) on arrays beyond every cache: two reads and a write, write-allocate not
/// counted. A part of the arrays is one loop over plain pointers: through Views the compiler keeps to one lane.
template <class Exec>
class TriadRate {
  static_assert(is_host_exec<Exec>, "the roof of a device is not measured here");

 public:
  explicit TriadRate(const Exec& exec, const int length = 1 << 23)  // 64 MB each
      : exec_(exec), a_("bcr::bench::a", length), b_("bcr::bench::b", length), c_("bcr::bench::c", length) {}

  void sample() {
    const int threads = exec_.concurrency();
    const Part part{a_.data(), b_.data(), c_.data(), a_.size(), std::size_t(threads)};
    const Kokkos::Timer timer;
    Kokkos::parallel_for("bcr::bench::triad", Kokkos::RangePolicy<Exec>(exec_, 0, threads, Kokkos::ChunkSize(1)), part);
    exec_.fence();
    best_ = std::max(best_, 3.0 * sizeof(double) * a_.size() / timer.seconds());
  }

  double best() const { return best_; }

 private:
  struct Part {
    double* a;
    const double* b;
    const double* c;
    std::size_t length;
    std::size_t parts;

    void operator()(const int part) const {
      double* const to = a;
      const double* const from = b;
      const double* const scaled = c;
      const std::size_t end = length * (part + 1) / parts;
#pragma omp simd
      for (std::size_t i = length * part / parts; i < end; ++i) to[i] = Kokkos::fma(0.5, scaled[i], from[i]);
    }
  };
  using Array = Kokkos::View<double*, typename Exec::memory_space>;
  Exec exec_;
  Array a_, b_, c_;
  double best_ = 0;
};

/// Seconds of one call, fenced on both sides.
template <class Exec, class Work>
double seconds(const Exec& exec, const Work& work) {
  exec.fence();
  const Kokkos::Timer timer;
  work();
  exec.fence();
  return timer.seconds();
}

}  // namespace bcr::bench

#endif
