#include "io/splits/selection.hpp"
#include "io/splits/split.hpp"
#include "src/core/error.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

namespace {

using namespace bcr::io;
using bcr::ConfigError;
using bcr::IoError;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Rule = ClassChoice::Rule;

Split small_split() {
  return {.name = "pets",
          .trial = 2,
          .known = {"cifar10", Rule::only, {"dog", "cat"}},
          .background = {{"imagenet32", Rule::without, {"n02084071 dog"}}},
          .unknown = {{"cifar10", Rule::only, {"ship"}}, {"lsun", Rule::without, {}}}};
}

SplitFiles small_files() {
  return {.known = {"c.h5", {"cat", "dog", "ship"}},
          .background = {{"i.h5", {"n01443537 goldfish", "n02084071 dog"}}},
          .unknown = {{"c.h5", {"cat", "dog", "ship"}}, {"l.h5", {"unlabelled"}}}};
}

template <class Error, class Work>
std::string message_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Splits, ComeBackFromAFile) {
  const bcr::test::ScratchDirectory directory;
  const auto path = directory.path() / "s.toml";

  write_split(path, small_split());

  EXPECT_EQ(read_split(path), small_split());
}

TEST(Splits, HaveOneTextAndOneHash) {
  EXPECT_EQ(split_text(small_split()),
            "format = \"bcr-split\"\nversion = 1\nname = \"pets\"\ntrial = 2\n"
            "\n[known]\nset = \"cifar10\"\nclasses = [\n  \"dog\",\n  \"cat\",\n]\n"
            "\n[[background]]\nset = \"imagenet32\"\nwithout = [\n  \"n02084071 dog\",\n]\n"
            "\n[[unknown]]\nset = \"cifar10\"\nclasses = [\n  \"ship\",\n]\n"
            "\n[[unknown]]\nset = \"lsun\"\nwithout = []\n");
  EXPECT_EQ(split_hash(small_split()), "e06b08373894830c2b240de18875b6050a69b1f0002edf42267114f2f578842a");
}

TEST(Splits, ThatDifferInOrderAloneHaveDifferentHashes) {
  Split other = small_split();
  std::swap(other.known.classes[0], other.known.classes[1]);

  EXPECT_NE(split_hash(other), split_hash(small_split()));
}

TEST(Splits, ThatWereEditedByHandAreRefused) {
  const bcr::test::ScratchDirectory directory;
  const auto path = directory.path() / "s.toml";
  write_split(path, small_split());
  std::string text = bcr::test::ScratchDirectory::read(path);
  text.replace(text.find("\"cat\""), 5, "\"cow\"");
  directory.file("s.toml", text);

  EXPECT_THAT(message_of<IoError>([&] { read_split(path); }), AllOf(HasSubstr("s.toml"), HasSubstr("hash")));
}

TEST(Splits, ThatAreMalformedAreRefusedWithTheirLine) {
  const std::string head = "format = \"bcr-split\"\nversion = 1\nname = \"a\"\ntrial = 0\n";
  const auto message = [](const std::string& text) {
    return message_of<ConfigError>([&] { parse_split(text, "s.toml"); });
  };

  EXPECT_THAT(message(""), HasSubstr("format"));
  EXPECT_THAT(message("format = \"other\"\n"), HasSubstr("bcr-split"));
  EXPECT_THAT(message("format = \"bcr-split\"\nversion = 2\n"), HasSubstr("version = 1"));
  EXPECT_THAT(message(head), HasSubstr("[known]"));
  EXPECT_THAT(message(head + "[known]\nset = \"x\"\nclasses = []\n"), HasSubstr("at least one class"));
  EXPECT_THAT(message(head + "[known]\nset = \"x\"\nwithout = [\"b\"]\n"), HasSubstr("known.classes"));
  EXPECT_THAT(message(head + "[known]\nset = 1\nclasses = [\"b\"]\n"), HasSubstr("s.toml:6"));
  EXPECT_THAT(message(head + "[known]\nset = \"x\"\nclasses = [1]\n"), HasSubstr("s.toml:7"));
  EXPECT_THAT(message(head + "colour = 1\n[known]\nset = \"x\"\nclasses = [\"b\"]\n"), HasSubstr("colour"));
  EXPECT_THAT(message(head + "[known]\nset = \"x\"\nclasses = [\"b\"]\n[unknown]\nset = \"x\"\nclasses = [\"c\"]\n"),
              HasSubstr("[[unknown]]"));
  EXPECT_THAT(message(head + "[known]\nset = \"x\"\nclasses = [\"b\"]\nwithout = []\n"), HasSubstr("both"));
}

