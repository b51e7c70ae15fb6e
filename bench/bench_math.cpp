// Strict exp, log and friends on arrays against glibc's scalar functions and, if present, oneMKL VM in its most
// accurate mode. The rivals have one core, so on the host start this with one thread; they are timed in turn with our
// kernel so that a busy machine disturbs all alike. "times_mkl" above 1 means faster than oneMKL. oneMKL runs its
// generic code on processors of other makers; docs/numerics.md has both figures. On a device there are no rivals.
#include "bench/support/fill.hpp"
#include "bench/support/measure.hpp"
#include "bench/support/program.hpp"
#include "kernels/math/map.hpp"
#include "src/core/launch.hpp"

#include <benchmark/benchmark.h>
#include <Kokkos_Core.hpp>
#ifdef BCR_BENCH_WITH_MKL
#include <mkl_service.h>
#include <mkl_vml.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <string>

namespace {

/// Elements per call: on the host, source and result stay in the second-level cache.
template <class Exec>
constexpr int elements = bcr::is_host_exec<Exec> ? 1 << 15 : 1 << 24;

template <class Exec, class T>
bcr::Vector<T, Exec> uniform(const double low, const double high) {
  std::mt19937_64 engine(20240607);
  std::uniform_real_distribution<double> draw(low, high);
  return bcr::bench::filled(bcr::Vector<T, Exec>("bcr::bench::src", elements<Exec>),
                            [&](std::size_t) { return draw(engine); });
}

struct Exp {
  static constexpr double low = -20, high = 20;
  template <class Exec, class T>
  static void strict(const Exec& exec, const bcr::Vector<T, Exec>& src, const bcr::Vector<T, Exec>& dst) {
    bcr::kernels::strict::exp(exec, src, dst);
  }
  template <class T>
  static T libm(const T x) {
    return std::exp(x);
  }
#ifdef BCR_BENCH_WITH_MKL
  static void mkl(const int n, const double* src, double* dst) {
    vmdExp(n, src, dst, VML_HA);
  }
  static void mkl(const int n, const float* src, float* dst) {
    vmsExp(n, src, dst, VML_HA);
  }
#endif
};

struct Log {
  static constexpr double low = 1e-3, high = 1e3;
  template <class Exec, class T>
  static void strict(const Exec& exec, const bcr::Vector<T, Exec>& src, const bcr::Vector<T, Exec>& dst) {
    bcr::kernels::strict::log(exec, src, dst);
  }
  template <class T>
  static T libm(const T x) {
    return std::log(x);
  }
#ifdef BCR_BENCH_WITH_MKL
  static void mkl(const int n, const double* src, double* dst) {
    vmdLn(n, src, dst, VML_HA);
  }
  static void mkl(const int n, const float* src, float* dst) {
    vmsLn(n, src, dst, VML_HA);
  }
#endif
};

struct Log1p {
  static constexpr double low = -0.99, high = 10;
  template <class Exec, class T>
  static void strict(const Exec& exec, const bcr::Vector<T, Exec>& src, const bcr::Vector<T, Exec>& dst) {
    bcr::kernels::strict::log1p(exec, src, dst);
  }
  template <class T>
  static T libm(const T x) {
    return std::log1p(x);
  }
#ifdef BCR_BENCH_WITH_MKL
  static void mkl(const int n, const double* src, double* dst) {
    vmdLog1p(n, src, dst, VML_HA);
  }
  static void mkl(const int n, const float* src, float* dst) {
    vmsLog1p(n, src, dst, VML_HA);
  }
#endif
};

struct Expm1 {
  static constexpr double low = -20, high = 20;
  template <class Exec, class T>
  static void strict(const Exec& exec, const bcr::Vector<T, Exec>& src, const bcr::Vector<T, Exec>& dst) {
    bcr::kernels::strict::expm1(exec, src, dst);
  }
  template <class T>
  static T libm(const T x) {
    return std::expm1(x);
  }
#ifdef BCR_BENCH_WITH_MKL
  static void mkl(const int n, const double* src, double* dst) {
    vmdExpm1(n, src, dst, VML_HA);
  }
  static void mkl(const int n, const float* src, float* dst) {
    vmsExpm1(n, src, dst, VML_HA);
  }
#endif
};

struct Erfc {
  static constexpr double low = -3, high = 9;
  template <class Exec, class T>
  static void strict(const Exec& exec, const bcr::Vector<T, Exec>& src, const bcr::Vector<T, Exec>& dst) {
    bcr::kernels::strict::erfc(exec, src, dst);
  }
  template <class T>
  static T libm(const T x) {
    return std::erfc(x);
  }
#ifdef BCR_BENCH_WITH_MKL
  static void mkl(const int n, const double* src, double* dst) {
    vmdErfc(n, src, dst, VML_HA);
  }
  static void mkl(const int n, const float* src, float* dst) {
    vmsErfc(n, src, dst, VML_HA);
  }
#endif
};

/// The best times of the rivals on arrays of the host.
template <class Function, class T>
struct Rivals {
  const T* src;
  T* dst;
  int count;
  double libm = std::numeric_limits<double>::max();
  [[maybe_unused]] double mkl = std::numeric_limits<double>::max();

