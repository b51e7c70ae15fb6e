#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/pool.hpp"
#include "src/scale/measure/step_work.hpp"

#include <gtest/gtest.h>

namespace bcr::scale {
namespace {

TEST(StepWork, CountsASmallNetworkByHand) {
  nn::Graph graph({4, 4, 3});
  auto value = nn::convolution(graph, "conv", graph.input(), {.channels = 8});
  value = nn::batch_norm(graph, "norm", value, {});
  nn::global_average_pool(graph, "pool", value);

  const StepWork work = step_work(graph, {.images = 2, .features = 8, .columns = 5, .parameters = 100});

  const auto at = [&](const train::Region region) { return work[static_cast<std::size_t>(region)]; };
  const double products = 4 * 4 * 8 * 9 * 3;
  EXPECT_EQ(at(train::Region::data).bytes, 2 * 48 * 5);
  EXPECT_EQ(at(train::Region::forward).multiply_accumulates, 2 * products);
  EXPECT_EQ(at(train::Region::backward).multiply_accumulates, 4 * products);
  // conv: 48 + 128 values and 216 weights; norm: 128 + 128; pool: 128 + 8.
  EXPECT_EQ(at(train::Region::forward).bytes, 4 * (2 * (48 + 128 + 256 + 136) + 216));
  // conv: the gradient of its result twice, its source, no gradient of the images, weights and their gradients.
  EXPECT_EQ(at(train::Region::backward).bytes, 4 * (2 * (2 * 128 + 48 + 3 * 128 + 8 + 128 + 128) + 2 * 216));
  EXPECT_EQ(at(train::Region::head).multiply_accumulates, 3 * 2 * 8 * 5);
  EXPECT_EQ(at(train::Region::head).bytes, 4 * 4 * (2 * 8 + 5 * 8 + 2 * 5));
  EXPECT_EQ(at(train::Region::update).multiply_accumulates, 300);
  EXPECT_EQ(at(train::Region::update).bytes, 2000);

  const StepWork inference = inference_work(graph, {.images = 2, .features = 8, .columns = 5, .parameters = 100});
  const RegionWork& forward = inference[static_cast<std::size_t>(train::Region::forward)];
  EXPECT_EQ(forward.multiply_accumulates, 2 * products + 2 * 8 * 5);
  EXPECT_EQ(forward.bytes, 4 * (2 * (48 + 128 + 256 + 136) + 216) + 4 * (2 * 8 + 5 * 8 + 2 * 5));
  EXPECT_EQ(inference[static_cast<std::size_t>(train::Region::backward)].bytes, 0);

  const StepWork loss = loss_work({.images = 2, .features = 8, .columns = 5, .parameters = 0});
  EXPECT_EQ(loss[static_cast<std::size_t>(train::Region::head)].multiply_accumulates, 10);
  EXPECT_EQ(loss[static_cast<std::size_t>(train::Region::head)].bytes, 4 * 2 * 10);
}

}  // namespace
}  // namespace bcr::scale