TEST(Splits, WhoseClassesOverlapAreRefusedByName) {
  const auto overlap = [](const std::function<void(Split&)>& spoil) {
    Split split = small_split();
    spoil(split);
    return message_of<ConfigError>([&] { require_disjoint(split, small_files()); });
  };

  EXPECT_EQ(overlap([](Split&) {}), "no error");
  EXPECT_THAT(overlap([](Split& split) {
                split.unknown[0].classes = {"ship", "dog"};
              }),
              AllOf(HasSubstr("unknown class 'dog' of cifar10 is also known class 'dog' of cifar10"),
                    Not(HasSubstr("'ship'"))));
  EXPECT_THAT(overlap([](Split& split) {
                split.known.classes = {"dog", "dog"};
              }),
              HasSubstr("known class 'dog' of cifar10 twice"));
  EXPECT_THAT(overlap([](Split& split) {
                split.unknown[0].rule = Rule::without;
                split.unknown[0].classes = {"cat"};
              }),
              HasSubstr("'dog'"));
}

TEST(Splits, OfWrittenListsAreCheckedWithoutFiles) {
  Split split = small_split();
  split.background.push_back({"cifar10", Rule::only, {"cat"}});
  const bcr::test::ScratchDirectory directory;

  EXPECT_THAT(message_of<ConfigError>([&] { write_split(directory.path() / "s.toml", split); }),
              HasSubstr("background class 'cat' of cifar10 is also known"));
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "s.toml"));
}

TEST(Splits, MayShareClassesBetweenTwoUnknownSets) {
  Split split = small_split();
  split.unknown = {{"tiny crop", Rule::only, {"n01443537 goldfish"}},
                   {"tiny resize", Rule::only, {"n01443537 goldfish"}}};
  EXPECT_NO_THROW(require_disjoint(split));

  split.unknown[1].set = "tiny crop";
  EXPECT_THROW(require_disjoint(split), ConfigError);
}

TEST(Classes, AreTheSameByWordNetIdOrNameUnlessTheNameSaysNothing) {
  EXPECT_TRUE(same_class("tiny", "n01443537 goldfish", "imagenet32", "n01443537"));
  EXPECT_FALSE(same_class("tiny", "n01443537 goldfish", "imagenet32", "n01443538 goldfish"));
  EXPECT_TRUE(same_class("cifar10", "truck", "other", "truck"));
  EXPECT_FALSE(same_class("cifar10", "truck", "cifar100", "pickup_truck"));
  EXPECT_FALSE(same_class("svhn", "7", "imagenet32", "7"));
  EXPECT_TRUE(same_class("svhn", "7", "svhn", "7"));
  EXPECT_FALSE(same_class("lsun", "unlabelled", "isun", "unlabelled"));
}

TEST(Choices, NameTheClassesThatAFileLacks) {
  const std::vector<std::string> names = {"cat", "dog"};

  EXPECT_THAT(chosen_classes({"x", Rule::only, {"dog", "cat"}}, names, "f.h5"), ElementsAre("dog", "cat"));
  EXPECT_THAT(chosen_classes({"x", Rule::without, {"dog"}}, names, "f.h5"), ElementsAre("cat"));
  EXPECT_THAT(message_of<IoError>([&] {
                chosen_classes({"x", Rule::only, {"dog", "cow", "pig"}}, names, "f.h5");
              }),
              AllOf(HasSubstr("f.h5"), HasSubstr("cow"), HasSubstr("pig")));
  EXPECT_THROW(chosen_classes({"x", Rule::without, {"fox"}}, names, "f.h5"), IoError);
  EXPECT_THROW(chosen_classes({"x", Rule::without, {"cat", "dog"}}, names, "f.h5"), IoError);
}

TEST(Selections, LabelImagesByPlaceInTheSplit) {
  const std::vector<std::string> names = {"cat", "dog", "ship", "frog"};
  const std::vector<std::int32_t> labels = {0, 2, 1, 3, 2, 0};

  const Selection chosen = select_images({"x", Rule::only, {"ship", "cat"}}, labels, names, "f.h5");
  const Selection rest = select_images({"x", Rule::without, {"ship", "cat"}}, labels, names, "f.h5");

  EXPECT_THAT(chosen.rows, ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(chosen.labels, ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(rest.rows, ElementsAre(2, 3));
  EXPECT_THAT(rest.classes, ElementsAre("dog", "frog"));
}

TEST(Selections, RefuseAClassWithoutImages) {
  const std::vector<std::string> names = {"cat", "dog"};
  const std::vector<std::int32_t> labels = {0, 0};

  EXPECT_THAT(message_of<IoError>([&] {
                select_images({"x", Rule::only, {"cat", "dog"}}, labels, names, "f.h5");
              }),
              AllOf(HasSubstr("f.h5"), HasSubstr("'dog'")));
  EXPECT_EQ(select_images({"x", Rule::without, {}}, labels, names, "f.h5").rows.size(), 2u);
}

}  // namespace
