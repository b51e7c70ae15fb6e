#include "src/core/error.hpp"
#include "src/table/plan/run_plan.hpp"
#include "src/table/work/cost.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace bcr::table {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

/// The configurations of two settings that share trainings, with two unknown sets, and the data of a user.
class RunPlanTest : public testing::Test {
 protected:
  RunPlanTest() {
    fs::create_directories(configs() / "tables");
    fs::create_directories(user());
    std::string data;
    for (const char* const name : {"train", "test", "back", "spare", "far", "near"})
      data += "[[sets]]\nname = \"" + std::string(name) + "\"\ntitle = \"" + name +
              "\"\nformat = \"npy\"\nsources = [[\"" + name + ".npy\"]]\n";
    scratch_.file("configs/tables/data.toml", data);
    scratch_.file("configs/experiment.toml", R"(
[data]
split = "data/x.toml"
known_train = "data/train.h5"
known_test = "data/test.h5"
background_train = ["data/back.h5"]
unknown_test = ["data/far.h5", "data/near.h5"]
known = { batch = 100 }
background = { batch = 28 }
[loss]
lambda = 5.0
)");
    scratch_.file("configs/inclusion.toml", "[loss]\nname = \"class_inclusion\"\n[model]\nhead = { name = \"distance\" }\n");
    scratch_.file("configs/softmax.toml", "[loss]\nname = \"none\"\n[model]\nhead = { name = \"linear\" }\n");
    scratch_.file("configs/small.toml", "[model]\ndepth = 10\nwidth = 1\n[train]\nepochs = 4\nwarmup_epochs = 1\n");
    table_ = parse_table_plan(R"(
title = "T"
paper = "Table 2"
metrics = ["auroc"]
rows = ["setting"]
columns = ["method"]
[scales.small]
configs = ["small.toml"]
trials = 2
[[methods]]
name = "class_inclusion"
config = "inclusion.toml"
tuned = true
[[methods]]
name = "softmax"
config = "softmax.toml"
score = "max_softmax"
[[methods]]
name = "openmax"
config = "softmax.toml"
trained_as = "softmax"
score = "openmax"
[[methods]]
name = "extra"
config = "softmax.toml"
extra = true
[[settings]]
name = "a"
title = "A"
config = "experiment.toml"
split = "whole"
unknown = ["Far", "Near"]
images = 1050
tests = 300
[[settings.background]]
set = "back"
[[settings.background]]
set = "spare"
without = ["bus", "cat"]
[[settings]]
name = "b"
title = "B"
config = "experiment.toml"
split = "whole"
trained_as = "a"
unknown = ["Far", "Near"]
images = 1050
tests = 300
[[settings.background]]
set = "back"
)",
                              "tables/t.toml");
    for (const char* const name : {"train", "test", "back", "far", "near"}) give(name);
    request_.configs = configs();
    request_.out = scratch_.path() / "out";
  }

  fs::path configs() const { return scratch_.path() / "configs"; }
  fs::path user() const { return scratch_.path() / "user"; }
  void give(const std::string& name) const { scratch_.file("user/" + name + ".npy", ""); }
  void take(const std::string& name) const { fs::remove(user() / (name + ".npy")); }
  RunPlan plan() const { return plan_runs(table_, request_, DataSets(configs(), user())); }

  test::ScratchDirectory scratch_;
  TablePlan table_;
  Request request_;
};

TEST_F(RunPlanTest, TrainsOnceWhatIsReadTwice) {
  const RunPlan plan = this->plan();

  EXPECT_EQ(plan.trainings.size(), 4U);     // two methods, two trials, one setting
  EXPECT_EQ(plan.evaluations.size(), 8U);   // each against the unknown sets of both settings
  EXPECT_EQ(plan.readings.size(), 12U);     // three methods, two trials, two settings
  EXPECT_THAT(plan.evaluations[1].scores, ElementsAre("max_softmax", "openmax"));
  std::set<fs::path> places;
  for (const Evaluation& one : plan.evaluations) places.insert(one.directory);
  EXPECT_EQ(places.size(), plan.evaluations.size());
}

TEST_F(RunPlanTest, DoesTheFirstTrialsOfAllBeforeTheSecondOfAny) {
  const RunPlan plan = this->plan();

  EXPECT_TRUE(std::is_sorted(plan.trainings.begin(), plan.trainings.end(),
                             [](const Training& a, const Training& b) { return a.trial < b.trial; }));
  EXPECT_EQ(plan.trainings.front().options.seed, 1U);
  EXPECT_EQ(plan.trainings.back().options.seed, 2U);
}

