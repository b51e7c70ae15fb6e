#include "kernels/augment/augment.hpp"

#include "tests/reference/augment.hpp"
#include "tests/support/exec_spaces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace bcr::test {
namespace {

using kernels::Augmentation;
using kernels::BatchOrder;
using kernels::Border;
using kernels::Flip;
using kernels::Placement;
using kernels::Shuffle;
using reference::ImageExtents;

constexpr std::uint64_t seed = 0x123456789ABCDEFull;
const std::vector<double> means{0.49, 0.48, 0.45, 0.3};
const std::vector<double> deviations{0.24, 0.25, 0.26, 0.5};

std::vector<std::uint8_t> random_pixels(const std::size_t size) {
  std::mt19937 engine(7);
  std::vector<std::uint8_t> pixels(size);
  for (std::uint8_t& pixel : pixels) pixel = static_cast<std::uint8_t>(engine() >> 24);
  return pixels;
}

template <class T>
kernels::Normalisation<T> normalisation_for(const int channels) {
  const auto count = static_cast<std::size_t>(channels);
  return kernels::make_normalisation<T>(std::span(means).first(count), std::span(deviations).first(count));
}

template <class Exec>
Tensor4<std::uint8_t, Exec> device_pixels(const std::vector<std::uint8_t>& pixels, const std::size_t count,
                                          const ImageExtents& image) {
  const Tensor4<std::uint8_t, Exec> device("bcr::tests::pixels", count, image.height, image.width, image.channels);
  const auto mirror = Kokkos::create_mirror_view(device);
  std::copy(pixels.begin(), pixels.end(), mirror.data());
  Kokkos::deep_copy(device, mirror);
  return device;
}

template <class View>
auto host_copy(const View& view) {
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return std::vector<typename View::non_const_value_type>(mirror.data(), mirror.data() + mirror.size());
}

template <class Exec>
class Augment : public ::testing::Test {};
TYPED_TEST_SUITE(Augment, ExecSpaces);

template <class Exec, class T>
void expect_reference(const ImageExtents& image, const std::size_t count, const std::size_t batch,
                      const Augmentation& augmentation) {
  const auto pixels = random_pixels(count * image.size());
  const BatchOrder order{count, seed, Stream("test"), Shuffle::every_pass};
  const std::uint64_t first = 3 * count - 2;  // the batch reaches over the end of a pass
  const Tensor4<T, Exec> dst("bcr::tests::dst", batch, image.height, image.width, image.channels);
  const auto normalisation = normalisation_for<T>(image.channels);

  kernels::augment<Exec, T>(Exec{}, device_pixels<Exec>(pixels, count, image), {}, order, first, Placement::by_row,
                            augmentation, normalisation, dst, {});

  const auto got = host_copy(dst);
  for (std::size_t i = 0; i < batch; ++i) {
    const auto expected = reference::augmented_position(pixels, image, count, seed, Stream("test"), first + i,
                                                        augmentation, normalisation);
    const auto begin = got.begin() + static_cast<std::ptrdiff_t>(i * image.size());
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), begin))
        << "image " << i << " of " << image.height << " x " << image.width << " x " << image.channels << ", pad "
        << augmentation.pad;
  }
}

TYPED_TEST(Augment, GivesTheBitsOfThePlainLoop) {
  for (const ImageExtents& image : {ImageExtents{1, 1, 1}, {28, 28, 1}, {32, 32, 3}, {5, 67, 3}, {7, 3, 2}, {3, 40, 4}})
    for (const int pad : {0, 4, 8})
      for (const Flip flip : {Flip::never, Flip::half})
        for (const Border border : {Border::black, Border::mean}) {
          expect_reference<TypeParam, float>(image, 11, 13, {pad, flip, border});
          expect_reference<TypeParam, double>(image, 3, 5, {pad, flip, border});
        }
}

