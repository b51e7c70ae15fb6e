#include "kernels/channels/channel_slice.hpp"
#include "tests/support/convolution_case.hpp"
#include "tests/support/exec_spaces.hpp"

#include <gtest/gtest.h>

namespace bcr::test {
namespace {

template <class Exec>
class ChannelSlice : public ::testing::Test {};
TYPED_TEST_SUITE(ChannelSlice, ExecSpaces);

struct SliceCase {
  std::array<int, 4> wide;
  int first;
  int count;

  std::array<int, 4> slice() const { return {wide[0], wide[1], wide[2], count}; }
};

/// No image, no channel, one element, more channels than a thread takes at once, both ends of the wider image.
const SliceCase slice_cases[] = {{{0, 3, 3, 5}, 1, 2}, {{2, 3, 3, 5}, 1, 0},   {{1, 1, 1, 1}, 0, 1},
                           {{2, 3, 4, 7}, 0, 3}, {{2, 3, 4, 90}, 13, 77}, {{3, 5, 2, 200}, 64, 130}};

template <class Exec, class T>
void expect_plain_copies() {
  for (const auto& c : slice_cases) {
    const auto wide = reals<T>(c.wide, 1), slice = reals<T>(c.slice(), 2);
    const auto written = upload<Exec>(wide), read = upload<Exec>(slice), added = upload<Exec>(slice);

    kernels::write_channels<Exec, T>(Exec(), upload<Exec>(slice), c.first, written);
    kernels::read_channels<Exec, T>(Exec(), upload<Exec>(wide), c.first, kernels::ChainStart::zero, read);
    kernels::read_channels<Exec, T>(Exec(), upload<Exec>(wide), c.first, kernels::ChainStart::dst, added);

    auto expected_wide = wide;
    auto expected_read = slice, expected_sum = slice;
    for (int n = 0; n < c.wide[0]; ++n)
      for (int h = 0; h < c.wide[1]; ++h)
        for (int w = 0; w < c.wide[2]; ++w)
          for (int i = 0; i < c.count; ++i) {
            expected_wide(n, h, w, c.first + i) = slice(n, h, w, i);
            expected_read(n, h, w, i) = wide(n, h, w, c.first + i);
            expected_sum(n, h, w, i) = slice(n, h, w, i) + wide(n, h, w, c.first + i);
          }
    EXPECT_EQ((download<T, Exec>(written).value), expected_wide.value);
    EXPECT_EQ((download<T, Exec>(read).value), expected_read.value);
    EXPECT_EQ((download<T, Exec>(added).value), expected_sum.value);
  }
}

TYPED_TEST(ChannelSlice, IsWhatPlainLoopsCopyAndAdd) {
  expect_plain_copies<TypeParam, float>();
  expect_plain_copies<TypeParam, double>();
}

TYPED_TEST(ChannelSlice, MustLieInTheWiderImage) {
  const Tensor4<float, TypeParam> wide("bcr::tests::wide", 1, 2, 2, 4), slice("bcr::tests::slice", 1, 2, 2, 3);
  const auto write = [&](const int first) { kernels::write_channels<TypeParam, float>(TypeParam(), slice, first, wide); };

  EXPECT_NO_THROW(write(1));
  EXPECT_THROW(write(2), ShapeError);
  EXPECT_THROW(write(-1), ShapeError);
  EXPECT_THROW((kernels::read_channels<TypeParam, float>(TypeParam(), wide, 0, kernels::ChainStart::bias, slice)),
               ShapeError);
}

}  // namespace
}  // namespace bcr::test
