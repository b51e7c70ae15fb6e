#include "src/core/error.hpp"
#include "src/optim/registry.hpp"
#include "tests/reference/optimiser_steps.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/tolerance.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace bcr::optim;
namespace tolerance = bcr::test::tolerance;

template <class Exec, class T>
bcr::Vector<T, Exec> to_device(const std::vector<T>& values) {
  bcr::Vector<T, Exec> device("bcr::test::values", values.size());
  Kokkos::deep_copy(device,
                    Kokkos::View<const T*, Kokkos::LayoutRight, Kokkos::HostSpace>(values.data(), values.size()));
  return device;
}

template <class T, class View>
std::vector<T> to_host(const View& device) {
  std::vector<T> values(device.extent(0));
  Kokkos::deep_copy(Kokkos::View<T*, Kokkos::LayoutRight, Kokkos::HostSpace>(values.data(), values.size()), device);
  return values;
}

/// Gradients and parameters that differ in every element, exact in float.
template <class T>
std::vector<T> wave(const std::size_t size, const int seed) {
  std::vector<T> values(size);
  for (std::size_t i = 0; i < size; ++i) {
    values[i] =
        static_cast<T>(static_cast<int>((i * 7919 + static_cast<std::size_t>(seed) * 104729) % 2001) - 1000) / 512;
  }
  return values;
}

/// Three slices in two groups; elements 20000 to 20009 and the last are padding.
ParameterLayout layout() {
  return {
      40016,
      {{"conv.weights", 0, 20000, "network"}, {"conv.bias", 20010, 5, "network"}, {"anchors", 20015, 20000, "anchors"}},
      {{.name = "network", .rate_multiplier = 1, .weight_decay = 5e-4, .momentum = 0.9},
       {.name = "anchors", .rate_multiplier = 0.5, .weight_decay = 0, .momentum = 0.8}}};
}

bool is_padding(const std::size_t i) {
  return (i >= 20000 && i < 20010) || i == 40015;
}

template <class Exec>
class OptimizerOn : public ::testing::Test {};

TYPED_TEST_SUITE(OptimizerOn, bcr::test::ExecSpaces);

template <class Exec, class T>
void expect_sgd_bits(const std::string_view name) {
  const std::vector<T> start = wave<T>(layout().arena_size, 1);
  std::vector<bcr::reference::SgdParameter<T>> expected;
  for (const T value : start) expected.push_back({value, 0});
  const auto params = to_device<Exec, T>(start);
  const auto sgd = make_optimizer<Exec, T>(name, layout());

  for (int t = 0; t < 4; ++t) {
    const std::vector<T> gradients = wave<T>(start.size(), t + 2);
    const double rate = 0.1 / (t + 1);
    sgd->step(Exec{}, rate, to_device<Exec, T>(gradients), params);
    for (std::size_t i = 0; i < start.size(); ++i) {
      const ParameterGroup group = layout().groups[i < 20015 ? 0 : 1];
      if (is_padding(i)) continue;
      expected[i].step(gradients[i], static_cast<T>(rate * group.rate_multiplier), static_cast<T>(group.weight_decay),
                       static_cast<T>(group.momentum), name == "sgd");
    }
  }

  const std::vector<T> result = to_host<T>(params);
  for (std::size_t i = 0; i < result.size(); ++i) ASSERT_EQ(result[i], expected[i].value) << i;
}

TYPED_TEST(OptimizerOn, SgdHasTheBitsOfItsFormulaAndLeavesPaddingAlone) {
  expect_sgd_bits<TypeParam, float>("sgd");
  expect_sgd_bits<TypeParam, double>("sgd");
  expect_sgd_bits<TypeParam, float>("sgd-classical");
  expect_sgd_bits<TypeParam, double>("sgd-classical");
}

