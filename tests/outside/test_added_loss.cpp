#include "losses/row_loss.hpp"
#include "tests/support/loss_run.hpp"
#include "tests/support/tolerance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace bcr;
using namespace bcr::losses;
using Exec = Kokkos::DefaultHostExecutionSpace;
using ::testing::Contains;
using ::testing::HasSubstr;

/// Background rows shall have small logits: max(0, max_c z_c - 1)^2.
struct SmallLogits {
  static constexpr RowNeeds needs{};
  static SmallLogits of(const LossOptions&, const LossShape&) { return {}; }
  KOKKOS_FUNCTION RowTerm known(const Row&) const { return {}; }
  KOKKOS_FUNCTION RowTerm background(const Row& row) const {
    const double excess = row.best - 1;
    if (excess <= 0) return {};
    return {.value = excess * excess, .best = 2 * excess};
  }
};

class AddedLoss : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    all_losses().add({.name = "small_logits",
                      .title = "Small logits",
                      .fits = LossEntry::Fits::logits,
                      .lambda = 0.25,
                      .score = "energy",
                      .formula = "background: max(0, max_c z_c - 1)^2",
                      .make = row_loss_of<SmallLogits>()});
  }
};

TEST_F(AddedLoss, IsKnownWhereverLossesAreNamed) {
  const auto options = Config::parse("name = 'small_logits'").read<LossOptions>();

  EXPECT_EQ(lambda_at(options, 0), 0.25);
  EXPECT_EQ(default_score(options, HeadOutputs::logits), "energy");
  EXPECT_EQ(output_columns(options, 4), 4);
  EXPECT_THAT(loss_names(), Contains("small_logits"));
  EXPECT_THAT(help_text(options), HasSubstr("small_logits"));
  EXPECT_THROW((make_loss<Exec, float>(options, {HeadOutputs::squared_distances, 4, 8, 16})), ConfigError);
}

TEST_F(AddedLoss, HasTheValueAndTheGradientOfItsFormula) {
  // Two known rows with equal logits, whose cross-entropy is log 2; background rows with max z = 3 and 0.5.
  test::LossBatch batch{HeadOutputs::logits, 2, {4, 2}, {4, 1}, {0, 1}};
  batch.outputs.entries = {0, 0, 0, 0, 3, -1, 0.25, 0.5};

  const auto run = test::run_loss<Exec, double>(test::loss_options("small_logits"), batch, 0.25);

  EXPECT_NEAR(run.parts[LossPart::classification], 0.693147180559945309, test::tolerance::loss<double>());
  EXPECT_EQ(run.parts[LossPart::background_unknown], 2);  // ((3 - 1)^2 + 0) / 2
  EXPECT_NEAR(run.parts[LossPart::total], 0.693147180559945309 + 0.25 * 2, test::tolerance::loss<double>());
  EXPECT_EQ(run.diff_outputs[4], 0.25 * 0.5 * 2 * 2);  // lambda / B_b times the slope
  EXPECT_EQ(run.diff_outputs[5], 0);
  EXPECT_EQ(run.diff_outputs[7], 0);
}

}  // namespace
