// Whole training steps (forward, distances, class-inclusion loss, backward, update; half of the batch is background)
// and inference passes of the backbones, float. GFLOP/s counts three, or one, times the multiply-accumulates of the
// layers as written, whichever algorithm computes them; share is that of the fma peak of float, sampled in turn. More
// than 1,000 images of inference are shown in batches of 100, as an evaluation does.
//
// usage: bench_network [--first-step CASE] [--space NAME] [--csv FILE] [options of Google Benchmark]
//   --first-step CASE   builds the network of a case such as wrn-40-2/strict/256, makes one step and ends: for timing a
//                       program from its start, and for its peak memory
#include "bench/support/fill.hpp"
#include "bench/support/measure.hpp"
#include "bench/support/program.hpp"
#include "bench/support/way.hpp"
#include "kernels/fill/fill_random.hpp"
#include "losses/registry.hpp"
#include "models/model.hpp"
#include "src/comm/communicator.hpp"
#include "src/optim/registry.hpp"
#include "src/train/training_step.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace bcr::bench {
namespace {

struct Network {
  models::BackboneOptions backbone;
  nn::ImageShape image{32, 32, 3};
  int training_images = 256;
  int inference_images = 100;
};

const std::map<std::string, Network>& networks() {
  static const std::map<std::string, Network> all{
      {"wrn-40-2", {{.depth = 40, .width = 2}}},
      {"wrn-16-4", {{.depth = 16, .width = 4, .dropout = 0.4}}},
      {"wrn-10-1", {{.depth = 10, .width = 1}}},
      {"wrn-10-1@28", {{.depth = 10, .width = 1}, {28, 28, 1}}},
      {"wrn-10-1@64", {{.depth = 10, .width = 1}, {64, 64, 3}, 64}},
      {"wrn-40-2@64", {{.depth = 40, .width = 2}, {64, 64, 3}, 64}},
      {"wrn-28-10", {{.depth = 28, .width = 10}, {32, 32, 3}, 16, 16}},
      {"resnet18", {{.name = "resnet18"}}},
      {"vgg", {{.name = "vgg"}}},
      {"densenet-100-12", {{.name = "densenet", .depth = 100, .growth = 12}, {32, 32, 3}, 64}},
  };
  return all;
}

struct Case {
  Network network;
  Way way;
  int images;

  int inference_batch() const { return images > 1000 ? 100 : images; }
};

constexpr int classes = 10;

template <class Exec>
models::Model<Exec, float> make_model(const Exec& exec, const Case& c, const nn::Phase phase) {
  const bool training = phase == nn::Phase::training;
  return {{.backbone = c.network.backbone, .head = {}},
          {c.network.image, classes},
          {.mode = c.way.mode,
           .precision = c.way.precision,
           .training_images = training ? c.images : 0,
           .inference_images = training ? 0 : c.inference_batch()},
          1,
          exec,
          Log(LogLevel::warning)};
}

template <class Exec>
Tensor4<float, Exec> random_images(const Exec& exec, const Case& c) {
  const auto& image = c.network.image;
  Tensor4<float, Exec> images("bcr::bench::images", c.images, image.height, image.width, image.channels);
  kernels::fill_normal<Exec, float>(exec, 1, Stream("bench"), 1, nn::flat<Exec, float>(images));
  return images;
}

template <class Exec>
class Training {
 public:
  explicit Training(const Case& c)
      : model_(make_model(exec_, c, nn::Phase::training)),
        loss_(losses::make_loss<Exec, float>(
            losses::LossOptions(), {.classes = classes, .features = model_.features(), .most_rows = c.images})),
        optimizer_(optim::make_optimizer<Exec, float>(
            "sgd", optim::one_group(model_.parameters(), {.name = "all", .weight_decay = 5e-4}))),
        step_({model_, *loss_, *optimizer_, alone_}),
        clock_(exec_) {
    const auto labels =
        filled(Labels<Exec>("bcr::bench::labels", c.images / 2), [](const std::size_t i) { return i % classes; });
    batch_ = train::StepBatch<Exec, float>::whole(random_images(exec_, c), labels);
  }

  void run() {
    step_.run(
        exec_, [this](int) { return batch_; }, {.seed = 1, .step = number_++, .rate = 1e-3, .lambda = 1}, false,
        clock_);
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

/// A pass over `images` images, `passes` times the multiply-accumulates of a forward pass.
template <class Exec, class Run>
void measure_pass(benchmark::State& state, const Exec& exec, const nn::Network<Exec, float>& network, const int images,
                  const double passes, const Run& run) {
  const Work work{.elements = double(images), .flops = 2 * passes * network.graph().multiply_accumulates() * images};
  state.counters["images_per_s"] = images / measure<float>(state, exec, work, run);
  state.counters["MiB"] = static_cast<double>(network.memory_bytes()) / (1 << 20);
}

template <class Exec>
void training(benchmark::State& state, const Case c) {
  Training<Exec> training(c);
  measure_pass(state, Exec(), training.network(), c.images, 3, [&] { training.run(); });
}

template <class Exec>
void inference(benchmark::State& state, const Case c) {
  const Exec exec;
  auto model = make_model(exec, c, nn::Phase::inference);
  const auto images = random_images(exec, c);
  const auto& image = c.network.image;
  const auto show = [&](const int first) {
    const int count = std::min(c.inference_batch(), c.images - first);
    const Tensor4<float, Exec> batch(images.data() + first * image.size(), count, image.height, image.width,
                                     image.channels);
    model.forward(exec, {}, batch);
    exec.fence("bcr::bench::inference");
  };
  measure_pass(state, exec, model.network(), c.images, 1, [&] {
    for (int first = 0; first < c.images; first += c.inference_batch()) show(first);
  });
}

template <class Exec>
void declare() {
  const auto add_all = [](const std::string& kind, void (*const function)(benchmark::State&, Case),
                          const std::string& name, const int images) {
    for (const auto& [word, way] : ways<Exec>())
      add(kind + "/" + name + "/" + word + "/" + std::to_string(images), function,
          Case{networks().at(name), way, images})
          ->Unit(benchmark::kMillisecond);
  };
  for (const auto& [name, network] : networks()) {
    add_all("training", training<Exec>, name, network.training_images);
    add_all("inference", inference<Exec>, name, network.inference_images);
  }
  for (const int images : {16, 64, 1024}) add_all("training", training<Exec>, "wrn-10-1", images);
  for (const int images : {16, 64, 512}) add_all("training", training<Exec>, "wrn-40-2", images);
  for (const int images : {16, 1000, 10000}) add_all("inference", inference<Exec>, "wrn-40-2", images);
}

/// "wrn-40-2/strict/256" as a case.
Case parse(const std::string& text) {
  const auto mode = text.find('/');
  const auto images = text.rfind('/');
  return {networks().at(text.substr(0, mode)),
          ways<Kokkos::DefaultExecutionSpace>().at(text.substr(mode + 1, images - mode - 1)),
          std::stoi(text.substr(images + 1))};
}

}  // namespace
}  // namespace bcr::bench

int main(int argc, char** argv) {
  char** const word = std::find(argv + 1, argv + argc, std::string_view("--first-step"));
  if (word + 1 < argv + argc) {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    bcr::bench::Training<Kokkos::DefaultExecutionSpace>(bcr::bench::parse(word[1])).run();
    return 0;
  }
  return bcr::bench::run(argc, argv, []<class Exec>(const Exec&) { bcr::bench::declare<Exec>(); });
}
