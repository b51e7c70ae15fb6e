#include "io/images/fit.hpp"
#include "src/core/error.hpp"
#include "tests/support/format_writers.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace bcr::io;

Picture patterned(const std::size_t height, const std::size_t width) {
  return bcr::test::picture_of(bcr::test::patterned_set(1, height, width, 3, 1), 0);
}

std::vector<std::uint8_t> pixel(const Picture& picture, const std::size_t y, const std::size_t x) {
  const auto first = picture.rgb.begin() + static_cast<std::ptrdiff_t>((y * picture.width + x) * 3);
  return {first, first + 3};
}

const std::vector<std::uint8_t> black{0, 0, 0};

TEST(Fit, HasANameForEachWay) {
  for (const auto& [name, fit] : enum_names(Fit())) {
    EXPECT_EQ(fit_name(fit), name);
    EXPECT_EQ(fit_of_name(name), fit);
  }
  EXPECT_EQ(fit_of_name("crop"), std::nullopt);
}

TEST(Fit, KeepsWhatHasTheSizeAndGivesTheSizeToEverythingElse) {
  for (const Fit fit : {Fit::area_crop, Fit::quick_crop, Fit::centre_crop, Fit::letterbox, Fit::stretch}) {
    for (const auto& [height, width] :
         {std::pair<std::size_t, std::size_t>{1, 1}, {6, 5}, {5, 40}, {64, 3}, {30, 30}}) {
      const Picture fitted = fit_picture(patterned(height, width), fit, 6, 5);
      EXPECT_EQ(fitted.height, 6U);
      EXPECT_EQ(fitted.width, 5U);
      ASSERT_EQ(fitted.rgb.size(), 6U * 5 * 3);
    }
    EXPECT_EQ(fit_picture(patterned(6, 5), fit, 6, 5).rgb, patterned(6, 5).rgb);
  }
  EXPECT_EQ(fit_picture(patterned(4, 4), Fit::exact, 4, 4).rgb, patterned(4, 4).rgb);
  EXPECT_THROW(fit_picture(patterned(4, 5), Fit::exact, 4, 4), bcr::ShapeError);
  EXPECT_THROW(fit_picture(Picture{}, Fit::stretch, 4, 4), bcr::ShapeError);
}

TEST(Fit, OfTheCentreScalesNothing) {
  const Picture large = patterned(9, 12);
  const Picture small = patterned(2, 12);

  const Picture cut = fit_picture(large, Fit::centre_crop, 4, 4);
  const Picture padded = fit_picture(small, Fit::centre_crop, 4, 4);

  for (std::size_t y = 0; y < 4; ++y) {
    for (std::size_t x = 0; x < 4; ++x) {
      EXPECT_EQ(pixel(cut, y, x), pixel(large, y + 2, x + 4));
      EXPECT_EQ(pixel(padded, y, x), y == 1 || y == 2 ? pixel(small, y - 1, x + 4) : black);
    }
  }
}

TEST(Fit, InALetterboxIsWholeOnBlack) {
  const Picture wide{1, 4, std::vector<std::uint8_t>(12, 200)};

  const Picture boxed = fit_picture(wide, Fit::letterbox, 8, 8);

  for (std::size_t y = 0; y < 8; ++y)
    for (std::size_t x = 0; x < 8; ++x)
      EXPECT_EQ(pixel(boxed, y, x), y == 3 || y == 4 ? std::vector<std::uint8_t>(3, 200) : black) << y;
}

TEST(Fit, ByStretchingAveragesEachSideByItself) {
  const Picture picture = patterned(4, 12);

  const Picture stretched = fit_picture(picture, Fit::stretch, 2, 3);

  for (std::size_t k = 0; k < stretched.rgb.size(); ++k) {  // 2 x 4 pixels each
    double mean = 0;
    for (std::size_t y = 0; y < 2; ++y)
      for (std::size_t x = 0; x < 4; ++x)
        mean += picture.rgb[((k / 9 * 2 + y) * 12 + k / 3 % 3 * 4 + x) * 3 + k % 3] / 8.0;
    EXPECT_EQ(stretched.rgb[k], static_cast<int>(std::floor(mean + 0.5)));
  }
}

TEST(Fit, MakesThumbnailsOfOneShapeWithThePicture) {
  const Picture seen = thumbnail(patterned(100, 300), 30);

  EXPECT_EQ(seen.height, 10U);
  EXPECT_EQ(seen.width, 30U);
  EXPECT_EQ(thumbnail(patterned(7, 5), 30).rgb, patterned(7, 5).rgb);
}

TEST(Fit, MakesGreyByLuma) {
  const Picture picture{1, 3, {255, 0, 0, 9, 9, 9, 10, 20, 30}};
  std::vector<std::uint8_t> grey(3);

  write_channels(picture, 1, grey);

  EXPECT_EQ(grey, (std::vector<std::uint8_t>{76, 9, 18}));  // 0.299 * 255 = 76.2; 2.99 + 11.74 + 3.42 = 18.15
  EXPECT_THROW(write_channels(picture, 2, grey), bcr::ShapeError);
}

}  // namespace