TYPED_TEST(Augment, TakesGatheredImagesAsIfItHadFoundThemItself) {
  const ImageExtents image{6, 5, 3};
  constexpr std::size_t count = 70, batch = 65;
  const auto pixels = random_pixels(count * image.size());
  const BatchOrder order{count, seed, Stream("test"), Shuffle::every_pass};
  std::vector<std::uint8_t> gathered;
  for (std::size_t i = 0; i < batch; ++i) {
    const auto begin = pixels.begin() + static_cast<std::ptrdiff_t>(order(10 + i).row * image.size());
    gathered.insert(gathered.end(), begin, begin + static_cast<std::ptrdiff_t>(image.size()));
  }
  const Tensor4<float, TypeParam> by_row("bcr::tests::by_row", batch, image.height, image.width, image.channels);
  const Tensor4<float, TypeParam> in_place("bcr::tests::in_place", batch, image.height, image.width, image.channels);
  const Augmentation augmentation{4, Flip::half};
  const auto normalisation = normalisation_for<float>(3);

  kernels::augment<TypeParam, float>(TypeParam{}, device_pixels<TypeParam>(pixels, count, image), {}, order, 10,
                                     Placement::by_row, augmentation, normalisation, by_row, {});
  kernels::augment<TypeParam, float>(TypeParam{}, device_pixels<TypeParam>(gathered, batch, image), {}, order, 10,
                                     Placement::in_place, augmentation, normalisation, in_place, {});

  EXPECT_EQ(host_copy(by_row), host_copy(in_place));
}

TYPED_TEST(Augment, HandsOutTheLabelOfEachImage) {
  constexpr std::size_t count = 9, batch = 20;
  const ImageExtents image{1, 1, 1};
  std::vector<std::uint8_t> pixels(count);
  const Labels<TypeParam> labels("bcr::tests::labels", count);
  const auto mirror = Kokkos::create_mirror_view(labels);
  for (std::size_t i = 0; i < count; ++i) {
    pixels[i] = static_cast<std::uint8_t>(i);
    mirror(i) = static_cast<std::int32_t>(100 + i);
  }
  Kokkos::deep_copy(labels, mirror);
  const Tensor4<float, TypeParam> dst("bcr::tests::dst", batch, 1, 1, 1);
  const Labels<TypeParam> dst_labels("bcr::tests::dst_labels", batch);
  kernels::Normalisation<float> identity;
  identity.scale[0] = 1;

  kernels::augment<TypeParam, float>(TypeParam{}, device_pixels<TypeParam>(pixels, count, image), labels,
                                     {count, seed, Stream("test"), Shuffle::every_pass}, 4, Placement::by_row, {},
                                     identity, dst, dst_labels);

  const auto values = host_copy(dst);
  const auto given = host_copy(dst_labels);
  for (std::size_t i = 0; i < batch; ++i) EXPECT_EQ(given[i], 100 + static_cast<int>(values[i]));
}

TYPED_TEST(Augment, RefusesShapesThatDoNotFit) {
  const Tensor4<std::uint8_t, TypeParam> src("bcr::tests::src", 4, 2, 2, 3);
  const Tensor4<float, TypeParam> dst("bcr::tests::dst", 2, 2, 2, 3);
  const Tensor4<float, TypeParam> wide("bcr::tests::wide", 2, 2, 3, 3);
  const Tensor4<float, TypeParam> none("bcr::tests::none", 0, 2, 2, 3);
  const Labels<TypeParam> labels("bcr::tests::labels", 2);
  const auto call = [&](const std::size_t size, const Placement placement, const Tensor4<float, TypeParam>& to,
                        const Labels<TypeParam>& to_labels) {
    kernels::augment<TypeParam, float>(TypeParam{}, src, {}, {size, seed, Stream("test"), Shuffle::none}, 0, placement,
                                       {}, {}, to, to_labels);
  };

  EXPECT_NO_THROW(call(4, Placement::by_row, none, {}));
  EXPECT_NO_THROW(call(4, Placement::by_row, dst, {}));
  EXPECT_THROW(call(5, Placement::by_row, dst, {}), ShapeError);
  EXPECT_THROW(call(4, Placement::by_row, wide, {}), ShapeError);
  EXPECT_THROW(call(4, Placement::by_row, dst, labels), ShapeError);
  EXPECT_THROW(call(0, Placement::in_place, dst, {}), ShapeError);
}

