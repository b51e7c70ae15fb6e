// Anchor distances, their gradients and the nearest anchor, for every line of bench/shapes/distance.txt.
// One term is a subtraction and an fma, three operations; the peak is that of such terms.
#include "bench/support/fill.hpp"
#include "bench/support/measure.hpp"
#include "bench/support/program.hpp"
#include "kernels/distance/squared_distance.hpp"

#include <benchmark/benchmark.h>

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Shape {
  int N;
  int n;
  int C;
};

template <class Exec, class T>
bcr::Matrix<T, Exec> matrix(const int rows, const int columns) {
  return bcr::bench::scattered(bcr::Matrix<T, Exec>("bcr::bench::matrix", rows, columns));
}

template <class Exec, class T>
struct Problem {
  explicit Problem(const Shape& s)
      : src(matrix<Exec, T>(s.N, s.n)),
        centres(matrix<Exec, T>(s.C, s.n)),
        dst(matrix<Exec, T>(s.N, s.C)),
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
  template <class Exec, class T>
  static void run(const Problem<Exec, T>& p) {
    bcr::kernels::squared_distance<Exec, T>(p.exec, p.src, p.centres, p.dst);
  }
};

struct DiffSrc {
  static constexpr const char* name = "diff_src";
  static constexpr int sweeps = 1;
  template <class Exec, class T>
  static void run(const Problem<Exec, T>& p) {
    bcr::kernels::squared_distance_diff_src<Exec, T>(p.exec, p.src, p.centres, p.dst, p.diff_src);
  }
};

struct DiffCentres {
  static constexpr const char* name = "diff_centres";
  static constexpr int sweeps = 1;
  template <class Exec, class T>
  static void run(const Problem<Exec, T>& p) {
    bcr::kernels::squared_distance_diff_centres<Exec, T>(p.exec, p.src, p.centres, p.dst, p.diff_centres);
  }
};

struct ForwardAndBackward {
  static constexpr const char* name = "forward_backward";
  static constexpr int sweeps = 3;
  template <class Exec, class T>
  static void run(const Problem<Exec, T>& p) {
    Forward::run(p);
    DiffSrc::run(p);
    DiffCentres::run(p);
  }
};

template <class Kernel, class Exec, class T>
void sweep(benchmark::State& state, const Shape shape) {
  const Problem<Exec, T> p(shape);
  const double terms = double(Kernel::sweeps) * shape.N * shape.n * shape.C;
  bcr::bench::measure<T, bcr::kernels::PeakOperation::subtract_and_fma>(
      state, p.exec,
      {.elements = double(shape.N) * shape.C,
       .bytes = Kernel::sweeps * sizeof(T) * double(p.src.size() + p.centres.size() + p.dst.size()),
       .flops = 3 * terms},
      [&] { Kernel::run(p); });
}

template <class Exec, class T>
void nearest(benchmark::State& state, const Shape shape) {
  const Problem<Exec, T> p(shape);
  const double elements = double(shape.N) * shape.C;
  bcr::bench::measure<T>(state, p.exec, {.elements = elements, .bytes = elements * sizeof(T)},
                         [&] { bcr::kernels::nearest<Exec, T>(p.exec, p.dst, p.index, p.value); });
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

template <class Exec, class T>
void declare(const std::string& type, const Shape& shape) {
  const std::string tail =
      "/" + type + "/N" + std::to_string(shape.N) + "_n" + std::to_string(shape.n) + "_C" + std::to_string(shape.C);
  const auto add = [&](const std::string& name, void (*const function)(benchmark::State&, Shape)) {
    bcr::bench::add(name + tail, function, shape)->Unit(benchmark::kMicrosecond);
  };
  add(Forward::name, sweep<Forward, Exec, T>);
  add(DiffSrc::name, sweep<DiffSrc, Exec, T>);
  add(DiffCentres::name, sweep<DiffCentres, Exec, T>);
  add(ForwardAndBackward::name, sweep<ForwardAndBackward, Exec, T>);
  add("nearest", nearest<Exec, T>);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<Shape> shapes = read_shapes(BCR_BENCH_SHAPES "/distance.txt");
  if (shapes.empty()) {
    std::cerr << "bench_distance: no shapes in " BCR_BENCH_SHAPES "/distance.txt\n";
    return 3;
  }
  return bcr::bench::run(argc, argv, [&]<class Exec>(const Exec&) {
    for (const Shape& shape : shapes) {
      declare<Exec, float>("float", shape);
      declare<Exec, double>("double", shape);
    }
  });
}
