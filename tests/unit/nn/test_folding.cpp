#include "models/backbones/densenet.hpp"
#include "models/backbones/resnet18.hpp"
#include "models/backbones/vgg.hpp"
#include "models/backbones/wide_resnet.hpp"
#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/pool.hpp"
#include "src/nn/schedule.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/network_case.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace bcr::test {
namespace {

constexpr int images = 3;
constexpr nn::PassInfo inference{};

struct NamedGraph {
  std::string name;
  nn::Graph graph;
};

/// Wide residual blocks with and without a projection; Winograd's algorithm (from 32 channels) and the direct one;
/// post-activation blocks; convolutions with a bias.
std::vector<NamedGraph> backbones() {
  return {{"wrn-16-2", models::wide_resnet({8, 8, 3}, {.depth = 16, .width = 2, .dropout = 0.3})},
          {"wrn-10-1", models::wide_resnet({9, 7, 1}, {.depth = 10, .width = 1, .dropout = 0})},
          {"resnet18", models::resnet18({8, 8, 3})},
          {"vgg", models::vgg({8, 8, 3})},
          {"densenet-10-4", models::densenet({8, 8, 3}, {.depth = 10, .growth = 4})}};
}

/// A network whose running statistics have taken in a few batches.
template <class Exec, class T>
std::unique_ptr<NetworkCase<Exec, T>> trained(const nn::Graph& graph, const nn::Mode mode, const nn::Folding folding) {
  const nn::NetworkSettings settings{
      .mode = mode, .training_images = images, .inference_images = images, .folding = folding};
  auto network = std::make_unique<NetworkCase<Exec, T>>(graph, images, settings);
  network->set_images(random_values(images * graph.shape(0).size(), 1));
  for (int pass = 0; pass < 3; ++pass) network->forward();
  return network;
}

template <class Exec>
class FoldingOn : public ::testing::Test {};
TYPED_TEST_SUITE(FoldingOn, ExecSpaces);

TYPED_TEST(FoldingOn, KeepsEveryBitInStrictMode) {
  for (const auto& [name, graph] : backbones()) {
    const auto folded = trained<TypeParam, float>(graph, nn::Mode::strict, nn::Folding::on);
    const auto unfolded = trained<TypeParam, float>(graph, nn::Mode::strict, nn::Folding::off);

    const auto features = folded->forward(inference);

    EXPECT_EQ(features, unfolded->forward(inference)) << name;
    EXPECT_NE(features, folded->forward()) << name;
  }
}

TYPED_TEST(FoldingOn, ChangesTheRoundingAloneInFastMode) {
  for (const auto& [name, graph] : backbones()) {
    const auto folded = trained<TypeParam, float>(graph, nn::Mode::fast, nn::Folding::on);
    const auto unfolded = trained<TypeParam, float>(graph, nn::Mode::fast, nn::Folding::off);

    const auto received = folded->forward(inference);
    const auto expected = unfolded->forward(inference);

    ASSERT_EQ(received.size(), expected.size()) << name;
    double largest = 0;
    for (const double value : expected) largest = std::max(largest, std::abs(value));
    ASSERT_GT(largest, 0) << name;
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(received[i], expected[i], tolerance::network<float> * largest) << name << ", element " << i;
  }
}

/// New weights, coefficients and running statistics.
template <class Exec, class T>
void change_everything(NetworkCase<Exec, T>& network) {
  for (std::size_t id = 0; id < network.parameters().slices().size(); ++id) {
    auto values = random_values(network.parameters().slices()[id].size, static_cast<unsigned>(50 + id));
    for (double& value : values) value /= 8;
    network.set_parameter(static_cast<int>(id), values);
  }
  for (std::size_t id = 0; id < network.statistics().slices().size(); ++id)
    network.set_statistic(static_cast<int>(id), std::vector(network.statistics().slices()[id].size, 0.5));
}

TYPED_TEST(FoldingOn, NoticesWhatChangedSinceTheLastPass) {
  for (const auto mode : {nn::Mode::strict, nn::Mode::fast})
    for (const auto& [name, graph] : backbones()) {
      const auto folded = trained<TypeParam, float>(graph, mode, nn::Folding::on);
      const auto before = folded->forward(inference);
      const auto fresh = trained<TypeParam, float>(graph, mode, nn::Folding::on);
      change_everything(*folded);
      change_everything(*fresh);

      const auto after = folded->forward(inference);

      EXPECT_NE(after, before) << name;
      EXPECT_EQ(after, fresh->forward(inference)) << name;
    }
}

TYPED_TEST(FoldingOn, LeavesNoTraceInTraining) {
  for (const auto mode : {nn::Mode::strict, nn::Mode::fast})
    for (const auto& [name, graph] : backbones()) {
      const auto diff = random_values(static_cast<std::size_t>(images) * graph.shape(graph.output()).channels, 2);
      const auto evaluated = trained<TypeParam, float>(graph, mode, nn::Folding::on);
      const auto undisturbed = trained<TypeParam, float>(graph, mode, nn::Folding::on);

      evaluated->forward(inference);

      EXPECT_EQ(evaluated->forward(), undisturbed->forward()) << name;
      EXPECT_EQ(evaluated->backward(diff), undisturbed->backward(diff)) << name;
      EXPECT_EQ(evaluated->statistic_values(), undisturbed->statistic_values()) << name;
    }
}

TYPED_TEST(FoldingOn, AllocatesNothing) {
  const auto graph = backbones().front().graph;
  const auto network = trained<TypeParam, float>(graph, nn::Mode::strict, nn::Folding::on);
  const Tensor4<float, TypeParam> input("bcr::tests::images", images, 8, 8, 3);
  network->network().forward(TypeParam(), inference, input);
  Kokkos::fence();

  const AllocationCounter counter;
  network->network().forward(TypeParam(), inference, input);
  Kokkos::fence();

  EXPECT_EQ(counter.count(), 0);
}

/// Operations of a kind that run by themselves.
template <class Kind>
int alone(const nn::Graph& graph, const nn::Folding folding) {
  const auto until = nn::find_fusions(graph, folding);
  int count = 0;
  for (int i = 0; i < static_cast<int>(until.size()); i = until[i] + 1)
    count += nn::settings_of<Kind>(*graph.operations()[i]) != nullptr ? 1 : 0;
  return count;
}

TEST(Fusion, TakesInEveryBatchNormWhoseSourceNobodyElseReads) {
  const std::vector<int> residual_path_goes_on{3, 1, 0, 0, 6};  // of a dense network: those of concatenations
  const auto all = backbones();
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(alone<nn::BatchNorm>(all[i].graph, nn::Folding::on), residual_path_goes_on[i]) << all[i].name;
    EXPECT_GT(alone<nn::BatchNorm>(all[i].graph, nn::Folding::off), residual_path_goes_on[i]) << all[i].name;
    EXPECT_EQ(alone<nn::Add>(all[i].graph, nn::Folding::on), 0) << all[i].name;
  }
}

