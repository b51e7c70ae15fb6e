#include "models/heads/anchor_geometry.hpp"
#include "models/heads/registry.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace bcr::test {
namespace {

using models::HeadOptions;

template <class Exec>
class Heads : public ::testing::Test {};
TYPED_TEST_SUITE(Heads, ExecSpaces);

/// A head of integer parameters on integer features: every result is exact.
template <class Exec>
struct IntegerHead {
  IntegerHead(const HeadOptions& options, const int N_, const int C_, const int n_)
      : N(N_),
        C(C_),
        n(n_),
        store(nn::Gradients::kept),
        head(models::make_head<Exec, float>(options, store, n, C, std::max(N, 1))),
        weights(random_integers<float>(C, n, -3, 3, 1)),
        features(random_integers<float>(N, n, -3, 3, 2)),
        diff(random_integers<float>(N, C, -2, 2, 3)),
        outputs("bcr::tests::outputs", N, C),
        diff_features("bcr::tests::diff_features", N, n) {
    store.allocate(exec, 3);
    exec.fence();
    Kokkos::deep_copy(store.values(0), to_device<Exec>(weights.entries));
    if (store.slices().size() > 1) Kokkos::deep_copy(store.values(1), 5.0F);
  }

  void step(const kernels::ChainStart start = kernels::ChainStart::zero) {
    const auto f = to_device<Exec>(features);
    head->forward(exec, f, outputs);
    head->backward(exec, f, to_device<Exec>(diff), start, diff_features);
    exec.fence();
  }

