#include "io/images/fit.hpp"
#include "src/core/error.hpp"
#include "tests/support/format_writers.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using bcr::io::Fit;
using bcr::io::fit_picture;
using bcr::io::Picture;

std::vector<std::uint8_t> resize_and_crop(const Picture& picture, const std::size_t size) {
  return fit_picture(picture, Fit::area_crop, size, size).rgb;
}

Picture patterned(const std::size_t height, const std::size_t width) {
  return bcr::test::picture_of(bcr::test::patterned_set(1, height, width, 3, 1), 0);
}

double overlap(const double a, const double b, const double c, const double d) {
  return std::max(0.0, std::min(b, d) - std::max(a, c));
}

/// The mean over the area that an output pixel covers, from the definition.
double reference(const Picture& picture, const std::size_t size, const std::size_t i, const std::size_t j,
                 const std::size_t c) {
  const std::size_t side = std::min(picture.height, picture.width);
  const std::size_t top = (picture.height - side) / 2;
  const std::size_t left = (picture.width - side) / 2;
  const double r = static_cast<double>(side) / static_cast<double>(size);
  double sum = 0;
  for (std::size_t y = 0; y < side; ++y) {
    for (std::size_t x = 0; x < side; ++x) {
      const double weight = overlap(double(y), double(y + 1), double(i) * r, double(i + 1) * r) *
                            overlap(double(x), double(x + 1), double(j) * r, double(j + 1) * r);
      sum += weight * picture.rgb[((top + y) * picture.width + left + x) * 3 + c];
    }
  }
  return sum / (r * r);
}

TEST(AreaResize, KeepsAPictureThatHasTheSize) {
  const Picture picture = patterned(7, 7);

  EXPECT_EQ(resize_and_crop(picture, 7), picture.rgb);
}

TEST(AreaResize, CropsTheCentre) {
  const Picture picture = patterned(3, 7);

  const auto pixels = resize_and_crop(picture, 3);

  for (std::size_t y = 0; y < 3; ++y) {
    for (std::size_t k = 0; k < 9; ++k) EXPECT_EQ(pixels[y * 9 + k], picture.rgb[y * 21 + 6 + k]);
  }
}

TEST(AreaResize, AveragesTheAreaOfEachPixel) {
  for (const auto& [height, width, size] :
       {std::array<std::size_t, 3>{8, 8, 4}, {9, 13, 4}, {5, 4, 3}, {3, 3, 8}, {65, 70, 32}, {1, 5, 2}}) {
    const Picture picture = patterned(height, width);
    const auto pixels = resize_and_crop(picture, size);
    for (std::size_t k = 0; k < pixels.size(); ++k) {
      const double mean = reference(picture, size, k / 3 / size, k / 3 % size, k % 3);
      // Rounded to the nearest; a tie may be met on either side by the reference's own rounding.
      EXPECT_LE(std::abs(pixels[k] - mean), 0.5 + 1e-9) << height << " x " << width << " to " << size << " at " << k;
    }
  }
}

TEST(AreaResize, RefusesAnEmptyPicture) {
  EXPECT_THROW(resize_and_crop(Picture{}, 4), bcr::ShapeError);
}

}  // namespace
