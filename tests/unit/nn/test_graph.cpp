#include "src/nn/graph.hpp"
#include "src/nn/layers/add.hpp"
#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/linear.hpp"
#include "src/nn/layers/pool.hpp"
#include "src/nn/schedule.hpp"

#include <gtest/gtest.h>

namespace bcr::nn {
namespace {

Graph residual_pair() {
  Graph graph({8, 8, 4});
  const auto x = convolution(graph, "stem", graph.input(), {.channels = 4});
  const auto y = batch_norm(graph, "norm", x, {});
  const auto z = convolution(graph, "conv", y, {.channels = 4}, x);
  global_average_pool(graph, "pool", z);
  return graph;
}

TEST(Graph, KnowsTheShapesOfItsValues) {
  Graph graph({9, 7, 3});

  const auto strided = convolution(graph, "a", graph.input(), {.channels = 5, .window = {.stride = 2, .pad = 1}});
  const auto vector = linear(graph, "b", strided, {.channels = 11});

  EXPECT_EQ(graph.shape(strided), (ImageShape{5, 4, 5}));
  EXPECT_EQ(graph.shape(vector), (ImageShape{1, 1, 11}));
  EXPECT_EQ(graph.multiply_accumulates(), 5 * 4 * 5 * 27 + 100 * 11);
}

TEST(Graph, RefusesWhatDoesNotFit) {
  Graph graph({8, 8, 4});
  const auto wide = convolution(graph, "wide", graph.input(), {.channels = 8});

  EXPECT_THROW(convolution(graph, "conv", wide, {.channels = 4}, wide), ShapeError);
  EXPECT_THROW(max_pool(graph, "pool", wide, {.taps = 3}), ShapeError);
  EXPECT_THROW(batch_norm(graph, "norm", wide, {.dropout = 1}), ConfigError);
  EXPECT_THROW(batch_norm(graph, "norm", 17, {}), std::exception);
  EXPECT_THROW(add(graph, "add", wide, wide, Activation::none), ShapeError);
}

TEST(Schedule, KeepsWhatTheBackwardPassReadsAndRecomputesBatchNorm) {
  const auto graph = residual_pair();

  const auto schedule = make_schedule(graph, Phase::training);

  EXPECT_EQ(schedule.kept[1], schedule.value[1]);  // the stem's result: batch norm needs it
  EXPECT_NE(schedule.kept[2], schedule.value[2]);  // the norm's result is computed again
  EXPECT_EQ(schedule.recomputed_before[2], std::vector<int>{1});
  EXPECT_EQ(schedule.diff[1], schedule.diff[3]);  // the gradient of the sum is that of its addend
  EXPECT_EQ(schedule.diff_starts[1][0], kernels::ChainStart::dst);
  EXPECT_FALSE(schedule.starts_in_place[2]);
}

TEST(Schedule, OfInferenceAddsInPlaceAndHasNoGradients) {
  const auto graph = residual_pair();

  const auto schedule = make_schedule(graph, Phase::inference);

  EXPECT_TRUE(schedule.starts_in_place[2]);
  EXPECT_EQ(schedule.value[3], schedule.value[1]);
  for (const int diff : schedule.diff) EXPECT_EQ(diff, no_buffer);
}

TEST(Schedule, RefusesAResultThatNobodyUses) {
  Graph graph({8, 8, 4});
  const auto x = convolution(graph, "stem", graph.input(), {.channels = 4});
  convolution(graph, "unused", x, {.channels = 4});
  global_average_pool(graph, "pool", x);

  EXPECT_THROW(make_schedule(graph, Phase::training), ShapeError);
}

}  // namespace
}  // namespace bcr::nn
