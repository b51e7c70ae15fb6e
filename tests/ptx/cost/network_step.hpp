#ifndef BCR_TESTS_PTX_COST_NETWORK_STEP_HPP
#define BCR_TESTS_PTX_COST_NETWORK_STEP_HPP

#include "kernels/optim/update_steps.hpp"
#include "models/model.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace bcr::test {

/// The networks whose steps are counted (bcr-cost-ptx) and timed (bench_step), on 32 x 32 x 3.
inline const std::map<std::string, models::BackboneOptions> step_networks{
    {"wrn-40-2", {.name = "wrn", .depth = 40, .width = 2, .dropout = 0.3}},
    {"wrn-28-10", {.name = "wrn", .depth = 28, .width = 10, .dropout = 0.3}},
    {"wrn-10-1", {.name = "wrn", .depth = 10, .width = 1, .dropout = 0.3}},
    {"resnet18", {.name = "resnet18"}},
};

/// A training step in strict mode with a distance head of six classes: forward, head, backward, update; without the loss,
/// whose kernels see a row of six numbers per image, and without augmentation.
template <class Exec>
class NetworkStep {
 public:
  NetworkStep(const std::string& network, const int images)
      : model_({.backbone = step_networks.at(network), .head = {}}, {{32, 32, 3}, classes},
               {.mode = nn::Mode::strict, .training_images = images, .inference_images = 0}, 1, exec_,
               Log(LogLevel::warning)),
        batch_("bcr::tests::images", images, 32, 32, 3),
        diff_outputs_("bcr::tests::diff_outputs", images, classes),
        velocity_("bcr::tests::velocity", model_.parameters().values().extent(0)),
        chunks_("bcr::tests::chunks", (velocity_.extent(0) + chunk - 1) / chunk) {
    const auto host = Kokkos::create_mirror_view(chunks_);
    const auto size = static_cast<std::int64_t>(velocity_.extent(0));
    for (std::int64_t i = 0; i < host.extent_int(0); ++i)
      host(i) = {.begin = i * chunk, .size = static_cast<std::int32_t>(std::min(chunk, size - i * chunk)), .group = 0};
    Kokkos::deep_copy(chunks_, host);
  }

  void run() {
    const nn::PassInfo pass{nn::Phase::training, 1, 0};
    const auto features = model_.forward_features(exec_, pass, batch_);
    model_.forward_head(exec_, features);
    model_.backward_head(exec_, features, diff_outputs_);
    model_.backward_features(exec_, pass, batch_);
    kernels::PerGroup<kernels::SgdCoefficients<float>> groups{};
    groups[0] = {.rate = 0.1f, .weight_decay = 5e-4f, .momentum = 0.9f};
    kernels::sgd_step<Exec, float>(exec_, chunks_, groups, kernels::MomentumRule::nesterov,
                                   model_.parameters().gradients(), velocity_, model_.parameters().values());
  }

 private:
  static constexpr int classes = 6;
  static constexpr std::int64_t chunk = 16384;  // of optim::make_chunks

  Exec exec_;
  models::Model<Exec, float> model_;
  Tensor4<float, Exec> batch_;
  Matrix<float, Exec> diff_outputs_;
  Vector<float, Exec> velocity_;
  Vector<kernels::ParameterChunk, Exec> chunks_;
};

}  // namespace bcr::test

#endif