TEST_F(RunPlanTest, LaysScaleMethodAndUserOverTheExperiment) {
  request_.overrides = {"train.epochs=9"};

  const Training training = plan().trainings.front();

  EXPECT_EQ(training.method, "class_inclusion");
  EXPECT_EQ(training.options.model.backbone.depth, 10);
  EXPECT_EQ(training.options.train.epochs, 9);
  EXPECT_EQ(training.lambda, 5.0);
  EXPECT_EQ(training.options.data.known_train, request_.out / "data" / "train.h5");
  EXPECT_EQ(training.directory, request_.out / "runs" / "a" / "class-inclusion-5" / "trial-1");
}

TEST_F(RunPlanTest, SeveralLambdasAreTriedWithImagesKeptOut) {
  request_.lambdas = {0.5, 5};
  request_.only = {"a"};
  request_.methods = {"class_inclusion"};

  const RunPlan plan = this->plan();

  EXPECT_TRUE(plan.is_tuned);
  ASSERT_EQ(plan.trainings.size(), 4U);
  for (const Training& training : plan.trainings) EXPECT_EQ(training.options.data.validation, validation_share);
  EXPECT_EQ(plan.trainings[0].options.loss.lambda, 0.5);
  EXPECT_EQ(plan.trainings[1].options.loss.lambda, 5.0);
}

TEST_F(RunPlanTest, TakesTheFirstBackgroundThatIsThere) {
  take("back");
  give("spare");
  request_.only = {"a"};

  const RunPlan plan = this->plan();

  EXPECT_TRUE(plan.missing.empty());
  EXPECT_EQ(plan.data.front().background.set, "spare");
  EXPECT_THAT(plan.splits.front().words, Contains("bus,cat"));
}

TEST_F(RunPlanTest, TellsWhatIsMissingAndPlansItAllTheSame) {
  take("near");

  const RunPlan plan = this->plan();

  ASSERT_FALSE(plan.missing.empty());
  EXPECT_THAT(plan.missing.front(), HasSubstr("near.npy"));
  EXPECT_EQ(plan.trainings.size(), 4U);
}

TEST_F(RunPlanTest, LeavesOutWhatIsMissingIfAskedTo) {
  take("near");
  request_.missing = Request::Missing::left_out;

  const RunPlan plan = this->plan();

  EXPECT_THAT(plan.data.front().unknown, ElementsAre("Far"));
  EXPECT_THAT(plan.data.front().left_out, ElementsAre("Near"));

  take("far");
  EXPECT_TRUE(this->plan().trainings.empty());
}

TEST_F(RunPlanTest, RefusesNamesThatDoNotExist) {
  request_.only = {"c"};
  EXPECT_THROW(plan(), ConfigError);

  request_.only = {};
  request_.methods = {"magic"};
  EXPECT_THROW(plan(), ConfigError);

  request_.methods = {"all"};
  EXPECT_THAT(plan().methods, ElementsAre("class_inclusion", "softmax", "openmax", "extra"));
}

TEST_F(RunPlanTest, CostsStepsTimesEpochsThatAreLeft) {
  const Training training = plan().trainings.front();
  const Setting& setting = table_.setting("a");
  StepTimes times([](const Training&, const Setting&) { return std::optional(0.5); });
  TrainingState state;
  state.stage = TrainingState::Stage::begun;
  state.epochs = 1;

  const Cost cost = times.cost_of(training, setting, state);

  EXPECT_EQ(steps_per_epoch(training, setting), 11);  // 1050 images, 100 a step
  EXPECT_EQ(cost.source, Cost::Source::measured);
  EXPECT_DOUBLE_EQ(cost.training_seconds, 3 * 11 * 0.5);  // three of four epochs are left
}

TEST_F(RunPlanTest, TakesTheRateOfALogBeforeItMeasures) {
  const Training training = plan().trainings.front();
  const Setting& setting = table_.setting("a");
  int asked = 0;
  StepTimes times([&asked](const Training&, const Setting&) {
    ++asked;
    return std::optional(0.5);
  });

  times.learn(training, setting, 0.25);
  const Cost cost = times.cost_of(training, setting, {});

  EXPECT_EQ(asked, 0);
  EXPECT_EQ(cost.source, Cost::Source::log);
  EXPECT_DOUBLE_EQ(cost.training_seconds, 4 * 11 * 0.25);
}

TEST(DurationText, IsAsLongAsItMustBe) {
  EXPECT_EQ(duration_text(42), "42 s");
  EXPECT_EQ(duration_text(43 * 60), "43 min");
  EXPECT_EQ(duration_text(130 * 60), "2 h 10 min");
  EXPECT_EQ(duration_text(3 * 86400), "3.0 days");
}

}  // namespace
}  // namespace bcr::table
