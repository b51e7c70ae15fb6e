// Strict exp, log and friends on arrays against glibc's scalar functions and, if present, oneMKL VM in its most
// accurate mode, on one core. Every line has ns per element of all and the ratios to the rivals, which are timed in
// turn with our kernel so that a busy machine disturbs all alike. "times_mkl" above 1 means faster than oneMKL. oneMKL
// runs its generic code on processors of other makers; docs/numerics.md has both figures.
#include "kernels/math/map.hpp"

#include <benchmark/benchmark.h>
#include <Kokkos_Core.hpp>
#ifdef BCR_BENCH_WITH_MKL
#include <mkl_service.h>
#include <mkl_vml.h>
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>

namespace {

using Exec = Kokkos::Serial;
template <class T>
using Array = bcr::Vector<T, Exec>;

/// Elements per call: source and result stay in the second-level cache.
constexpr int elements = 8192;

template <class T>
Array<T> uniform(const double low, const double high) {
  Array<T> src(Kokkos::view_alloc("bcr::bench::src", Kokkos::WithoutInitializing), elements);
  std::mt19937_64 engine(20240607);
  std::uniform_real_distribution<double> draw(low, high);
  for (int i = 0; i < elements; ++i) src(i) = static_cast<T>(draw(engine));
  return src;
}

template <class Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Exp {
  static constexpr double low = -20, high = 20;
  template <class T>
  static void strict(const Array<T>& src, const Array<T>& dst) {
    bcr::kernels::strict::exp(Exec(), src, dst);
  }
  template <class T>
  static T libm(const T x) {
    return std::exp(x);
  }
#ifdef BCR_BENCH_WITH_MKL
  static void mkl(const Array<double>& src, const Array<double>& dst) {
    vmdExp(elements, src.data(), dst.data(), VML_HA);
  }
  static void mkl(const Array<float>& src, const Array<float>& dst) {
    vmsExp(elements, src.data(), dst.data(), VML_HA);
  }
#endif
};

struct Log {
  static constexpr double low = 1e-3, high = 1e3;
  template <class T>
  static void strict(const Array<T>& src, const Array<T>& dst) {
    bcr::kernels::strict::log(Exec(), src, dst);
  }
  template <class T>
  static T libm(const T x) {
    return std::log(x);
  }
#ifdef BCR_BENCH_WITH_MKL
  static void mkl(const Array<double>& src, const Array<double>& dst) {
    vmdLn(elements, src.data(), dst.data(), VML_HA);
  }
  static void mkl(const Array<float>& src, const Array<float>& dst) {
    vmsLn(elements, src.data(), dst.data(), VML_HA);
  }
#endif
};

struct Log1p {
  static constexpr double low = -0.99, high = 10;
  template <class T>
  static void strict(const Array<T>& src, const Array<T>& dst) {
    bcr::kernels::strict::log1p(Exec(), src, dst);
  }
  template <class T>
  static T libm(const T x) {
    return std::log1p(x);
  }
#ifdef BCR_BENCH_WITH_MKL
  static void mkl(const Array<double>& src, const Array<double>& dst) {
    vmdLog1p(elements, src.data(), dst.data(), VML_HA);
  }
  static void mkl(const Array<float>& src, const Array<float>& dst) {
    vmsLog1p(elements, src.data(), dst.data(), VML_HA);
  }
#endif
};

struct Expm1 {
  static constexpr double low = -20, high = 20;
  template <class T>
  static void strict(const Array<T>& src, const Array<T>& dst) {
    bcr::kernels::strict::expm1(Exec(), src, dst);
  }
  template <class T>
  static T libm(const T x) {
    return std::expm1(x);
  }
#ifdef BCR_BENCH_WITH_MKL
  static void mkl(const Array<double>& src, const Array<double>& dst) {
    vmdExpm1(elements, src.data(), dst.data(), VML_HA);
  }
  static void mkl(const Array<float>& src, const Array<float>& dst) {
    vmsExpm1(elements, src.data(), dst.data(), VML_HA);
  }
#endif
};

struct Erfc {
  static constexpr double low = -3, high = 9;
  template <class T>
  static void strict(const Array<T>& src, const Array<T>& dst) {
    bcr::kernels::strict::erfc(Exec(), src, dst);
  }
  template <class T>
  static T libm(const T x) {
    return std::erfc(x);
  }
#ifdef BCR_BENCH_WITH_MKL
  static void mkl(const Array<double>& src, const Array<double>& dst) {
    vmdErfc(elements, src.data(), dst.data(), VML_HA);
  }
  static void mkl(const Array<float>& src, const Array<float>& dst) {
    vmsErfc(elements, src.data(), dst.data(), VML_HA);
  }
#endif
};

/// Times the strict kernel; the rivals run in the same iterations and appear as counters (their best time of all).
template <class Function, class T>
void strict_math(benchmark::State& state) {
  const Array<T> src = uniform<T>(Function::low, Function::high);
  const Array<T> dst("bcr::bench::dst", elements);
  double best = std::numeric_limits<double>::max();
  double best_libm = best;
  [[maybe_unused]] double best_mkl = best;
  for (auto _ : state) {
    const double strict = seconds([&] { Function::strict(src, dst); });
    best = std::min(best, strict);
    state.SetIterationTime(strict);
    best_libm = std::min(best_libm, seconds([&] {
                           for (int i = 0; i < elements; ++i) dst(i) = Function::libm(src(i));
                         }));
    benchmark::DoNotOptimize(dst.data());
#ifdef BCR_BENCH_WITH_MKL
    best_mkl = std::min(best_mkl, seconds([&] { Function::mkl(src, dst); }));
#endif
  }
  state.counters["ns"] = best * 1e9 / elements;
  state.counters["ns_libm"] = best_libm * 1e9 / elements;
  state.counters["times_libm"] = best_libm / best;
#ifdef BCR_BENCH_WITH_MKL
  state.counters["ns_mkl"] = best_mkl * 1e9 / elements;
  state.counters["times_mkl"] = best_mkl / best;
#endif
  state.counters["GB/s"] = 2.0 * elements * sizeof(T) / best * 1e-9;
}

BENCHMARK(strict_math<Exp, double>)->UseManualTime();
BENCHMARK(strict_math<Log, double>)->UseManualTime();
BENCHMARK(strict_math<Log1p, double>)->UseManualTime();
BENCHMARK(strict_math<Expm1, double>)->UseManualTime();
BENCHMARK(strict_math<Erfc, double>)->UseManualTime();
BENCHMARK(strict_math<Exp, float>)->UseManualTime();
BENCHMARK(strict_math<Log, float>)->UseManualTime();
BENCHMARK(strict_math<Log1p, float>)->UseManualTime();
BENCHMARK(strict_math<Expm1, float>)->UseManualTime();
BENCHMARK(strict_math<Erfc, float>)->UseManualTime();

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
#ifdef BCR_BENCH_WITH_MKL
  mkl_set_num_threads_local(1);
#endif
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
