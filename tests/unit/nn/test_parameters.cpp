#include "src/nn/parameters.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bcr::nn {
namespace {

template <class Exec>
class Parameters : public ::testing::Test {};
TYPED_TEST_SUITE(Parameters, bcr::test::ExecSpaces);

TYPED_TEST(Parameters, LieAtMultiplesOfSixteenAndCountWithoutGaps) {
  ParameterStore<TypeParam, float> store(Gradients::kept);
  const int a = store.add({.name = "a", .extents = {3, 5}});
  const int b = store.add({.name = "b", .extents = {2, 2, 2, 2}, .initial = {.fill = Fill::one}});
  store.allocate(TypeParam(), 1);

  EXPECT_EQ(store.count(), 31u);
  EXPECT_EQ(store.slices()[b].offset, 16u);
  EXPECT_EQ(store.matrix(a).extent(1), 5u);
  EXPECT_EQ(bcr::test::to_host(store.values(b)), std::vector<float>(16, 1.0f));
  EXPECT_EQ(bcr::test::to_host(store.gradients(a)), std::vector<float>(15, 0.0f));
}

TYPED_TEST(Parameters, BeginAsAFunctionOfSeedAndNameAlone) {
  const auto draw = [](const std::uint64_t seed, const bool with_neighbour) {
    ParameterStore<TypeParam, float> store(Gradients::none);
    if (with_neighbour) store.add({.name = "neighbour", .extents = {40}, .initial = {Fill::normal, 1}});
    const int id = store.add({.name = "x", .extents = {1000}, .initial = {Fill::normal, 1}});
    store.allocate(TypeParam(), seed);
    return bcr::test::to_host(store.values(id));
  };

  EXPECT_EQ(draw(1, false), draw(1, true));
  EXPECT_NE(draw(1, false), draw(2, false));
}

TYPED_TEST(Parameters, HaveTheMomentsTheyAreAskedFor) {
  constexpr int size = 100'000;
  ParameterStore<TypeParam, double> store(Gradients::none);
  const int normal = store.add({.name = "n", .extents = {size}, .initial = {Fill::normal, 0.5}});
  const int uniform = store.add({.name = "u", .extents = {size}, .initial = {Fill::uniform, 3}});
  store.allocate(TypeParam(), 1);

  const auto moment = [&](const int id, const int power) {
    double sum = 0;
    for (const double value : bcr::test::to_host(store.values(id))) sum += std::pow(value, power) / size;
    return sum;
  };
  // Five standard errors of each mean.
  EXPECT_NEAR(moment(normal, 1), 0, 5 * 0.5 / std::sqrt(size));
  EXPECT_NEAR(moment(normal, 2), 0.25, 5 * 0.25 * std::sqrt(2.0 / size));
  EXPECT_NEAR(moment(normal, 4), 3 * 0.0625, 5 * 0.0625 * std::sqrt(96.0 / size));
  EXPECT_NEAR(moment(uniform, 1), 0, 5 * std::sqrt(3.0 / size));
  EXPECT_NEAR(moment(uniform, 2), 3, 5 * 9 * std::sqrt(4.0 / 45 / size));
}

TYPED_TEST(Parameters, RefuseANameTwice) {
  ParameterStore<TypeParam, float> store(Gradients::kept);
  store.add({.name = "a", .extents = {1}});

  EXPECT_THROW(store.add({.name = "a", .extents = {1}}), ConfigError);
}

}  // namespace
}  // namespace bcr::nn