TEST(Fusion, LeavesABatchNormAloneThatFollowsNoConvolution) {
  nn::Graph graph({4, 4, 3});
  const auto x = nn::batch_norm(graph, "first", graph.input(), {});
  const auto pooled = nn::max_pool(graph, "pool", nn::convolution(graph, "conv", x, {.channels = 2}), {});
  nn::global_average_pool(graph, "mean", nn::batch_norm(graph, "second", pooled, {}));

  EXPECT_EQ(nn::find_fusions(graph, nn::Folding::on), (std::vector{0, 1, 2, 3, 4}));
}

TEST(Fusion, ReplacesTheSumsInTheirBuffer) {
  nn::Graph graph({8, 8, 4});
  const auto x = nn::convolution(graph, "stem", graph.input(), {.channels = 4});
  const auto y = nn::batch_norm(graph, "norm", x, {});
  const auto z = nn::convolution(graph, "conv", y, {.channels = 4}, x);
  const auto last = nn::batch_norm(graph, "last", z, {});
  nn::global_average_pool(graph, "pool", last);

  const auto schedule = nn::make_schedule(graph, nn::Phase::inference);

  EXPECT_EQ(schedule.runs_until, (std::vector{0, 1, 3, 3, 4}));
  EXPECT_NE(schedule.value[y], schedule.value[x]);
  EXPECT_EQ(schedule.value[last], schedule.value[z]);
  EXPECT_EQ(nn::make_schedule(graph, nn::Phase::training).runs_until, (std::vector{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace bcr::test
