#include "losses/registry.hpp"
#include "src/comm/communicator.hpp"
#include "src/optim/registry.hpp"
#include "src/train/training_step.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/deep_copy_counter.hpp"
#include "tests/support/exec_spaces.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

// A training step launches kernels and nothing else: a copy between memory spaces that nobody asked for would cost
// little on a host and much on a device, and would be seen only there.
namespace bcr::test {
namespace {

constexpr int known = 4;
constexpr int background = 4;
constexpr int classes = 3;
constexpr nn::ImageShape image{8, 8, 3};

template <class Exec>
class TrainingStepCopies : public ::testing::Test {
 protected:
  TrainingStepCopies()
      : model({.backbone = {.depth = 10, .width = 1, .dropout = 0}, .head = {}}, {image, classes},
              {.mode = nn::Mode::strict, .training_images = known + background, .inference_images = known + background},
              1, exec, Log(LogLevel::off)),
        loss(losses::make_loss<Exec, float>(
            losses::LossOptions(),
            {.classes = classes, .features = model.features(), .most_rows = known + background})),
        optimizer(optim::make_optimizer<Exec, float>(
            "sgd", optim::one_group(model.parameters(), {.name = "all", .weight_decay = 5e-4, .momentum = 0.9}))),
        step({model, *loss, *optimizer, alone}),
        clock(exec) {
    const Tensor4<float, Exec> images("bcr::tests::images", known + background, image.height, image.width,
                                      image.channels);
    Kokkos::deep_copy(images, 0.5f);
    batch = train::StepBatch<Exec, float>::whole(images, Labels<Exec>("bcr::tests::labels", known));
    exec.fence();
  }

  void run(const int number) {
    step.run(
        exec, [this](int) { return batch; },
        {.seed = 1, .step = static_cast<std::uint64_t>(number), .rate = 0.01, .lambda = 1}, false, clock);
    exec.fence();
  }

  Exec exec{};
  comm::SerialCommunicator alone;
  models::Model<Exec, float> model;
  std::unique_ptr<losses::Loss<Exec, float>> loss;
  std::unique_ptr<optim::Optimizer<Exec, float>> optimizer;
  train::TrainingStep<Exec, float> step;
  train::RegionClock<Exec> clock;
  train::StepBatch<Exec, float> batch;
};
TYPED_TEST_SUITE(TrainingStepCopies, ExecSpaces);

TYPED_TEST(TrainingStepCopies, NothingAndAllocatesNothing) {
  this->run(0);
  const DeepCopyCounter counter;
  const AllocationCounter allocations;
  for (int i = 1; i < 4; ++i) this->run(i);
  EXPECT_TRUE(counter.copies().empty()) << counter.copies().size()
                                        << " copies, the first: " << counter.copies().front();
  EXPECT_EQ(allocations.count(), 0);
}

TYPED_TEST(TrainingStepCopies, AreSeenWhereThereIsOne) {
  const DeepCopyCounter counter;
  const auto mirror = Kokkos::create_mirror(this->batch.labels);
  Kokkos::deep_copy(mirror, this->batch.labels);
  EXPECT_EQ(counter.copies().size(), 1u);
}

}  // namespace
}  // namespace bcr::test
