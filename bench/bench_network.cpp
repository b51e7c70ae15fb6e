// Whole training steps (forward, distances, class-inclusion loss, backward, update; half of the batch is background)
// and inference passes of the backbones, float. GFLOP/s counts three, or one, times the multiply-accumulates of the
// layers as written, whichever algorithm computes them; share is that of the fma peak of the same threads, sampled in
// turn. More than 1,000 images of inference are shown in batches of 100, as an evaluation does.
//
// usage: bench_network [--first-step CASE] [options of Google Benchmark]
//   --first-step CASE   builds the network of a case such as wrn-40-2/strict/256, makes one step and ends: for timing a
//                       program from its start, and for its peak memory
#include "kernels/fill/fill_random.hpp"
#include "kernels/roof/peak_rate.hpp"
#include "losses/registry.hpp"
#include "models/model.hpp"
#include "src/comm/communicator.hpp"
#include "src/optim/registry.hpp"
#include "src/train/training_step.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>

namespace bcr::bench {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

struct Network {
  models::BackboneOptions backbone;
  nn::ImageShape image{32, 32, 3};
};

const std::map<std::string, Network>& networks() {
  static const std::map<std::string, Network> all{
      {"wrn-40-2", {{.depth = 40, .width = 2}}},
      {"wrn-16-4", {{.depth = 16, .width = 4, .dropout = 0.4}}},
      {"wrn-10-1", {{.depth = 10, .width = 1}}},
      {"wrn-10-1@28", {{.depth = 10, .width = 1}, {28, 28, 1}}},
      {"wrn-10-1@64", {{.depth = 10, .width = 1}, {64, 64, 3}}},
      {"wrn-40-2@64", {{.depth = 40, .width = 2}, {64, 64, 3}}},
      {"resnet18", {{.name = "resnet18"}}},
  };
  return all;
}

struct Case {
  Network network;
  nn::Mode mode;
  int images;

  int inference_batch() const { return images > 1000 ? 100 : images; }
};

constexpr int classes = 10;

models::Model<Exec, float> make_model(const Exec& exec, const Case& c, const nn::Phase phase) {
  const bool training = phase == nn::Phase::training;
  return {{.backbone = c.network.backbone, .head = {}},
          {c.network.image, classes},
          {.mode = c.mode,
           .training_images = training ? c.images : 0,
           .inference_images = training ? 0 : c.inference_batch()},
          1,
          exec,
          Log(LogLevel::warning)};
}

optim::ParameterLayout layout_of(const nn::ParameterStore<Exec, float>& parameters) {
  optim::ParameterLayout layout{parameters.values().extent(0), {}, {{.name = "all", .weight_decay = 5e-4}}};
  for (const auto& entry : parameters.entries())
    layout.slices.push_back({.name = entry.spec.name, .offset = entry.offset, .size = entry.size, .group = 0});
  return layout;
}

Tensor4<float, Exec> random_images(const Exec& exec, const Case& c) {
  const auto& image = c.network.image;
  Tensor4<float, Exec> images("bcr::bench::images", c.images, image.height, image.width, image.channels);
  kernels::fill_normal<Exec, float>(exec, 1, Stream("bench"), 1, nn::flat<Exec, float>(images));
  return images;
}

class Training {
 public:
  explicit Training(const Case& c)
      : model_(make_model(exec_, c, nn::Phase::training)),
        loss_(losses::make_loss<Exec, float>(
            losses::LossOptions(), {.classes = classes, .features = model_.features(), .most_rows = c.images})),
        optimizer_(optim::make_optimizer<Exec, float>("sgd", layout_of(model_.parameters()))),
        step_({model_, *loss_, *optimizer_, alone_}),
        clock_(exec_) {
    const Labels<Exec> labels("bcr::bench::labels", c.images / 2);
    for (int i = 0; i < c.images / 2; ++i) labels(i) = i % classes;
    batch_ = train::StepBatch<Exec, float>::whole(random_images(exec_, c), labels);
  }

