// Anchor distances, their gradients and the nearest anchor, for every line of bench/shapes/distance.txt.
// One term is a subtraction and an fma: GFLOP/s = 3 N C n / time; share = terms per second over the best that all
// threads reach in registers, sampled in turn with the kernel. Times are the best of all repetitions: a busy machine
// hurts both.
#include "bench/support/seconds.hpp"
#include "kernels/distance/squared_distance.hpp"
#include "kernels/roof/peak_rate.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

struct Shape {
  int N;
  int n;
  int C;
};

template <class T>
bcr::Matrix<T, Exec> random_matrix(const int rows, const int columns) {
  bcr::Matrix<T, Exec> matrix("bcr::bench::matrix", rows, columns);
  std::mt19937 engine(7);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) matrix(i, j) = T(engine() * 0x1p-31 - 1.0);
  return matrix;
}

template <class T>
struct Problem {
  explicit Problem(const Shape& s)
      : src(random_matrix<T>(s.N, s.n)),
        centres(random_matrix<T>(s.C, s.n)),
        dst(random_matrix<T>(s.N, s.C)),
        diff_src("bcr::bench::diff_src", s.N, s.n),
        diff_centres("bcr::bench::diff_centres", s.C, s.n),
        index("bcr::bench::index", s.N),
        value("bcr::bench::value", s.N) {}

  Exec exec;
  bcr::Matrix<T, Exec> src, centres, dst, diff_src, diff_centres;
  bcr::Labels<Exec> index;
  bcr::Vector<T, Exec> value;
};

struct Forward {
  static constexpr const char* name = "squared_distance";
  static constexpr int sweeps = 1;
  template <class T>
  static void run(const Problem<T>& p) {
    bcr::kernels::squared_distance<Exec, T>(p.exec, p.src, p.centres, p.dst);
  }
};

struct DiffSrc {
  static constexpr const char* name = "diff_src";
  static constexpr int sweeps = 1;
  template <class T>
  static void run(const Problem<T>& p) {
    bcr::kernels::squared_distance_diff_src<Exec, T>(p.exec, p.src, p.centres, p.dst, p.diff_src);
  }
};

struct DiffCentres {
  static constexpr const char* name = "diff_centres";
  static constexpr int sweeps = 1;
  template <class T>
  static void run(const Problem<T>& p) {
    bcr::kernels::squared_distance_diff_centres<Exec, T>(p.exec, p.src, p.centres, p.dst, p.diff_centres);
  }
};

struct ForwardAndBackward {
  static constexpr const char* name = "forward_backward";
  static constexpr int sweeps = 3;
  template <class T>
  static void run(const Problem<T>& p) {
    Forward::run(p);
    DiffSrc::run(p);
    DiffCentres::run(p);
  }
};

template <class Kernel, class T>
void sweep(benchmark::State& state, const Shape shape) {
  const Problem<T> problem(shape);
  bcr::kernels::PeakRate<Exec, T, bcr::kernels::PeakOperation::subtract_and_fma> peak(problem.exec);
  Kernel::run(problem);
  double best = std::numeric_limits<double>::max();
  for (auto _ : state) {
    const double time = bcr::bench::seconds(problem.exec, [&] { Kernel::run(problem); });
    state.SetIterationTime(time);
    best = std::min(best, time);
    for (int k = 0; k < 4; ++k) peak.sample();
  }
  const double terms = double(Kernel::sweeps) * shape.N * shape.n * shape.C;
  state.counters["best_us"] = best * 1e6;
  state.counters["GFLOP/s"] = 3 * terms / best * 1e-9;
  state.counters["share"] = terms / best / peak.best();
}

/// Memory-bound: GB/s = N C sizeof(T) / time.
template <class T>
void nearest(benchmark::State& state, const Shape shape) {
  const Problem<T> problem(shape);
  double best = std::numeric_limits<double>::max();
  for (auto _ : state) {
    const double time = bcr::bench::seconds(
        problem.exec, [&] { bcr::kernels::nearest<Exec, T>(problem.exec, problem.dst, problem.index, problem.value); });
    state.SetIterationTime(time);
    best = std::min(best, time);
  }
  state.counters["best_us"] = best * 1e6;
  state.counters["GB/s"] = double(shape.N) * shape.C * sizeof(T) / best * 1e-9;
}

std::vector<Shape> read_shapes(const std::string& path) {
  std::ifstream file(path);
  std::vector<Shape> shapes;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Shape shape{};
    if (line.rfind('#', 0) != 0 && words >> shape.N >> shape.n >> shape.C) shapes.push_back(shape);
  }
  return shapes;
}

template <class T>
void register_all(const std::string& type, const Shape& shape) {
  const std::string tail =
      "/" + type + "/N" + std::to_string(shape.N) + "_n" + std::to_string(shape.n) + "_C" + std::to_string(shape.C);
  const auto add = [&](const std::string& name, auto* function) {
    benchmark::RegisterBenchmark((name + tail).c_str(), function, shape)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  };
  add(Forward::name, &sweep<Forward, T>);
  add(DiffSrc::name, &sweep<DiffSrc, T>);
  add(DiffCentres::name, &sweep<DiffCentres, T>);
  add(ForwardAndBackward::name, &sweep<ForwardAndBackward, T>);
  add("nearest", &nearest<T>);
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const std::vector<Shape> shapes = read_shapes(BCR_BENCH_SHAPES "/distance.txt");
  if (shapes.empty()) {
    std::cerr << "bench_distance: no shapes in " BCR_BENCH_SHAPES "/distance.txt\n";
    return 3;
  }
  for (const Shape& shape : shapes) {
    register_all<float>("float", shape);
    register_all<double>("double", shape);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
