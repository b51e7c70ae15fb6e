#include "kernels/film/film.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace bcr::test {
namespace {

template <class Exec>
class FilmConditions : public ::testing::Test {};
TYPED_TEST_SUITE(FilmConditions, ExecSpaces);

/// [N, S] row by row, for labels i modulo C.
template <class Exec>
std::vector<std::int32_t> conditions_of(const kernels::ConditionChoice& choice, const int rows, const int count,
                                        const int labelled) {
  const Matrix<std::int32_t, Exec> conditions("conditions", rows, count);
  const Labels<Exec> labels("labels", labelled);
  const auto host = Kokkos::create_mirror_view(labels);
  for (int i = 0; i < labelled; ++i) host(i) = i % choice.classes;
  Kokkos::deep_copy(labels, host);
  kernels::choose_conditions<Exec>(Exec(), choice, labels, conditions);
  Exec().fence();
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), conditions);
  return {found.data(), found.data() + found.size()};
}

/// Each of the C - 1 others of N / C rows of a class with the same chance: counts within five standard deviations.
TYPED_TEST(FilmConditions, AreTheLabelAndAnyOtherClassAlikeOften) {
  constexpr int classes = 5, rows = 5000;
  const auto found = conditions_of<TypeParam>(
      {.classes = classes, .drawn = true, .seed = 3, .stream = Stream("film/test"), .step = 2}, rows, 2, rows);
  std::array<std::array<int, classes>, classes> counts{};
  for (int i = 0; i < rows; ++i) {
    EXPECT_EQ(found[2 * i], i % classes);
    ++counts[i % classes][found[2 * i + 1]];
  }
  constexpr double n = double(rows) / classes, p = 1.0 / (classes - 1);
  for (int y = 0; y < classes; ++y)
    for (int k = 0; k < classes; ++k) {
      EXPECT_NEAR(counts[y][k], k == y ? 0 : n * p, k == y ? 0 : 5 * std::sqrt(n * p * (1 - p)));
    }
}

TYPED_TEST(FilmConditions, OfAShardAreThoseOfItsRowsInTheBatch) {
  const kernels::ConditionChoice choice{
      .classes = 4, .drawn = true, .seed = 3, .stream = Stream("film/test"), .step = 2};
  const auto batch = conditions_of<TypeParam>(choice, 40, 2, 40);
  kernels::ConditionChoice shard = choice;
  shard.numbers = {.split = 20, .first = 20, .second = 0};
  const auto second = conditions_of<TypeParam>(shard, 20, 2, 20);

  EXPECT_EQ(second, std::vector<std::int32_t>(batch.begin() + 40, batch.end()));
}

TYPED_TEST(FilmConditions, FollowTheFirstWhereNothingIsDrawn) {
  const kernels::ConditionChoice still{.classes = 3, .first = 2};
  EXPECT_EQ(conditions_of<TypeParam>(still, 2, 2, 2), (std::vector<std::int32_t>{2, 0, 2, 0}));

  kernels::ConditionChoice drawn{.classes = 3, .first = 1, .drawn = true, .stream = Stream("film/test")};
  const auto found = conditions_of<TypeParam>(drawn, 2, 2, 1);  // the second row has no label
  EXPECT_EQ(found[0], 0);
  EXPECT_EQ(std::vector<std::int32_t>(found.begin() + 2, found.end()), (std::vector<std::int32_t>{1, 2}));
}

/// z_s = (W l_k + b) f + (V l_k + c) in plain loops.
TYPED_TEST(FilmConditions, ModulateByFactorsAndShiftsLinearInTheCode) {
  constexpr int rows = 3, n = 4, classes = 3, count = 2;
  const auto make = [](const char* const label, const int m, const int k, const unsigned seed) {
    const Matrix<double, TypeParam> matrix(label, m, k);
    const auto host = Kokkos::create_mirror_view(matrix);
    const auto values = random_integers<double>(m, k, -4, 4, seed);
    for (std::size_t e = 0; e < values.entries.size(); ++e) host.data()[e] = values.entries[e];
    Kokkos::deep_copy(matrix, host);
    return matrix;
  };
  const auto src = make("src", rows, n, 1), w = make("w", n, classes, 2), b = make("b", 1, n, 3),
             v = make("v", n, classes, 4), c = make("c", 1, n, 5);
  const Matrix<std::int32_t, TypeParam> conditions("conditions", rows, count);
  kernels::choose_conditions<TypeParam>(TypeParam(), {.classes = classes, .first = 1}, {}, conditions);
  const Matrix<double, TypeParam> dst("dst", rows * count, n);
  const auto row = [](const auto& matrix) { return Vector<double, TypeParam>(matrix.data(), n); };
  kernels::film_forward<TypeParam, double>(TypeParam(), src, conditions, {w, row(b), v, row(c)}, dst);
  TypeParam().fence();

  const auto f = to_host(src), W = to_host(w), B = to_host(b), V = to_host(v), C = to_host(c), found = to_host(dst);
  for (int i = 0; i < rows; ++i)
    for (int s = 0; s < count; ++s)
      for (int u = 0; u < n; ++u) {
        double factor = B[u], shift = C[u];
        for (int k = 0; k < classes; ++k) {
          const double code = k == (1 + s) % classes ? 1 : -1;
          factor += code * W[u * classes + k];
          shift += code * V[u * classes + k];
        }
        EXPECT_EQ(found[(i * count + s) * n + u], factor * f[i * n + u] + shift);
      }
}

}  // namespace
}  // namespace bcr::test
