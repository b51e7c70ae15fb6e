// Launches the kernels of one training step on the PTX executor and writes what they cost (docs/gpu_cost.md).
//
// usage: bcr-cost-ptx NETWORK IMAGES BLOCKS FOLDER      e.g. bcr-cost-ptx wrn-40-2 256 8 build/cuda/cost/wrn-40-2
//   NETWORK   wrn-40-2, wrn-28-10 or resnet18, on 32 x 32 x 3, six classes and a distance head, strict mode
//   BLOCKS    of a launch that are run, at most
// Writes launches.csv and the PTX of the objects that were used; scripts/gpu_cost.py reads them. The step: forward, head,
// backward, update; without the loss, whose kernels see 256 x 6 numbers, and without augmentation.
#include "kernels/optim/sgd_step.hpp"
#include "models/model.hpp"
#include "tests/ptx/runtime/cost_ledger.hpp"

#include <cstdio>
#include <exception>
#include <map>
#include <string>

namespace bcr::test {
namespace {

using Exec = Kokkos::Cuda;
constexpr int classes = 6;

const std::map<std::string, models::BackboneOptions> networks{
    {"wrn-40-2", {.name = "wrn", .depth = 40, .width = 2, .dropout = 0.3}},
    {"wrn-28-10", {.name = "wrn", .depth = 28, .width = 10, .dropout = 0.3}},
    {"wrn-10-1", {.name = "wrn", .depth = 10, .width = 1, .dropout = 0.3}},
    {"resnet18", {.name = "resnet18"}},
};

void update(const Exec& exec, models::Model<Exec, float>& model, const Vector<float, Exec>& velocity) {
  const auto values = model.parameters().values();
  constexpr int chunk = 16384;  // of optim::make_chunks
  const int size = values.extent_int(0);
  const Kokkos::View<kernels::ParameterChunk*, Exec> chunks("chunks", (size + chunk - 1) / chunk);
  const auto host = Kokkos::create_mirror_view(chunks);
  for (int i = 0; i < chunks.extent_int(0); ++i)
    host(i) = {.begin = i * chunk, .size = std::min(chunk, size - i * chunk), .group = 0};
  Kokkos::deep_copy(exec, chunks, host);
  kernels::PerGroup<kernels::SgdCoefficients<float>> groups{};
  groups[0] = {.rate = 0.1f, .weight_decay = 5e-4f, .momentum = 0.9f};
  kernels::sgd_step<Exec, float>(exec, chunks, groups, kernels::MomentumRule::nesterov, model.parameters().gradients(),
                                 velocity, values);
}

void count_step(const std::string& network, const int images) {
  const Exec exec;
  models::Model<Exec, float> model({.backbone = networks.at(network), .head = {}}, {{32, 32, 3}, classes},
                                   {.mode = nn::Mode::strict, .training_images = images, .inference_images = 0}, 1, exec,
                                   Log(LogLevel::warning));
  const Tensor4<float, Exec> batch("images", images, 32, 32, 3);
  const Matrix<float, Exec> diff_outputs("diff_outputs", images, classes);
  const Vector<float, Exec> velocity("velocity", model.parameters().values().extent(0));
  ptx::CostLedger::instance().open();
  const nn::PassInfo pass{nn::Phase::training, 1, 0};
  const auto features = model.forward_features(exec, pass, batch);
  model.forward_head(exec, features);
  model.backward_head(exec, features, diff_outputs, {});
  model.backward_features(exec, pass, batch);
  update(exec, model, velocity);
}

}  // namespace
}  // namespace bcr::test

int main(int argc, char** argv) try {
  if (argc != 5 || !bcr::test::networks.contains(argv[1])) {
    std::fputs("usage: bcr-cost-ptx wrn-40-2|wrn-28-10|resnet18 IMAGES BLOCKS FOLDER\n", stderr);
    return 2;
  }
  auto& ledger = bcr::test::ptx::CostLedger::instance();
  ledger.sample(std::stoul(argv[3]));
  const Kokkos::ScopeGuard guard;
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(
      [](const char* const label, std::uint32_t, std::uint64_t*) {
        bcr::test::ptx::CostLedger::instance().set_label(label);
      });
  bcr::test::count_step(argv[1], std::stoi(argv[2]));
  ledger.write(argv[4]);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "bcr-cost-ptx: %s\n", error.what());
  return 1;
}