  Exec exec;
  int N, C, n;
  nn::ParameterStore<Exec, float> store;
  std::unique_ptr<models::Head<Exec, float>> head;
  HostMatrix<float> weights, features, diff;
  Matrix<float, Exec> outputs, diff_features;
};

struct Case {
  int N, C, n;
  kernels::ChainStart start;  ///< of the gradient by the features
};

std::vector<Case> starts() {
  std::vector<Case> cases;
  for (const auto start : {kernels::ChainStart::zero, kernels::ChainStart::dst})
    for (const auto& [N, C, n] : std::initializer_list<std::array<int, 3>>{{0, 2, 3}, {1, 1, 1}, {5, 3, 7}, {67, 10, 65}})
      cases.push_back({N, C, n, start});
  return cases;
}

TYPED_TEST(Heads, OfDistancesAreExactOnSmallIntegers) {
  for (const auto& [N, C, n, start] : starts()) {
    IntegerHead<TypeParam> p({.name = "distance"}, N, C, n);
    Kokkos::deep_copy(p.diff_features, 7.0F);

    p.step(start);

    const auto outputs = to_host(p.outputs), diff_features = to_host(p.diff_features);
    const auto diff_anchors = to_host(p.store.gradients(0));
    std::vector<float> by_feature(N * n, start == kernels::ChainStart::dst ? 7.0F : 0.0F), by_anchor(C * n);
    for (int i = 0; i < N; ++i) {
      for (int c = 0; c < C; ++c) {
        float sum = 0;
        for (int d = 0; d < n; ++d) {
          const float t = p.features(i, d) - p.weights(c, d);
          sum += t * t;
          by_feature[i * n + d] += 2 * p.diff(i, c) * t;
          by_anchor[c * n + d] -= 2 * p.diff(i, c) * t;
        }
        EXPECT_EQ(outputs[i * C + c], sum);
      }
    }
    EXPECT_EQ(diff_features, by_feature);
    EXPECT_EQ(diff_anchors, by_anchor);
  }
}

TYPED_TEST(Heads, OfLogitsAreExactOnSmallIntegers) {
  for (const auto& [N, C, n, start] : starts()) {
    for (const bool bias : {true, false}) {
      IntegerHead<TypeParam> p({.name = "linear", .bias = bias}, N, C, n);
      Kokkos::deep_copy(p.diff_features, 7.0F);

      p.step(start);

      const auto outputs = to_host(p.outputs), diff_features = to_host(p.diff_features);
      std::vector<float> by_feature(N * n, start == kernels::ChainStart::dst ? 7.0F : 0.0F), by_weight(C * n), by_bias(C);
      for (int i = 0; i < N; ++i) {
        for (int c = 0; c < C; ++c) {
          float sum = bias ? 5.0F : 0.0F;
          by_bias[c] += p.diff(i, c);
          for (int d = 0; d < n; ++d) {
            sum += p.features(i, d) * p.weights(c, d);
            by_feature[i * n + d] += p.diff(i, c) * p.weights(c, d);
            by_weight[c * n + d] += p.diff(i, c) * p.features(i, d);
          }
          EXPECT_EQ(outputs[i * C + c], sum);
        }
      }
      EXPECT_EQ(diff_features, by_feature);
      EXPECT_EQ(to_host(p.store.gradients(0)), by_weight);
      EXPECT_EQ(p.store.slices().size(), bias ? 2u : 1u);
      if (bias) {
        EXPECT_EQ(to_host(p.store.gradients(1)), by_bias);
      }
    }
  }
}

TYPED_TEST(Heads, AddTheirParametersWithTheirInitialValues) {
  nn::ParameterStore<TypeParam, float> store(nn::Gradients::kept);
  const auto distance = models::make_head<TypeParam, float>({.name = "distance"}, store, 640, 10, 8);
  const auto linear = models::make_head<TypeParam, float>({.name = "linear"}, store, 640, 10, 8);

  store.allocate(TypeParam{}, 7);
  Kokkos::fence();

  ASSERT_EQ(store.slices().size(), 3u);
  EXPECT_EQ(store.slices()[0].name, "head.anchors");
  EXPECT_EQ(store.slices()[0].group, "anchors");
  EXPECT_EQ(store.slices()[1].name, "head.weights");
  EXPECT_EQ(store.slices()[2].name, "head.bias");
  double mean = 0, square = 0;
  for (const float x : to_host(store.values(0))) mean += x, square += double(x) * x;
  EXPECT_NEAR(mean / 6400, 0, 0.05);  // four standard deviations of the mean of 6400 normal numbers
  EXPECT_NEAR(square / 6400, 1, 0.08);
  float largest = 0;
  for (const float x : to_host(store.values(1))) largest = std::max(largest, std::abs(x));
  EXPECT_LE(largest, 1 / std::sqrt(640.0F));
  EXPECT_GE(largest, 0.99F / std::sqrt(640.0F));
  for (const float x : to_host(store.values(2))) EXPECT_EQ(x, 0);
  EXPECT_EQ(distance->outputs(), kernels::HeadOutputs::squared_distances);
  EXPECT_EQ(linear->outputs(), kernels::HeadOutputs::logits);
  EXPECT_EQ(linear->columns(), 10);
}

TYPED_TEST(Heads, AllocateNothingAfterTheFirstStep) {
  for (const auto& [name, start] : {std::pair{"distance", kernels::ChainStart::zero},
                                    {"distance", kernels::ChainStart::dst},
                                    {"linear", kernels::ChainStart::dst}}) {
    IntegerHead<TypeParam> p({.name = name}, 67, 10, 65);
    const auto f = to_device<TypeParam>(p.features), diff = to_device<TypeParam>(p.diff);
    p.step(start);

    const AllocationCounter allocations;
    for (int k = 0; k < 3; ++k) {
      p.head->forward(p.exec, f, p.outputs);
      p.head->backward(p.exec, f, diff, start, p.diff_features);
    }
    p.exec.fence();

    EXPECT_EQ(allocations.count(), 0) << name;
  }
}

TYPED_TEST(Heads, AreRefusedByUnknownNamesAndSizesThatAreNotPositive) {
  nn::ParameterStore<TypeParam, float> store(nn::Gradients::kept);

  EXPECT_THROW((models::make_head<TypeParam, float>({.name = "cosine"}, store, 4, 3, 2)), ConfigError);
  EXPECT_THROW((models::make_head<TypeParam, float>({.name = "linear"}, store, 0, 3, 2)), ConfigError);
  EXPECT_THROW((models::make_head<TypeParam, float>({.name = "linear"}, store, 4, 0, 2)), ConfigError);
}

TYPED_TEST(Heads, MeasureTheirAnchors) {
  HostMatrix<float> anchors(3, 2);
  anchors.entries = {3, 4, 0, 1, 6, 8};

  const models::AnchorGeometry found = models::measure_anchors<TypeParam, float>(TypeParam{}, to_device<TypeParam>(anchors));

  EXPECT_EQ(found.smallest_norm, 1);
  EXPECT_EQ(found.largest_norm, 10);
  EXPECT_DOUBLE_EQ(found.mean_norm, 16.0 / 3);
  EXPECT_DOUBLE_EQ(found.smallest_separation, std::sqrt(18.0));
}

TYPED_TEST(Heads, FindTheNearestOfManyAnchors) {
  HostMatrix<float> anchors(700, 2);  // more than two blocks of rows
  for (int i = 0; i < 700; ++i) anchors(i, 0) = float(10 * i);
  anchors(600, 0) = 123;  // 3 from anchor 12

  const models::AnchorGeometry found = models::measure_anchors<TypeParam, float>(TypeParam{}, to_device<TypeParam>(anchors));

  EXPECT_EQ(found.smallest_separation, 3);
}

}  // namespace
}  // namespace bcr::test
