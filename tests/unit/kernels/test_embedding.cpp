#include "kernels/embedding/embedding.hpp"
#include "kernels/embedding/token_order.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace bcr::test::embedding_tests {  // names of its own: devices compile several tests at a time
namespace {

using kernels::no_token;
constexpr std::int32_t padding = 1;

struct Sizes {
  int rows, steps, vocabulary, width;
};
constexpr Sizes all_sizes[] = {
    {0, 3, 4, 2}, {3, 5, 4, 1}, {17, 100, 10'002, 50}, {4, 9, 300, 131}, {130, 2, 70'000, 3}};

/// Some words often, most hardly ever, rows that begin late.
HostMatrix<std::int32_t> mixed_tokens(const Sizes& s) {
  auto tokens = random_integers<std::int32_t>(s.rows, s.steps, 0, s.vocabulary - 1, 3);
  for (int i = 0; i < s.rows; ++i)
    for (int t = 0; t < s.steps; ++t) {
      if (tokens(i, t) % 3 == 0) tokens(i, t) = tokens(i, t) % 4;
      if (t < i % s.steps) tokens(i, t) = i % 2 == 0 ? no_token : padding;
    }
  return tokens;
}

template <class Exec>
class Embedding : public ::testing::Test {};
TYPED_TEST_SUITE(Embedding, ExecSpaces);

TYPED_TEST(Embedding, GathersTheVectorsOfItsTokens) {
  for (const Sizes& s : all_sizes) {
    const auto tokens = mixed_tokens(s);
    const auto table = random_reals<float>(s.vocabulary, s.width, -1, 1, 5);
    const Matrix<float, TypeParam> dst("bcr::tests::dst", tokens.entries.size(), s.width);
    kernels::embedding_forward<TypeParam, float>(TypeParam{}, to_device<TypeParam>(tokens), to_device<TypeParam>(table),
                                                 dst);
    const auto result = to_host(dst);
    for (std::size_t k = 0; k < result.size(); ++k) {
      const std::int32_t token = tokens.entries[k / s.width];
      EXPECT_EQ(result[k], token == no_token ? 0.0f : table(token, static_cast<int>(k % s.width)));
    }
  }
}

TYPED_TEST(Embedding, SortsPositionsByTokenAndKeepsTheirOrder) {
  for (const Sizes& s : all_sizes) {
    const auto tokens = mixed_tokens(s);
    const Vector<std::int32_t, TypeParam> order("bcr::tests::order", tokens.entries.size());
    const Vector<std::int32_t, TypeParam> spare("bcr::tests::spare", tokens.entries.size());
    kernels::impl::token_order<TypeParam>(TypeParam{}, to_device<TypeParam>(tokens), s.vocabulary, order, spare);

    std::vector<std::int32_t> expected(tokens.entries.size());
    std::iota(expected.begin(), expected.end(), 0);
    std::ranges::stable_sort(expected, {}, [&](const std::int32_t at) {
      const std::int32_t token = tokens.entries[at];
      return token == no_token ? s.vocabulary : token;
    });
    EXPECT_EQ(to_host(order), expected);
  }
}

/// The sums of the header, bit by bit.
template <class Exec, class T>
void expect_gradient(const Sizes& s) {
  const auto tokens = mixed_tokens(s);
  const auto diff_dst = random_reals<T>(s.rows * s.steps, s.width, -1, 1, 6);
  Matrix<T, Exec> diff_table("bcr::tests::diff_table", s.vocabulary, s.width);
  Kokkos::deep_copy(diff_table, T(7));
  const Vector<std::int32_t, Exec> workspace("bcr::tests::workspace",
                                             kernels::embedding_workspace_size(tokens.entries.size()));
  kernels::embedding_backward<Exec, T>(Exec{}, to_device<Exec>(tokens), to_device<Exec>(diff_dst), padding, diff_table,
                                       workspace);
  std::vector<double> sums(static_cast<std::size_t>(s.vocabulary) * s.width);
  for (int at = 0; at < diff_dst.rows; ++at) {
    const std::int32_t token = tokens.entries[at];
    if (token == no_token || token == padding) continue;
    for (int e = 0; e < s.width; ++e) sums[std::size_t(token) * s.width + e] += double(diff_dst(at, e));
  }
  EXPECT_TRUE(same_bits(to_host(diff_table), std::vector<T>(sums.begin(), sums.end()))) << s.vocabulary;
}

TYPED_TEST(Embedding, AddsUpTheGradientsOfEveryWordInTheirOrder) {
  for (const Sizes& s : all_sizes) {
    expect_gradient<TypeParam, float>(s);
    expect_gradient<TypeParam, double>(s);
  }
}

}  // namespace
}  // namespace bcr::test::embedding_tests
