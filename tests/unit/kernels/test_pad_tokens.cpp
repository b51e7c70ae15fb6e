#include "kernels/augment/pad_tokens.hpp"

#include "kernels/embedding/embedding.hpp"
#include "tests/support/exec_spaces.hpp"

#include <gtest/gtest.h>

namespace {

using namespace bcr;
using kernels::no_token;

constexpr std::int32_t pad = 1;

/// Documents of 1, 4, 2 and 6 tokens, numbered 10, 20, 21, ...: document, then place.
struct Documents {
  std::vector<std::int32_t> tokens{10, 20, 21, 22, 23, 30, 31, 40, 41, 42, 43, 44, 45};
  std::vector<std::uint64_t> offsets{0, 1, 5, 7, 13};
  std::vector<std::int32_t> labels{7, 8, 9, 6};
};

template <class Exec, class T>
Vector<T, Exec> on_device(const std::vector<T>& list) {
  const Vector<T, Exec> view("bcr::tests::list", list.size());
  const auto mirror = Kokkos::create_mirror_view(view);
  std::copy(list.begin(), list.end(), mirror.data());
  Kokkos::deep_copy(view, mirror);
  return view;
}

template <class Exec>
class PadTokens : public ::testing::Test {
 protected:
  struct Rows {
    std::vector<std::int32_t> tokens;
    std::vector<std::int32_t> labels;
  };

  Rows pad_rows(const kernels::BatchOrder& order, const std::uint64_t first, const std::size_t count,
                const std::size_t steps, const kernels::TokenPadding& padding) const {
    const Documents documents;
    const Matrix<std::int32_t, Exec> dst("bcr::tests::dst", count, steps);
    const Labels<Exec> labels("bcr::tests::labels", count);
    kernels::pad_tokens<Exec>(Exec{}, on_device<Exec>(documents.tokens), on_device<Exec>(documents.offsets),
                              on_device<Exec>(documents.labels), order, first, padding, dst, labels);
    Exec{}.fence();
    const auto tokens = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dst);
    const auto names = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), labels);
    return {{tokens.data(), tokens.data() + tokens.size()}, {names.data(), names.data() + names.size()}};
  }
};
TYPED_TEST_SUITE(PadTokens, test::ExecSpaces);

const kernels::BatchOrder in_order{4, 1, Stream("tests"), kernels::Shuffle::none};

TYPED_TEST(PadTokens, PutsDocumentsAtTheEndOfTheirRows) {
  const auto rows = this->pad_rows(in_order, 0, 4, 5, {.token = pad, .most = 4, .width = 4});

  EXPECT_EQ(rows.tokens, (std::vector<std::int32_t>{no_token, pad, pad, pad, 10,  //
                                                    no_token, 20,  21,  22,  23,  //
                                                    no_token, pad, pad, 30,  31,  //
                                                    no_token, 40,  41,  42,  43}));
  EXPECT_EQ(rows.labels, (std::vector<std::int32_t>{7, 8, 9, 6}));
}

TYPED_TEST(PadTokens, LetsEveryRowBeginWithItsDocumentWithoutAWidth) {
  const auto rows = this->pad_rows(in_order, 1, 3, 6, {.token = pad, .most = 6, .width = 0});

  EXPECT_EQ(rows.tokens, (std::vector<std::int32_t>{no_token, no_token, 20, 21, 22, 23,              //
                                                    no_token, no_token, no_token, no_token, 30, 31,  //
                                                    40, 41, 42, 43, 44, 45}));
}

TYPED_TEST(PadTokens, FollowsTheOrderOfTheBatch) {
  const kernels::BatchOrder shuffled{4, 3, Stream("tests"), kernels::Shuffle::every_pass};
  const Documents documents;

  const auto rows = this->pad_rows(shuffled, 2, 7, 6, {.token = pad, .most = 6, .width = 6});

  for (std::size_t i = 0; i < 7; ++i) {
    const std::uint32_t row = shuffled(2 + i).row;
    EXPECT_EQ(rows.labels[i], documents.labels[row]);
    EXPECT_EQ(rows.tokens[6 * i + 5], documents.tokens[documents.offsets[row + 1] - 1]);
  }
}

TYPED_TEST(PadTokens, RefusesRowsThatAreTooShort) {
  EXPECT_THROW(this->pad_rows(in_order, 0, 1, 3, {.token = pad, .most = 4, .width = 0}), ShapeError);
  EXPECT_THROW(this->pad_rows(in_order, 0, 1, 3, {.token = pad, .most = 3, .width = 4}), ShapeError);
}

}  // namespace
