#include "src/scores/dense.hpp"

#include "src/core/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace bcr::scores {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

std::vector<double> random_rows(const std::size_t size, const unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values(size);
  for (double& x : values) x = static_cast<double>(static_cast<std::int64_t>(random() % 2000001) - 1000000) / 1e6;
  return values;
}

std::vector<double> random_symmetric(const std::size_t n, const unsigned seed) {
  std::vector<double> a = random_rows(n * n, seed);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) a[i * n + j] = a[j * n + i];
  return a;
}

/// A v = lambda v, V^T V = 1, values descending; errors relative to the largest value.
void expect_eigenpairs(const std::vector<double>& a, const std::size_t n, const Eigenpairs& found) {
  double largest = 0;
  for (const double value : found.values) largest = std::max(largest, std::abs(value));
  const double tolerance = 20 * double(n) * eps;
  for (std::size_t k = 0; k < n; ++k) {
    if (k > 0) EXPECT_GE(found.values[k - 1], found.values[k]);
    const double* const v = found.vectors.data() + k * n;
    for (std::size_t i = 0; i < n; ++i) {
      long double product = 0;
      for (std::size_t j = 0; j < n; ++j) product += static_cast<long double>(a[i * n + j]) * v[j];
      ASSERT_NEAR(double(product), found.values[k] * v[i], tolerance * std::max(largest, 1e-300)) << n << " " << k;
    }
    for (std::size_t m = 0; m <= k; ++m) {
      long double product = 0;
      for (std::size_t j = 0; j < n; ++j) product += static_cast<long double>(v[j]) * found.vectors[m * n + j];
      ASSERT_NEAR(double(product), m == k ? 1 : 0, tolerance);
    }
  }
}

TEST(SymmetricEigenpairs, SatisfyTheirDefinition) {
  for (const std::size_t n : {1, 2, 3, 4, 17, 65, 130}) {
    const std::vector<double> a = random_symmetric(n, unsigned(n));
    expect_eigenpairs(a, n, symmetric_eigenpairs(a, n));
  }
}

TEST(SymmetricEigenpairs, AreFoundWhereValuesAreEqualOrZero) {
  const std::size_t n = 24;
  std::vector<double> identity(n * n, 0.0), nothing(n * n, 0.0), one_direction(n * n), blocks(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    identity[i * n + i] = 1;
    for (std::size_t j = 0; j < n; ++j) one_direction[i * n + j] = double((i + 1) * (j + 1));
    blocks[i * n + i] = 2;
    blocks[i * n + (i ^ 1u)] = 1;
  }
  for (const auto& a : {identity, nothing, one_direction, blocks}) expect_eigenpairs(a, n, symmetric_eigenpairs(a, n));
  const Eigenpairs found = symmetric_eigenpairs(one_direction, n);
  EXPECT_NEAR(found.values.front(), n * (n + 1) * (2 * n + 1) / 6.0, 1e-9);
}

TEST(SymmetricEigenpairs, RefusesWhatIsNotFinite) {
  EXPECT_THROW(symmetric_eigenpairs({1, 0, 0, std::nan("")}, 2), NumericsError);
  EXPECT_THROW(symmetric_eigenpairs({1, 0, 0}, 2), ShapeError);
}

TEST(Gram, IsTheSumOfProductsHoweverRowsAreCut) {
  for (const std::size_t n : {1, 7, 8, 33, 130}) {
    const std::size_t count = 150;
    const std::vector<double> rows = random_rows(count * n, 5);
    std::vector<double> at_once(n * n, 0.0), in_pieces(n * n, 0.0);
    add_gram(rows, n, at_once);
    const std::span<const double> all(rows);
    for (const auto [first, last] : {std::pair<std::size_t, std::size_t>{0, 1}, {1, 70}, {70, 150}})
      add_gram(all.subspan(first * n, (last - first) * n), n, in_pieces);

    EXPECT_EQ(at_once, in_pieces);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;  // the order is part of the definition
        for (std::size_t r = 0; r < count; ++r) sum += rows[r * n + i] * rows[r * n + j];
        ASSERT_EQ(at_once[i * n + j], sum) << n;
      }
    }
  }
}

TEST(MultiplyRows, GivesDotProducts) {
  const std::size_t n = 21, count = 13, m = 5;
  const std::vector<double> a = random_rows(count * n, 1), b = random_rows(m * n, 2);
  std::vector<double> dst(count * m);
  multiply_rows(a, b, n, dst);

  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < m; ++k) {
      long double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += static_cast<long double>(a[i * n + j]) * b[k * n + j];
      EXPECT_NEAR(dst[i * m + k], double(sum), 10 * double(n) * eps);
      EXPECT_EQ(dst[i * m + k], dot(a.data() + i * n, b.data() + k * n, n));
    }
  }
}

}  // namespace
}  // namespace bcr::scores
