#include "losses/inclusion_median.hpp"
#include "losses/registry.hpp"
#include "losses/scores/score.hpp"
#include "tests/support/tolerance.hpp"

#include <boost/math/distributions/chi_squared.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace {

using namespace bcr;
using namespace bcr::losses;
using Exec = Kokkos::DefaultHostExecutionSpace;
using ::testing::HasSubstr;

LossShape shape_of(const HeadOutputs outputs) {
  return {outputs, 4, 8, 16};
}

template <class Action>
std::string config_error(const Action& action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no ConfigError";
}

TEST(LossRegistry, MakesEveryLossForTheHeadsItFits) {
  for (const LossEntry& info : row_losses()) {
    LossOptions options;
    options.name = info.name;
    for (const auto outputs : {HeadOutputs::squared_distances, HeadOutputs::logits}) {
      const bool distances = outputs == HeadOutputs::squared_distances;
      if (!info.accepts(outputs)) {
        const std::string message = config_error([&] { make_loss<Exec, float>(options, shape_of(outputs)); });
        EXPECT_THAT(message, HasSubstr("loss." + std::string(info.name)));
        EXPECT_THAT(message, HasSubstr(distances ? "a head that gives logits" : "a head that gives squared distances"));
        continue;
      }
      const auto loss = make_loss<Exec, float>(options, shape_of(outputs));
      EXPECT_EQ(loss->name(), info.name);
      EXPECT_EQ(loss->columns(), output_columns(options, 4));
    }
  }
}

TEST(LossRegistry, NamesTheLossesItKnows) {
  const std::string message = config_error([] { all_losses().find("focal"); });
  EXPECT_THAT(message, HasSubstr("class_inclusion"));
  EXPECT_THAT(message, HasSubstr("focal"));
}

TEST(LossRegistry, RefusesSizesThatAreNotPositive) {
  const LossOptions options;
  for (const LossShape shape : {LossShape{HeadOutputs::squared_distances, 0, 8, 16},
                                LossShape{HeadOutputs::squared_distances, 4, 0, 16},
                                LossShape{HeadOutputs::squared_distances, 4, 8, 0}})
    EXPECT_THROW((make_loss<Exec, float>(options, shape)), ConfigError);
}

TEST(LossRegistry, KnowsThePublishedWeightsAndRampsThem) {
  LossOptions options;
  EXPECT_EQ(lambda_at(options, 0), 5);
  options.name = "uniformity";
  EXPECT_EQ(lambda_at(options, 3), 0.5);
  options.lambda = 2;
  options.lambda_ramp = 4;
  EXPECT_EQ(lambda_at(options, 0), 0);
  EXPECT_EQ(lambda_at(options, 1), 0.5);
  EXPECT_EQ(lambda_at(options, 4), 2);
  EXPECT_EQ(lambda_at(options, 9), 2);
}

TEST(LossRegistry, ReadsItsSectionAndWritesItBack) {
  const Config config = Config::parse("name = 'energy'\nlambda = 0.25\n[energy]\nm_in = -27.0\n[inclusion]\nterms = 'known'\n");

  const auto options = config.read<LossOptions>();

  EXPECT_EQ(options.name, "energy");
  EXPECT_EQ(options.energy.m_in, -27);
  EXPECT_EQ(options.inclusion.terms, InclusionTerms::known);
  EXPECT_EQ(to_toml(Config::parse(to_toml(options)).read<LossOptions>()), to_toml(options));
  EXPECT_THROW(Config::parse("name = 'focal'").read<LossOptions>(), ConfigError);
  EXPECT_THROW(Config::parse("[triplet]\nmargin = -1").read<LossOptions>(), ConfigError);
}

TEST(LossRegistry, ChoosesTheScoreOfTheLossOrOfTheHead) {
  LossOptions options;
  EXPECT_EQ(default_score(options, HeadOutputs::squared_distances), "min_distance");
  options.name = "uniformity";
  EXPECT_EQ(default_score(options, HeadOutputs::logits), "max_softmax");
  options.name = "energy";
  EXPECT_EQ(default_score(options, HeadOutputs::logits), "energy");
}

TEST(ScoreRegistry, MakesEveryScoreForTheHeadsItFits) {
  for (const ScoreEntry& entry : all_scores().entries()) {
    for (const HeadOutputs outputs : {HeadOutputs::squared_distances, HeadOutputs::logits}) {
      const ScoreShape shape{outputs, 4, 8};
      if (entry.fits_outputs(outputs)) {
        EXPECT_EQ((make_score<Exec, float>(entry.name, shape)->name()), entry.name);
      } else {
        EXPECT_THAT(config_error([&] { make_score<Exec, float>(entry.name, shape); }),
                    HasSubstr(outputs == HeadOutputs::logits ? "squared distances" : "logits"));
      }
    }
  }
  EXPECT_THAT(config_error([&] { make_score<Exec, float>("margin", {HeadOutputs::logits, 4, 8}); }),
              HasSubstr("max_softmax, min_distance"));
}

TEST(InclusionMedian, IsTheMedianOfTheChiSquareDistribution) {
  for (const int n : {1, 2, 3, 64, 128, 256, 512, 640, 1024, 4096}) {
    const double expected = boost::math::median(boost::math::chi_squared(n));
    EXPECT_NEAR(inclusion_median(n), expected, test::tolerance::loss<double>() * expected) << n;
  }
  EXPECT_NEAR(inclusion_median(2), 1.386294361119890619, test::tolerance::loss<double>());  // 2 log 2
}

}  // namespace
