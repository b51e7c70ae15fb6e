#include "src/nn/graph.hpp"
#include "src/nn/layers/add.hpp"
#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/concatenate.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/dropout.hpp"
#include "src/nn/layers/linear.hpp"
#include "src/nn/layers/pool.hpp"
#include "src/nn/layers/reshape.hpp"
#include "src/nn/layers/transposed_convolution.hpp"
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
  EXPECT_THROW(concatenate(graph, "both", {wide, average_pool(graph, "half", wide, {})}), ShapeError);
  EXPECT_THROW(reshape(graph, "row", wide, {1, 1, 511}), ShapeError);
  EXPECT_THROW(transposed_convolution(graph, "grow", wide, {.extra = 2}), ShapeError);
  EXPECT_THROW(dropout(graph, "drop", wide, {.rate = 1}), ConfigError);
}

TEST(Schedule, KeepsWhatTheBackwardPassReadsAndRecomputesBatchNorm) {
  const auto graph = residual_pair();

  const auto schedule = make_schedule(graph, Phase::training);

  EXPECT_EQ(schedule.kept[1], schedule.value[1]);  // the stem's result: batch norm needs it
  EXPECT_NE(schedule.kept[2], schedule.value[2]);  // the norm's result is computed again
  EXPECT_EQ(schedule.recomputed_before[2], std::vector<int>{1});
  EXPECT_EQ(schedule.diff[1], schedule.diff[3]);  // the gradient of the sum is that of its addend
  EXPECT_EQ(schedule.diff_starts[1][0], kernels::ChainStart::dst);
  EXPECT_FALSE(schedule.overwrites[2]);
}

TEST(Schedule, OfInferenceAddsInPlaceAndHasNoGradients) {
  const auto graph = residual_pair();

  const auto schedule = make_schedule(graph, Phase::inference);

  EXPECT_TRUE(schedule.overwrites[2]);
  EXPECT_EQ(schedule.value[3], schedule.value[1]);
  for (const int diff : schedule.diff) EXPECT_EQ(diff, no_buffer);
}

/// Of three convolutions that read all results before them only the results themselves are kept.
TEST(Schedule, ConcatenatesAgainForTheBackwardPass) {
  Graph graph({8, 8, 4});
  std::vector<ValueId> pieces{convolution(graph, "stem", graph.input(), {.channels = 4})};
  for (const std::string layer : {"a", "b", "c"}) {
    const auto all = concatenate(graph, layer + ".all", pieces);
    pieces.push_back(convolution(graph, layer, batch_norm(graph, layer + ".norm", all, {}), {.channels = 4}));
  }
  global_average_pool(graph, "pool", concatenate(graph, "all", pieces));

  const auto schedule = make_schedule(graph, Phase::training);

  EXPECT_EQ(schedule.recomputed_before[9], (std::vector{7, 8}));  // c reads its norm, which reads its concatenation
  const int operations = static_cast<int>(graph.operations().size());
  for (const auto& [first, last, size] : schedule.buffers) {
    const bool is_kept = first < operations && last >= operations;
    EXPECT_LE(is_kept ? size : 0, 8u * 8 * 4);
  }
}

TEST(Schedule, ReshapesAndDropsInPlace) {
  Graph graph({4, 4, 2});
  const auto x = convolution(graph, "conv", graph.input(), {.channels = 2});
  const auto y = reshape(graph, "row", dropout(graph, "drop", x, {}), {1, 1, 32});
  const auto z = linear(graph, "fc", y, {.channels = 3});

  const auto schedule = make_schedule(graph, Phase::training);

  EXPECT_EQ(schedule.value[x], schedule.value[y]);
  EXPECT_EQ(schedule.diff[x], schedule.diff[y]);
  EXPECT_NE(schedule.value[z], schedule.value[y]);
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
