#include "src/core/config.hpp"
#include "src/core/config/nearest_key.hpp"
#include "src/core/error.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/unit/core/example_options.hpp"

#include <gmock/gmock.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using bcr::Config;
using bcr::test::ScratchDirectory;
using bcr::test::example::RunOptions;
using bcr::test::example::TrainOptions;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const bcr::ConfigError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no ConfigError was thrown";
  return "";
}

std::string message_of_text(const std::string& text) {
  return message_of([&] { Config::parse(text, "run.toml").read<RunOptions>(); });
}

std::string message_of_override(const std::string& text) {
  return message_of([&] { Config::load({}, std::array{text}).read<RunOptions>(); });
}

TEST(ConfigError, MisspeltKeyNamesTheNearestAndTheLine) {
  EXPECT_EQ(message_of_text("seed = 3\n\n[train]\nepohcs = 3\n"),
            "[config run.toml:4] expected a known key (the nearest is 'train.epochs'), "
            "received the unknown key 'train.epohcs'");
}

TEST(ConfigError, KeyInTheWrongSectionFindsItsSection) {
  EXPECT_THAT(message_of_text("lr = 3"), HasSubstr("the nearest is 'train.lr'"));
  EXPECT_THAT(message_of_text("train.seed = 3"), HasSubstr("the nearest is 'seed'"));
}

TEST(ConfigError, MisspeltSectionNamesTheNearestSection) {
  EXPECT_EQ(message_of_text("[trian]\nlr = 3"),
            "[config run.toml:1] expected a known section (the nearest is 'train'), "
            "received the unknown section 'trian'");
}

TEST(ConfigError, MisspeltOverrideIsQuoted) {
  EXPECT_EQ(message_of_override("train.rl=3"),
            "[config --train.rl=3] expected a known key (the nearest is 'train.lr'), "
            "received the unknown key 'train.rl'");
}

TEST(ConfigError, WrongTypeNamesKeyTypeValueAndLine) {
  EXPECT_EQ(message_of_text("[train]\nlr = 'fast'"),
            "[config run.toml:2] expected train.lr to be a number > 0, received \"fast\" (a string)");
  EXPECT_EQ(message_of_text("[train]\nepochs = 1.5"),
            "[config run.toml:2] expected train.epochs to be an integer of 32 bits >= 1, received 1.5 (a number)");
  EXPECT_THAT(message_of_text("[train]\nepochs = 3000000000"), HasSubstr("an integer of 32 bits"));
  EXPECT_THAT(message_of_text("seed = -1"), HasSubstr("seed to be a non-negative integer, received -1"));
  EXPECT_THAT(message_of_text("train.nesterov = 1"), HasSubstr("train.nesterov to be a boolean, received 1"));
  EXPECT_THAT(message_of_text("name = 3"), HasSubstr("name to be a string that is not empty, received 3"));
  EXPECT_THAT(message_of_text("classes = 'cat'"), HasSubstr("an array, each element a string, received \"cat\""));
  EXPECT_THAT(message_of_text("train.schedule.milestones = [1, 'x']"), HasSubstr("each element an integer"));
  EXPECT_THAT(message_of_text("train = 3"), HasSubstr("train to be a table, received 3 (an integer)"));
  EXPECT_THAT(message_of_text("seed.x = 3"), HasSubstr("received { x = 3 } (a table)"));
}

TEST(ConfigError, LaterFileIsBlamedForItsOwnMistake) {
  const ScratchDirectory scratch;
  const std::vector<fs::path> files = {scratch.file("good.toml", "[train]\nlr = 1\n"),
                                       scratch.file("bad.toml", "\n\ntrain.lr = true\n")};

  EXPECT_THAT(message_of([&] { Config::load(files).read<RunOptions>(); }), HasSubstr("bad.toml:3] expected train.lr"));
}

