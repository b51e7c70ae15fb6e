#include "io/datasets/image_readers.hpp"
#include "src/core/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace {

using namespace bcr::io;

ImageSet make(const std::size_t count, const std::size_t size, const std::uint64_t seed) {
  ImportRequest request;
  request.count = count;
  request.size = size;
  request.seed = seed;
  return make_synthetic(request);
}

/// The slope of log power against log frequency, from plain discrete Fourier sums along rows and columns of the
/// luminance, averaged over images of one kind.
double spectral_slope(const ImageSet& set, const std::int32_t kind) {
  const std::size_t size = set.width;
  std::vector<double> power(size / 2, 0.0);
  for (std::size_t n = 0; n < set.count; ++n) {
    if (set.labels[n] != kind) continue;
    for (std::size_t line = 0; line < size; ++line) {
      for (std::size_t f = 1; f < size / 2; ++f) {
        double real = 0;
        double imaginary = 0;
        for (std::size_t x = 0; x < size; ++x) {
          const double window = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (double(x) + 0.5) / double(size));
          const double green = set.images[((n * size + line) * size + x) * 3 + 1] * window;
          const double angle = 2 * std::numbers::pi * double(f * x) / double(size);
          real += green * std::cos(angle);
          imaginary += green * std::sin(angle);
        }
        power[f] += real * real + imaginary * imaginary;
      }
    }
  }
  double sx = 0, sy = 0, sxx = 0, sxy = 0, points = 0;
  for (std::size_t f = 2; f < size / 3; ++f) {
    const double x = std::log(double(f));
    const double y = std::log(power[f]);
    sx += x, sy += y, sxx += x * x, sxy += x * y, points += 1;
  }
  return (points * sxy - sx * sy) / (points * sxx - sx * sx);
}

TEST(SyntheticBackground, IsTheSameOnEveryMachine) {
  EXPECT_EQ(content_sha256(make(25, 32, 0)), "1b3c6b5e1646e067941516d0a4975175c66b81c1372c68b3da9f472552e75fdb");
  EXPECT_EQ(content_sha256(make(10, 64, 7)), "04752c169e5156c04384756a85be1fbda210b2530c218756198ffb68e6f92944");
}

TEST(SyntheticBackground, DependsOnSeedAndIndexAlone) {
  const ImageSet few = make(7, 32, 3);
  const ImageSet many = make(12, 32, 3);

  EXPECT_TRUE(std::equal(few.images.begin(), few.images.end(), many.images.begin()));
  EXPECT_NE(make(7, 32, 4).images, few.images);
}

TEST(SyntheticBackground, HasFiveKindsInTurn) {
  const ImageSet set = make(12, 8, 1);

  EXPECT_EQ(set.class_names.size(), 5U);
  EXPECT_EQ(set.labels, (std::vector<std::int32_t>{0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1}));
}

TEST(SyntheticBackground, HasSpectraThatFallAsNaturalOnesDo) {
  const ImageSet set = make(300, 64, 5);

  // Power along a line of an isotropic 1/f^2 field falls as about f^-1 to f^-2; edges (dead leaves, cells) give f^-2.
  for (const std::int32_t kind : {0, 1, 2}) {
    const double slope = spectral_slope(set, kind);
    EXPECT_LT(slope, -0.9) << set.class_names[static_cast<std::size_t>(kind)];
    EXPECT_GT(slope, -2.6) << set.class_names[static_cast<std::size_t>(kind)];
  }
}

TEST(SyntheticBackground, HasHeavyTailedGradientsAndCorrelatedColours) {
  const ImageSet set = make(500, 32, 9);
  double second = 0, fourth = 0, count = 0;
  double rr = 0, gg = 0, rg = 0;
  for (std::size_t i = 0; i + 3 < set.images.size(); i += 3) {
    if (i / 3 % 32 == 31) continue;
    const double gradient = double(set.images[i + 4]) - set.images[i + 1];
    second += gradient * gradient;
    fourth += gradient * gradient * gradient * gradient;
    const double red = set.images[i] - 128.0;
    const double green = set.images[i + 1] - 128.0;
    rr += red * red, gg += green * green, rg += red * green;
    count += 1;
  }

  EXPECT_GT(fourth * count / (second * second), 6.0) << "kurtosis of gradients; 3 is a Gaussian's";
  EXPECT_GT(rg / std::sqrt(rr * gg), 0.7);
}

TEST(SyntheticBackground, UsesTheWholeRange) {
  const ChannelStatistics statistics = channel_statistics(make(500, 32, 2));
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_GT(statistics.mean[c], 0.35);
    EXPECT_LT(statistics.mean[c], 0.65);
    EXPECT_GT(statistics.std[c], 0.15);
  }
}

TEST(SyntheticBackground, RefusesPathsAndSizesItCannotMake) {
  EXPECT_THROW(make(1, 4, 0), bcr::ConfigError);
  EXPECT_THROW(make(1, 257, 0), bcr::ConfigError);
  ImportRequest request;
  request.paths = {"somewhere"};
  EXPECT_THROW(make_synthetic(request), bcr::ConfigError);
}

}  // namespace