  void run() {
    const Kokkos::DefaultHostExecutionSpace exec;
    libm = std::min(libm, bcr::bench::seconds(exec, [this] {
                      for (int i = 0; i < count; ++i) dst[i] = Function::libm(src[i]);
                    }));
    benchmark::DoNotOptimize(dst);
#ifdef BCR_BENCH_WITH_MKL
    mkl = std::min(mkl, bcr::bench::seconds(exec, [this] { Function::mkl(count, src, dst); }));
#endif
  }

  void count_against(benchmark::State& state, const double best) const {
    state.counters["ns_libm"] = libm * 1e9 / count;
    state.counters["times_libm"] = libm / best;
#ifdef BCR_BENCH_WITH_MKL
    state.counters["ns_mkl"] = mkl * 1e9 / count;
    state.counters["times_mkl"] = mkl / best;
#endif
  }
};

template <class Function, class Exec, class T>
void strict_math(benchmark::State& state) {
  const Exec exec;
  const auto src = uniform<Exec, T>(Function::low, Function::high);
  const bcr::Vector<T, Exec> dst("bcr::bench::dst", elements<Exec>);
  const bcr::bench::Work work{.elements = double(elements<Exec>), .bytes = 2.0 * elements<Exec> * sizeof(T)};
  const auto run = [&] { Function::strict(exec, src, dst); };
  if constexpr (bcr::is_host_exec<Exec>) {
    Rivals<Function, T> rivals{src.data(), dst.data(), elements<Exec>};
    rivals.count_against(state, bcr::bench::measure<T>(state, exec, work, [&] { rivals.run(); }, run));
  } else {
    bcr::bench::measure<T>(state, exec, work, run);
  }
}

template <class Exec, class T>
void declare(const std::string& type) {
  const auto add = [&](const std::string& function, void (*const benchmark)(benchmark::State&)) {
    bcr::bench::add("strict_math<" + function + ", " + type + ">", benchmark);
  };
  add("Exp", strict_math<Exp, Exec, T>);
  add("Log", strict_math<Log, Exec, T>);
  add("Log1p", strict_math<Log1p, Exec, T>);
  add("Expm1", strict_math<Expm1, Exec, T>);
  add("Erfc", strict_math<Erfc, Exec, T>);
}

}  // namespace

int main(int argc, char** argv) {
#ifdef BCR_BENCH_WITH_MKL
  mkl_set_num_threads_local(1);
#endif
  return bcr::bench::run(argc, argv, []<class Exec>(const Exec&) {
    declare<Exec, double>("double");
    declare<Exec, float>("float");
  });
}
