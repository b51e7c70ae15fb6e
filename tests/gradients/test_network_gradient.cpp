#include "models/backbones/densenet.hpp"
#include "models/backbones/wide_resnet.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/parameter_differences.hpp"

#include <gtest/gtest.h>

namespace bcr::test {
namespace {

template <class Exec>
class NetworkGradient : public ::testing::Test {};
TYPED_TEST_SUITE(NetworkGradient, ExecSpaces);

TYPED_TEST(NetworkGradient, AgreesWithCentralDifferencesForEveryParameterTensor) {
  expect_gradients_of_differences<TypeParam>(
      models::wide_resnet({6, 6, 2}, {.depth = 10, .width = 1, .dropout = 0.3}), 3);
}

TYPED_TEST(NetworkGradient, OfADenseNetworkAgreesWithCentralDifferences) {
  expect_gradients_of_differences<TypeParam>(models::densenet({8, 8, 2}, {.depth = 16, .growth = 3}), 3);
}

}  // namespace
}  // namespace bcr::test