  void run() {
    step_.run(
        exec_, [this](int) { return batch_; }, {.seed = 1, .step = number_++, .rate = 1e-3, .lambda = 1}, false, clock_);
    exec_.fence();
  }

  const nn::Network<Exec, float>& network() const { return model_.network(); }

 private:
  Exec exec_;
  bcr::comm::SerialCommunicator alone_;
  models::Model<Exec, float> model_;
  std::unique_ptr<losses::Loss<Exec, float>> loss_;
  std::unique_ptr<optim::Optimizer<Exec, float>> optimizer_;
  train::TrainingStep<Exec, float> step_;
  train::RegionClock<Exec> clock_;
  train::StepBatch<Exec, float> batch_;
  std::uint64_t number_ = 0;
};

/// Of a run that was warmed up.
template <class Run>
void measure(benchmark::State& state, const nn::Network<Exec, float>& network, const int images, const double passes,
             const Run& run) {
  const Exec exec;
  kernels::PeakRate<Exec, float, kernels::PeakOperation::fma> peak(exec);
  double best = 1e300;
  for (auto _ : state) {
    peak.sample();
    const Kokkos::Timer timer;
    run();
    const double seconds = timer.seconds();
    best = std::min(best, seconds);
    state.SetIterationTime(seconds);
  }
  const double products = passes * network.graph().multiply_accumulates() * images / best;
  state.counters["best_ms"] = best * 1e3;
  state.counters["images_per_s"] = images / best;
  state.counters["GFLOP/s"] = 2e-9 * products;
  state.counters["share_of_peak"] = products / peak.best();
  state.counters["MiB"] = static_cast<double>(network.memory_bytes()) / (1 << 20);
}

void training(benchmark::State& state, const Case& c) {
  Training training(c);
  training.run();
  measure(state, training.network(), c.images, 3, [&] { training.run(); });
}

void inference(benchmark::State& state, const Case& c) {
  const Exec exec;
  auto model = make_model(exec, c, nn::Phase::inference);
  const auto images = random_images(exec, c);
  const auto& image = c.network.image;
  const auto show = [&](const int first) {
    const int count = std::min(c.inference_batch(), c.images - first);
    const Tensor4<float, Exec> batch(images.data() + first * image.size(), count, image.height, image.width,
                                     image.channels);
    model.forward(exec, {}, batch);
    exec.fence();
  };
  show(0);
  measure(state, model.network(), c.images, 1, [&] {
    for (int first = 0; first < c.images; first += c.inference_batch()) show(first);
  });
}

void declare() {
  const auto add = [](const std::string& kind, auto* const function, const std::string& name, const int images) {
    for (const auto mode : {nn::Mode::strict, nn::Mode::fast}) {
      const std::string title =
          kind + "/" + name + (mode == nn::Mode::strict ? "/strict/" : "/fast/") + std::to_string(images);
      benchmark::RegisterBenchmark(title.c_str(), function, Case{networks().at(name), mode, images})
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
    }
  };
  for (const auto& [name, network] : networks()) {
    add("training", training, name, network.image.height > 32 ? 64 : 256);
    add("inference", inference, name, 100);
  }
  for (const int images : {16, 64, 1024}) add("training", training, "wrn-10-1", images);
  for (const int images : {16, 64, 512}) add("training", training, "wrn-40-2", images);
  for (const int images : {16, 1000, 10000}) add("inference", inference, "wrn-40-2", images);
}

/// "wrn-40-2/strict/256" as a case.
Case parse(const std::string& text) {
  const auto mode = text.find('/');
  const auto images = text.rfind('/');
  return {networks().at(text.substr(0, mode)),
          text.substr(mode + 1, images - mode - 1) == "strict" ? nn::Mode::strict : nn::Mode::fast,
          std::stoi(text.substr(images + 1))};
}

}  // namespace
}  // namespace bcr::bench

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  if (argc == 3 && std::string_view(argv[1]) == "--first-step") {
    bcr::bench::Training(bcr::bench::parse(argv[2])).run();
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  bcr::bench::declare();
  benchmark::RunSpecifiedBenchmarks();
}
