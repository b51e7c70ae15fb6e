#include "kernels/pool/pool.hpp"
#include "tests/reference/pooling.hpp"
#include "tests/support/convolution_case.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/invalid_trap.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace bcr::test {
namespace {

using kernels::PoolWindow;

template <class Exec>
class Pool : public ::testing::Test {};
TYPED_TEST_SUITE(Pool, ExecSpaces);

struct PoolCase {
  std::array<int, 4> src;
  reference::Pooling pooling;

  PoolWindow window() const { return {pooling.kernel, pooling.stride, pooling.pad}; }
  std::array<int, 4> dst() const { return pooling.dst(src); }
};

/// No image, one pixel, one channel, odd sides with a rest, windows that overlap, that leave gaps, padding.
const PoolCase cases[] = {{{0, 4, 4, 3}, {2, 2, 0}},  {{1, 1, 1, 1}, {1, 1, 0}},   {{2, 4, 6, 1}, {2, 2, 0}},
                          {{3, 7, 5, 33}, {2, 2, 0}}, {{2, 8, 8, 130}, {2, 2, 0}}, {{2, 9, 11, 17}, {3, 2, 1}},
                          {{1, 6, 7, 5}, {3, 1, 1}},  {{2, 9, 8, 3}, {2, 3, 0}},   {{1, 2, 2, 65}, {2, 2, 1}},
                          {{1, 5, 5, 2}, {5, 4, 2}},  {{2, 3, 70, 4}, {3, 3, 0}},  {{2, 4, 4, 0}, {2, 2, 0}}};

template <class Exec, class T>
void expect_reference_pools() {
  for (const auto& c : cases) {
    SCOPED_TRACE(::testing::PrintToString(c.src) + " kernel " + std::to_string(c.pooling.kernel));
    const auto src = integers<T>(c.src, 1);  // nine values: most windows have ties
    const auto diff_dst = reals<T>(c.dst(), 2);
    const auto values = reals<T>(c.src, 3);
    const auto most = upload<Exec>(reference::Tensor<T>(c.dst())), mean = upload<Exec>(reference::Tensor<T>(c.dst()));
    const auto back = upload<Exec>(values), spread = upload<Exec>(values);
    const Exec exec;

    kernels::max_pool_forward<Exec, T>(exec, c.window(), upload<Exec>(src), most);
    kernels::max_pool_backward<Exec, T>(exec, c.window(), upload<Exec>(src), upload<Exec>(diff_dst), back);
    kernels::average_pool_forward<Exec, T>(exec, c.window(), upload<Exec>(values), mean);
    kernels::average_pool_backward<Exec, T>(exec, c.window(), upload<Exec>(diff_dst), spread);
    exec.fence();

    EXPECT_EQ((download<T, Exec>(most).value), reference::max_pool_forward(c.pooling, src).value);
    EXPECT_EQ((download<T, Exec>(back).value), reference::max_pool_backward(c.pooling, src, diff_dst).value);
    EXPECT_EQ((download<T, Exec>(mean).value), reference::average_pool_forward(c.pooling, values).value);
    EXPECT_EQ((download<T, Exec>(spread).value), reference::average_pool_backward(c.pooling, diff_dst, c.src).value);
  }
}

TYPED_TEST(Pool, WindowsEqualPlainLoopsExactly) {
  expect_reference_pools<TypeParam, float>();
  expect_reference_pools<TypeParam, double>();
}

template <class Exec, class T>
void expect_global_means() {
  for (const auto& extent : {std::array{3, 8, 8, 130}, std::array{1, 1, 1, 1}, std::array{2, 5, 7, 33}}) {
    const auto src = reals<T>(extent, 4);
    const auto diff = random_reals<T>(extent[0], extent[3], -1, 1, 5);
    const Matrix<T, Exec> dst("bcr::tests::dst", extent[0], extent[3]);
    const auto diff_src = upload<Exec>(src);
    const Exec exec;

    kernels::global_average_pool_forward<Exec, T>(exec, upload<Exec>(src), dst);
    kernels::global_average_pool_backward<Exec, T>(exec, to_device<Exec>(diff), diff_src);
    exec.fence();

    std::vector<T> means;
    auto gradient = reference::Tensor<T>(extent);
    const double pixels = extent[1] * extent[2];
    for (int n = 0; n < extent[0]; ++n)
      for (int c = 0; c < extent[3]; ++c) {
        double sum = 0;
        for (int h = 0; h < extent[1]; ++h)
          for (int w = 0; w < extent[2]; ++w) {
            sum += double(src(n, h, w, c));
            gradient(n, h, w, c) = static_cast<T>(double(diff(n, c)) / pixels);
          }
        means.push_back(static_cast<T>(sum / pixels));
      }
    EXPECT_TRUE(same_bits(to_host(dst), means));
    EXPECT_TRUE(same_bits(download<T, Exec>(diff_src).value, gradient.value));
  }
}

TYPED_TEST(Pool, GlobalMeansFollowTheDocumentedOrder) {
  expect_global_means<TypeParam, float>();
  expect_global_means<TypeParam, double>();
}

TYPED_TEST(Pool, GlobalMeanOfNoImageIsNothing) {
  const Matrix<float, TypeParam> dst("bcr::tests::dst", 0, 5);
  const Tensor4<float, TypeParam> src("bcr::tests::src", 0, 4, 4, 5), empty("bcr::tests::empty", 2, 0, 4, 5);
  const Matrix<float, TypeParam> two("bcr::tests::two", 2, 5);

  EXPECT_NO_THROW((kernels::global_average_pool_forward<TypeParam, float>(TypeParam{}, src, dst)));
  EXPECT_THROW((kernels::global_average_pool_forward<TypeParam, float>(TypeParam{}, empty, two)), ShapeError);
}

TYPED_TEST(Pool, TheFirstNaNOfAWindowWins) {
  const InvalidTrapOff off;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  reference::Tensor<float> src({1, 2, 4, 1});
  src.value = {5, nan, -7, -7, nan, 9, -8, -7};
  reference::Tensor<float> diff_dst({1, 1, 2, 1});
  diff_dst.value = {3, 4};
  const auto dst = upload<TypeParam>(diff_dst);
  const auto diff_src = upload<TypeParam>(src);

  kernels::max_pool_forward<TypeParam, float>(TypeParam{}, {2, 2, 0}, upload<TypeParam>(src), dst);
  kernels::max_pool_backward<TypeParam, float>(TypeParam{}, {2, 2, 0}, upload<TypeParam>(src),
                                               upload<TypeParam>(diff_dst), diff_src);

  const auto most = download<float, TypeParam>(dst).value;
  EXPECT_TRUE(std::isnan(most[0]));
  EXPECT_EQ(most[1], -7);
  EXPECT_EQ((download<float, TypeParam>(diff_src).value), (std::vector<float>{0, 3, 4, 0, 0, 0, 0, 0}));
}

TYPED_TEST(Pool, RefusesWindowsThatDoNotFit) {
  const Tensor4<float, TypeParam> src("bcr::tests::src", 1, 4, 4, 2), dst("bcr::tests::dst", 1, 2, 2, 2);

  const auto pool = [&](const PoolWindow& window) {
    kernels::max_pool_forward<TypeParam, float>(TypeParam{}, window, src, dst);
  };
  EXPECT_NO_THROW(pool({2, 2, 0}));
  EXPECT_THROW(pool({3, 2, 0}), ShapeError);
  EXPECT_THROW(pool({2, 0, 0}), ShapeError);
  EXPECT_THROW(pool({2, 2, 2}), ShapeError);
}

}  // namespace
}  // namespace bcr::test