TEST(ConfigError, ValuesOutOfRangeAreRefused) {
  EXPECT_THAT(message_of_text("train.lr = 0"), HasSubstr("a number > 0, received 0"));
  EXPECT_THAT(message_of_text("train.lr = nan"), HasSubstr("received nan"));
  EXPECT_THAT(message_of_text("train.lr = inf"), HasSubstr("received inf"));
  EXPECT_THAT(message_of_text("train.decay = 1.0"), HasSubstr("in [0, 1), received 1.0"));
  EXPECT_THAT(message_of_text("train.limit = 0"), HasSubstr("> 0, received 0"));
  EXPECT_THAT(message_of_text("train.schedule.milestones = [3, 0]"), HasSubstr("> 0, received [3, 0] (an array)"));
  EXPECT_THAT(message_of_text("loss = 'mse'"), HasSubstr("a string from {bcr, entropy}, received \"mse\""));
  EXPECT_THAT(message_of_text("mode = 'quick'"), HasSubstr("mode to be one of {strict, fast}, received \"quick\""));
}

TEST(ConfigError, RequiredOptionThatIsMissingIsNamed) {
  RunOptions defaults;
  defaults.name = "";

  EXPECT_EQ(message_of([&] { Config().read(defaults); }),
            "[config] expected name to be a string that is not empty, received nothing (the default is \"\")");
}

TEST(ConfigError, MissingFileIsNamedWithTheReason) {
  const ScratchDirectory scratch;
  const fs::path absent = scratch.path() / "absent.toml";

  EXPECT_EQ(message_of([&] { Config::load(std::array{absent}); }),
            "[config] expected a readable TOML file, received '" + absent.string() + "' (No such file or directory)");
  EXPECT_THAT(message_of([&] { Config::load(std::array{scratch.path()}); }), HasSubstr("(a directory)"));
}

TEST(ConfigError, MalformedTomlNamesTheLine) {
  EXPECT_THAT(message_of_text("seed = 1\nname = \n"), HasSubstr("[config run.toml:2] expected valid TOML"));
  EXPECT_THAT(message_of_text("seed = 1\nseed = 2\n"), HasSubstr("[config run.toml:2]"));
  EXPECT_THAT(message_of_text("name = 2025-01-31"), HasSubstr("a date or time (quote it)"));
}

TEST(ConfigError, MalformedOverridesAreRefused) {
  for (const char* const text :
       {"train.lr", "=3", ".lr=3", "train.=3", "train..lr=3", "name=", "name='open", "classes=[1", "train={lr=}"}) {
    EXPECT_THAT(message_of_override(text), HasSubstr("expected")) << text;
  }
  EXPECT_THAT(message_of_override("train.lr=fast"),
              AllOf(HasSubstr("[config --train.lr=fast]"), HasSubstr("received \"fast\" (a string)")));
  EXPECT_THAT(message_of_override("seed=1\nname=2"), HasSubstr("seed to be")) << "no second key can be smuggled in";
}

TEST(ConfigError, SectionsReadAloneGiveTheWholeKey) {
  const Config config = Config::parse("[train]\nlr = -1\n[run]\n", "run.toml");

  EXPECT_THAT(message_of([&] { config.section("train").read<TrainOptions>(); }), HasSubstr("expected train.lr to be"));
  EXPECT_THAT(message_of([&] { config.section("train.lr"); }), HasSubstr("train.lr to be a table, received -1"));
  EXPECT_THAT(
      message_of([&] {
        config.require_only(std::array{std::string_view("train"), std::string_view("rn")});
      }),
      HasSubstr("[config run.toml:3] expected a known key (the nearest is 'rn'), received the unknown key 'run'"));
}

TEST(NearestKey, CountsEditsAndSwaps) {
  EXPECT_EQ(bcr::edit_distance("", ""), 0u);
  EXPECT_EQ(bcr::edit_distance("abc", ""), 3u);
  EXPECT_EQ(bcr::edit_distance("", "ab"), 2u);
  EXPECT_EQ(bcr::edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(bcr::edit_distance("abcd", "acbd"), 1u);
  EXPECT_EQ(bcr::edit_distance("ca", "abc"), 3u);
}

TEST(NearestKey, TakesTheFirstOfEquals) {
  const std::vector<std::string> known = {"train.lr", "train.lx", "data.lr"};

  EXPECT_EQ(bcr::nearest_key("train.ly", known), "train.lr");
  EXPECT_EQ(bcr::nearest_key("data.ly", known), "data.lr");
  EXPECT_EQ(bcr::nearest_key("x", {}), "");
}

}  // namespace