TEST(BatchOrders, VisitEachImageOnceInEveryPass) {
  for (const std::uint64_t size : {1u, 2u, 65u, 1000u}) {
    const BatchOrder order{size, seed, Stream("test"), Shuffle::every_pass};
    for (std::uint32_t pass = 0; pass < 3; ++pass) {
      std::set<std::uint32_t> rows;
      for (std::uint64_t i = 0; i < size; ++i) {
        const kernels::Sample sample = order(pass * size + i);
        EXPECT_EQ(sample.pass, pass);
        rows.insert(sample.row);
      }
      EXPECT_EQ(rows.size(), size);
      EXPECT_LT(*rows.rbegin(), size);
    }
  }
}

TEST(BatchOrders, WithoutShufflingAreThoseOfTheFile) {
  const BatchOrder order{5, seed, Stream("test"), Shuffle::none};
  for (std::uint64_t i = 0; i < 12; ++i) EXPECT_EQ(order(i).row, i % 5);
}

TEST(Crops, AreUniformOverWindowsAndSides) {
  const BatchOrder order{16200, seed, Stream("test"), Shuffle::none};
  std::map<std::tuple<int, int, bool>, int> counts;
  for (std::uint32_t row = 0; row < 16200; ++row) {
    const kernels::Crop crop = kernels::draw_crop({4, Flip::half}, order, {row, 2});
    ++counts[{crop.down, crop.right, crop.mirrored}];
  }
  ASSERT_EQ(counts.size(), 162u);
  double chi_square = 0;
  for (const auto& [crop, count] : counts) {
    EXPECT_LE(std::abs(std::get<0>(crop)), 4);
    EXPECT_LE(std::abs(std::get<1>(crop)), 4);
    chi_square += (count - 100.0) * (count - 100.0) / 100.0;
  }
  // 161 degrees of freedom: mean 161, deviation 18.
  EXPECT_NEAR(chi_square, 161, 72);
}

TEST(Crops, FlipTheSameImagesWhateverThePadding) {
  const BatchOrder order{100, seed, Stream("test"), Shuffle::none};
  for (std::uint32_t row = 0; row < 100; ++row) {
    EXPECT_EQ(kernels::draw_crop({0, Flip::half}, order, {row, 0}).mirrored,
              kernels::draw_crop({8, Flip::half}, order, {row, 0}).mirrored);
    EXPECT_FALSE(kernels::draw_crop({8, Flip::never}, order, {row, 0}).mirrored);
  }
}

TEST(Normalisations, AreCorrectToTheLastDigits) {
  const auto normalisation = normalisation_for<float>(4);
  for (int c = 0; c < 4; ++c)
    for (int u = 0; u < 256; ++u) {
      const double exact = (u / 255.0 - means[c]) / deviations[c];
      const float got = std::fma(float(u), normalisation.scale[c], normalisation.shift[c]);
      // The rounded factors err by 2^-24 each of the largest term, u / (255 std) or mean / std; the fma by half an ulp.
      const double bound = 0x1p-24 * (u / 255.0 / deviations[c] + means[c] / deviations[c] + std::abs(exact)) * 1.0001;
      EXPECT_NEAR(got, exact, bound);
    }
}

TEST(Normalisations, RefuseWhatCannotDivide) {
  const auto make = [](const std::vector<double>& mean, const std::vector<double>& std) {
    return kernels::make_normalisation<float>(mean, std);
  };
  EXPECT_THROW(make({}, {}), ShapeError);
  EXPECT_THROW(make({0.5, 0.5}, {0.5}), ShapeError);
  EXPECT_THROW(make(std::vector<double>(5, 0.5), std::vector<double>(5, 0.5)), ShapeError);
  EXPECT_THROW(make({0.5}, {0.0}), NumericsError);
  EXPECT_THROW(make({0.5}, {-1.0}), NumericsError);
  EXPECT_THROW(make({std::numeric_limits<double>::infinity()}, {1.0}), NumericsError);
}

}  // namespace
}  // namespace bcr::test
