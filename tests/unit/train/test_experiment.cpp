#include "src/comm/communicator.hpp"
#include "src/train/experiment.hpp"
#include "tests/support/data_directory.hpp"

#include <gtest/gtest.h>

namespace bcr::test {
namespace {

train::RunOptions small_run(const DataDirectory& files) {
  train::RunOptions options;
  options.data = files.options();
  options.model.backbone = {.name = "wrn", .depth = 10, .width = 1, .dropout = 0};
  options.train.epochs = 10;
  options.train.warmup_epochs = 1;
  return options;
}

/// Without gradients, weight decay is all that moves a parameter: in the first step with Nesterov's momentum m, from p
/// to p - rate (1 + m) decay p.
TEST(Experiment, DecaysAnchorsByTheirOwnAndAllElseByTheCommonFactor) {
  const DataDirectory files;
  comm::SerialCommunicator alone;
  for (const std::optional<double> own : {std::optional<double>(), std::optional<double>(0.25), std::optional<double>(0)}) {
    train::RunOptions options = small_run(files);
    options.train.weight_decay = 0.125;
    options.train.anchor_weight_decay = own;
    options.train.momentum = 0.5;
    train::Experiment experiment(options, Log(LogLevel::off), alone);
    const auto& parameters = experiment.model.parameters();
    const auto read = [&] {
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), parameters.values());
      return std::vector<float>(host.data(), host.data() + host.size());
    };
    const std::vector<float> before = read();
    Kokkos::deep_copy(parameters.gradients(), 0.f);

    experiment.optimizer->step(experiment.context.exec, 0.5, parameters.gradients(), parameters.values());
    experiment.context.exec.fence();

    const std::vector<float> after = read();
    int anchors = 0;
    for (const auto& slice : parameters.slices()) {
      const bool is_anchor = slice.name == "head.anchors";
      anchors += is_anchor ? 1 : 0;
      const double decay = is_anchor ? own.value_or(0.125) : 0.125;
      for (std::size_t i = slice.offset; i < slice.offset + slice.size; ++i)
        ASSERT_NEAR(after[i], before[i] * (1 - 0.5 * (1 + 0.5) * decay), 1e-6 * std::abs(before[i]))
            << slice.name << ", decay of anchors " << own.value_or(-1);
    }
    EXPECT_EQ(anchors, 1);
  }
}

}  // namespace
}  // namespace bcr::test
