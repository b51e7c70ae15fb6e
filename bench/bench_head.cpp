// A whole head: features -> outputs -> loss -> gradients of features and parameters, for every loss that fits it.
// Half of the N rows are known.
#include "bench/support/fill.hpp"
#include "bench/support/measure.hpp"
#include "bench/support/program.hpp"
#include "losses/registry.hpp"
#include "losses/scores/score.hpp"
#include "models/heads/registry.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>

namespace {

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

template <class Exec, class T>
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
    bcr::bench::filled(features, [](const std::size_t i) { return double(i * 2654435761u % 4001) / 4001; });
    bcr::bench::filled(labels, [&](const std::size_t i) { return i * 2654435761u % std::size_t(s.C); });
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

/// The whole step, and the best times of its three parts.
template <class Exec, class T>
void step(benchmark::State& state, const Setup setup, const Shape shape) {
  Problem<Exec, T> problem(setup, shape);
  constexpr double never = std::numeric_limits<double>::max();
  double forward = never, loss = never, backward = never;
  const double terms = 3.0 * shape.N * shape.n * shape.C;
  bcr::bench::measure<T>(
      state, problem.exec,
      {.elements = double(shape.N) * shape.C, .flops = (setup.head == "distance" ? 3 : 2) * terms},
      [&] {
        forward = std::min(forward, bcr::bench::seconds(problem.exec, [&] { problem.forward(); }));
        loss = std::min(loss, bcr::bench::seconds(problem.exec, [&] { problem.evaluate(); }));
        backward = std::min(backward, bcr::bench::seconds(problem.exec, [&] { problem.backward(); }));
      },
      [&] { problem.run(); });
  state.counters["forward_us"] = forward * 1e6;
  state.counters["loss_us"] = loss * 1e6;
  state.counters["backward_us"] = backward * 1e6;
}

template <class Exec, class T>
void declare(const std::string& type, const Shape& shape) {
  for (const Setup& setup : {Setup{"distance", "none"}, Setup{"distance", "class_inclusion"}, Setup{"distance", "hsc"},
                             Setup{"distance", "triplet"}, Setup{"linear", "none"}, Setup{"linear", "uniformity"},
                             Setup{"linear", "objectosphere"}, Setup{"linear", "energy"},
                             Setup{"linear", "background_class"}}) {
    const std::string name = "head/" + setup.head + "/" + setup.loss + "/" + type + "/N" + std::to_string(shape.N) +
                             "_n" + std::to_string(shape.n) + "_C" + std::to_string(shape.C);
    bcr::bench::add(name, step<Exec, T>, setup, shape)->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return bcr::bench::run(argc, argv, []<class Exec>(const Exec&) {
    for (const Shape& shape : {Shape{256, 128, 10}, Shape{256, 128, 100}, Shape{256, 640, 1000}}) {
      declare<Exec, float>("float", shape);
      declare<Exec, double>("double", shape);
    }
  });
}
