// A whole head: features -> outputs -> loss -> gradients of features and parameters, for every loss that fits it.
// Half of the N rows are known. us = best of all repetitions; a busy machine only makes them rarer.
#include "bench/support/seconds.hpp"
#include "losses/registry.hpp"
#include "losses/scores/score.hpp"
#include "models/heads/registry.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>
#include <string>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using bcr::Matrix;
using bcr::Vector;

struct Shape {
  int N;
  int n;
  int C;
};

/// A loss on the head it is published for.
struct Setup {
  std::string head;
  std::string loss;
};

template <class T>
struct Problem {
  Problem(const Setup& setup, const Shape& s)
      : store(bcr::nn::Gradients::kept) {
    bcr::losses::LossOptions options;
    options.name = setup.loss;
    const int columns = bcr::losses::output_columns(options, s.C);
    head = bcr::models::make_head<Exec, T>({.name = setup.head}, store, s.n, columns, s.N);
    loss = bcr::losses::make_loss<Exec, T>(options, {head->outputs(), s.C, s.n, s.N});
    lambda = bcr::losses::lambda_at(options, 0);
    store.allocate(exec, 7);
    features = Matrix<T, Exec>("bcr::bench::features", s.N, s.n);
    outputs = Matrix<T, Exec>("bcr::bench::outputs", s.N, columns);
    diff_outputs = Matrix<T, Exec>("bcr::bench::diff_outputs", s.N, columns);
    diff_features = Matrix<T, Exec>("bcr::bench::diff_features", s.N, s.n);
    const auto name = bcr::kernels::tensor_name(head->outputs());
    tensors.set("features", features);
    tensors.set(name, outputs);
    gradients.set("features", diff_features);
    gradients.set(name, diff_outputs);
    parts = Vector<double, Exec>("bcr::bench::parts", bcr::losses::loss_part_count);
    labels = bcr::Labels<Exec>("bcr::bench::labels", s.N / 2);
    std::mt19937 engine(7);
    for (int i = 0; i < s.N; ++i)
      for (int d = 0; d < s.n; ++d) features(i, d) = T(engine() * 0x1p-32);
    for (int i = 0; i < s.N / 2; ++i) labels(i) = int(engine() % unsigned(s.C));
    run();
  }

  void forward() { head->forward(exec, features, outputs); }
  void evaluate() {
    loss->evaluate(exec, {.tensors = tensors, .labels = labels, .lambda = lambda}, gradients, parts);
  }
  void backward() {
    head->backward(exec, features, diff_outputs,
                   loss->reads_features() ? bcr::kernels::ChainStart::dst : bcr::kernels::ChainStart::zero,
                   diff_features);
  }
  void run() {
    forward();
    evaluate();
    backward();
  }

  Exec exec;
  bcr::nn::ParameterStore<Exec, T> store;
  std::unique_ptr<bcr::models::Head<Exec, T>> head;
  std::unique_ptr<bcr::losses::Loss<Exec, T>> loss;
  double lambda = 0;
  Matrix<T, Exec> features, outputs, diff_outputs, diff_features;
  bcr::nn::Tensors<Exec, T> tensors, gradients;
  Vector<double, Exec> parts;
  bcr::Labels<Exec> labels;
};

/// Best times of the whole step and of its three parts.
template <class T>
void step(benchmark::State& state, const Setup& setup, const Shape shape) {
  Problem<T> problem(setup, shape);
  constexpr double never = std::numeric_limits<double>::max();
  double best[4] = {never, never, never, never};
  for (auto _ : state) {
    const double whole = bcr::bench::seconds(problem.exec, [&] { problem.run(); });
    state.SetIterationTime(whole);
    best[0] = std::min(best[0], whole);
    best[1] = std::min(best[1], bcr::bench::seconds(problem.exec, [&] { problem.forward(); }));
    best[2] = std::min(best[2], bcr::bench::seconds(problem.exec, [&] { problem.evaluate(); }));
    best[3] = std::min(best[3], bcr::bench::seconds(problem.exec, [&] { problem.backward(); }));
  }
  state.counters["best_us"] = best[0] * 1e6;
  state.counters["forward_us"] = best[1] * 1e6;
  state.counters["loss_us"] = best[2] * 1e6;
  state.counters["backward_us"] = best[3] * 1e6;
  const double terms = 3.0 * shape.N * shape.n * shape.C;
  state.counters["GFLOP/s"] = (setup.head == "distance" ? 3 : 2) * terms / best[0] * 1e-9;
}

template <class T>
void register_all(const std::string& type, const Shape& shape) {
  for (const Setup& setup : {Setup{"distance", "none"}, Setup{"distance", "class_inclusion"}, Setup{"distance", "hsc"},
                             Setup{"distance", "triplet"}, Setup{"linear", "none"}, Setup{"linear", "uniformity"},
                             Setup{"linear", "objectosphere"}, Setup{"linear", "energy"},
                             Setup{"linear", "background_class"}}) {
    const std::string name = "head/" + setup.head + "/" + setup.loss + "/" + type + "/N" + std::to_string(shape.N) +
                             "_n" + std::to_string(shape.n) + "_C" + std::to_string(shape.C);
    benchmark::RegisterBenchmark(name.c_str(), &step<T>, setup, shape)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  for (const Shape& shape : {Shape{256, 128, 10}, Shape{256, 128, 100}, Shape{256, 640, 1000}}) {
    register_all<float>("float", shape);
    register_all<double>("double", shape);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