TYPED_TEST(OptimizerOn, AdamFollowsThePaper) {
  const ParameterLayout one_group{1000, {{"p", 0, 1000, "all"}}, {{.name = "all", .momentum = 0.9}}};
  const std::vector<double> start = wave<double>(1000, 1);
  std::vector<bcr::reference::AdamParameter> expected;
  for (const double value : start) expected.push_back({value, 0, 0});
  const auto params = to_device<TypeParam, double>(start);
  const auto adam = make_optimizer<TypeParam, double>("adam", one_group);

  for (int t = 1; t <= 20; ++t) {
    const std::vector<double> gradients = wave<double>(start.size(), t);
    adam->step(TypeParam{}, 0.01, to_device<TypeParam, double>(gradients), params);
    for (std::size_t i = 0; i < start.size(); ++i) expected[i].step(gradients[i], 0.01, 0.9, 0.999, 1e-8, t);
  }

  const std::vector<double> result = to_host<double>(params);
  for (std::size_t i = 0; i < result.size(); ++i)
    ASSERT_NEAR(result[i], expected[i].value, tolerance::optimiser_trajectory);
}

TYPED_TEST(OptimizerOn, ARestoredOptimiserContinuesWithTheSameBits) {
  for (const OptimizerEntry& entry : all_optimizers().entries()) {
    const auto straight = make_optimizer<TypeParam, float>(entry.name, layout());
    const auto before = make_optimizer<TypeParam, float>(entry.name, layout());
    const auto after = make_optimizer<TypeParam, float>(entry.name, layout());
    const auto straight_params = to_device<TypeParam, float>(wave<float>(layout().arena_size, 1));
    const auto params = to_device<TypeParam, float>(wave<float>(layout().arena_size, 1));
    for (int t = 0; t < 6; ++t) {
      const auto gradients = to_device<TypeParam, float>(wave<float>(layout().arena_size, t));
      straight->step(TypeParam{}, 0.1, gradients, straight_params);
      if (t == 3) {
        for (std::size_t i = 0; i < before->state().size(); ++i) {
          ASSERT_EQ(before->state()[i].name, after->state()[i].name);
          Kokkos::deep_copy(after->state()[i].values, before->state()[i].values);
        }
        after->set_steps_done(before->steps_done());
      }
      (t < 3 ? before : after)->step(TypeParam{}, 0.1, gradients, params);
    }

    EXPECT_EQ(to_host<float>(params), to_host<float>(straight_params)) << entry.name;
    EXPECT_EQ(after->steps_done(), 6u);
  }
}

using Host = Kokkos::DefaultHostExecutionSpace;

TEST(Optimizer, StateIsNamedByBufferAndParameter) {
  const auto adam = make_optimizer<Host, float>("adam", layout());

  std::vector<std::string> names;
  for (const auto& state : adam->state()) names.push_back(state.name);

  EXPECT_THAT(names,
              ::testing::ElementsAre("first_moment/conv.weights", "first_moment/conv.bias", "first_moment/anchors",
                                     "second_moment/conv.weights", "second_moment/conv.bias", "second_moment/anchors"));
  EXPECT_EQ(adam->state()[1].values.extent(0), 5u);
}

TEST(Optimizer, OfNoParametersDoesNothing) {
  const auto sgd = make_optimizer<Host, float>("sgd", {0, {}, {{.name = "all"}}});

  sgd->step(Host{}, 0.1, to_device<Host, float>({}), to_device<Host, float>({}));

  EXPECT_EQ(sgd->steps_done(), 1u);
}

TEST(Optimizer, RefusesWrongLengthsRatesAndNames) {
  const auto sgd = make_optimizer<Host, float>("sgd", layout());
  const auto right = to_device<Host, float>(wave<float>(layout().arena_size, 1));
  const auto wrong = to_device<Host, float>(wave<float>(3, 1));

  EXPECT_THROW(sgd->step(Host{}, 0.1, wrong, right), bcr::ShapeError);
  EXPECT_THROW(sgd->step(Host{}, 0.1, right, wrong), bcr::ShapeError);
  EXPECT_THROW(sgd->step(Host{}, std::numeric_limits<double>::infinity(), right, right), bcr::NumericsError);
  EXPECT_THROW((make_optimizer<Host, float>("adagrad", layout())), bcr::ConfigError);
}

}  // namespace
