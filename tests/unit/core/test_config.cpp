#include "src/core/config.hpp"

#include "tests/support/scratch_directory.hpp"
#include "tests/unit/core/example_options.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using bcr::Config;
using bcr::test::ScratchDirectory;
using bcr::test::example::Mode;
using bcr::test::example::RunOptions;
using bcr::test::example::TrainOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

RunOptions read_with(const std::vector<std::string>& overrides) {
  return Config::load({}, overrides).read<RunOptions>();
}

TEST(Config, EmptyKeepsEveryDefault) {
  EXPECT_EQ(Config().read<RunOptions>(), RunOptions());
}

TEST(Config, ReadsEveryType) {
  const Config config = Config::parse(R"(
    seed = 9223372036854775807
    mode = "fast"
    name = "naïve \"run\""
    out = "/data/x"
    classes = ["cat", "dog"]
    [train]
    lr = 1            # an integer is a number
    decay = 0.25
    epochs = 7
    nesterov = false
    limit = 3
    schedule.milestones = [
      10,
      20, 30 ]
    schedule.factors = [0.5, 1, 1e-3]
  )");

  const auto options = config.read<RunOptions>();

  EXPECT_EQ(options.seed, 9223372036854775807u);
  EXPECT_EQ(options.mode, Mode::fast);
  EXPECT_EQ(options.name, "naïve \"run\"");
  EXPECT_EQ(options.out, "/data/x");
  EXPECT_THAT(options.classes, ElementsAre("cat", "dog"));
  EXPECT_EQ(options.train.lr, 1.0);
  EXPECT_EQ(options.train.decay, 0.25f);
  EXPECT_EQ(options.train.epochs, 7);
  EXPECT_FALSE(options.train.nesterov);
  EXPECT_EQ(options.train.limit, 3);
  EXPECT_THAT(options.train.schedule.milestones, ElementsAre(10, 20, 30));
  EXPECT_THAT(options.train.schedule.factors, ElementsAre(0.5, 1.0, 1e-3));
}

TEST(Config, MergesFilesKeyByKeyAndTheLaterWins) {
  const ScratchDirectory scratch;
  const std::vector<fs::path> files = {
      scratch.file("base.toml", "name = 'base'\n[train]\nlr = 0.5\nepochs = 10\nschedule.milestones = [1, 2, 3]\n"),
      scratch.file("more.toml", "[train]\nlr = 0.25\nschedule.factors = [2.0]\nschedule.milestones = [9]\n")};

  const auto options = Config::load(files).read<RunOptions>();

  EXPECT_EQ(options.name, "base");
  EXPECT_EQ(options.train.lr, 0.25);
  EXPECT_EQ(options.train.epochs, 10);
  EXPECT_THAT(options.train.schedule.factors, ElementsAre(2.0));
  EXPECT_THAT(options.train.schedule.milestones, ElementsAre(9)) << "arrays are replaced, not joined";
}

TEST(Config, OverridesWinOverFilesAndTheLastOverrideWins) {
  const ScratchDirectory scratch;
  const std::vector<fs::path> files = {scratch.file("a.toml", "[train]\nlr = 0.5\nepochs = 10\n")};
  const std::vector<std::string> overrides = {"train.lr=0.125", "train.lr=0.25", "train.schedule.milestones=[4, 5]"};

  const auto options = Config::load(files, overrides).read<RunOptions>();

  EXPECT_EQ(options.train.lr, 0.25);
  EXPECT_EQ(options.train.epochs, 10);
  EXPECT_THAT(options.train.schedule.milestones, ElementsAre(4, 5));
}

TEST(Config, OverridesTakeBareWordsForStrings) {
  EXPECT_EQ(read_with({"mode=fast"}).mode, Mode::fast);
  EXPECT_EQ(read_with({"out=/a b/c.h5"}).out, "/a b/c.h5");
  EXPECT_EQ(read_with({"name=42"}).name, "42");
  EXPECT_EQ(read_with({"name=true"}).name, "true");
  EXPECT_EQ(read_with({"name=2025-01-31"}).name, "2025-01-31");
  EXPECT_EQ(read_with({"name=a=b"}).name, "a=b");
  EXPECT_EQ(read_with({"name='quoted'"}).name, "quoted");
  EXPECT_EQ(read_with({"classes=['a', 'b']"}).classes.size(), 2u);
  EXPECT_EQ(read_with({"train={lr = 0.5, epochs = 2}"}).train.epochs, 2);
}

TEST(Config, SectionsAreReadOnTheirOwn) {
  const Config config = Config::parse("[train]\nlr = 0.5\nschedule.milestones = [7]\n");

  EXPECT_EQ(config.section("train").read<TrainOptions>().lr, 0.5);
  EXPECT_EQ(config.section("train").read<TrainOptions>(), config.read<RunOptions>().train);
  EXPECT_THAT(config.section("train.schedule").read<bcr::test::example::ScheduleOptions>().milestones, ElementsAre(7));
  EXPECT_EQ(config.section("absent").read<TrainOptions>(), TrainOptions());
}

TEST(Config, WritesBackWhatItReads) {
  RunOptions options;
  options.seed = 12345678901234567;
  options.mode = Mode::fast;
  options.name = "tab\t quote\" back\\slash\nline \x01";
  options.classes = {"", "é"};
  options.train.lr = 0.1 + 0.2;
  options.train.decay = 0.3f;
  options.train.limit = 17;
  options.train.schedule.factors = {1e-300, 1, 1e22, -0.0};

  const std::string text = bcr::to_toml(options);

  EXPECT_EQ(Config::parse(text).read<RunOptions>(), options) << text;
  EXPECT_EQ(bcr::to_toml(Config::parse(text).read<RunOptions>()), text);
  EXPECT_EQ(Config::parse(bcr::to_toml(options, bcr::Comments::help)).read<RunOptions>(), options);
}

TEST(Config, WritesTheDefaultsInTheOrderOfTheirDescription) {
  EXPECT_EQ(bcr::to_toml(RunOptions()),
            R"(seed = 1
mode = "strict"
name = "run"
out = "runs/a"
classes = []
loss = "bcr"

[train]
lr = 0.1
decay = 0.0005
epochs = 100
nesterov = true

[train.schedule]
milestones = [30, 60]
factors = []
)");
}

TEST(Config, ExplainsItself) {
  const std::string help = bcr::help_text(RunOptions());
  const std::string commented = bcr::to_toml(RunOptions(), bcr::Comments::help);

  EXPECT_THAT(help, HasSubstr("train.lr = 0.1"));
  EXPECT_THAT(help, HasSubstr("initial learning rate (a number > 0)"));
  EXPECT_THAT(help, HasSubstr("how numbers are computed (one of {strict, fast})"));
  EXPECT_THAT(help, HasSubstr("train.limit = (not set)"));
  EXPECT_THAT(commented, HasSubstr("# initial learning rate: a number > 0\nlr = 0.1\n"));
  EXPECT_THAT(commented, HasSubstr("# the training loop\n[train]\n"));
}

}  // namespace
