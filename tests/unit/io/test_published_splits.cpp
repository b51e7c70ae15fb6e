#include "io/datasets/image_readers.hpp"
#include "io/splits/published.hpp"
#include "src/core/error.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace {

using namespace bcr::io;
using bcr::ConfigError;
using bcr::IoError;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using ::testing::UnorderedElementsAreArray;

using Places = std::vector<std::size_t>;

const NamedClasses cifar10{"c10.h5", "cifar10", cifar10_class_names()};
const NamedClasses cifar100{"c100.h5", "cifar100", cifar100_fine_class_names()};

NamedClasses tiny_imagenet() {
  NamedClasses set{"tiny.h5", "tiny-imagenet", {}};
  for (int i = 0; i < 200; ++i) set.class_names.push_back("n" + std::to_string(10000000 + i) + " thing");
  return set;
}

std::set<std::size_t> as_set(const Places& places) {
  return {places.begin(), places.end()};
}

TEST(PublishedSplits, KnowTheClassNamesOfTheImporters) {
  EXPECT_EQ(published_set("cifar10").class_names, cifar10_class_names());
  EXPECT_EQ(published_set("cifar100").class_names, cifar100_fine_class_names());
}

TEST(PublishedSplits, HaveTheirPublishedSizes) {
  struct Sizes {
    std::string name;
    std::size_t trials, known, unknown;
  };
  for (const Sizes& sizes : std::vector<Sizes>{{"mnist", 5, 6, 4},
                                               {"svhn", 5, 6, 4},
                                               {"cifar10", 5, 6, 4},
                                               {"cifar+10", 5, 4, 10},
                                               {"cifar+50", 1, 4, 50},
                                               {"svhn-arpl", 5, 6, 4},
                                               {"cifar10-arpl", 5, 6, 4},
                                               {"cifar+10-arpl", 5, 4, 10},
                                               {"cifar+50-arpl", 5, 4, 50},
                                               {"tiny-imagenet", 5, 20, 0},
                                               {"fashion-mnist", 1, 6, 2}}) {
    const PublishedSplit& split = published_split(sizes.name);
    EXPECT_EQ(split.trials(), sizes.trials) << sizes.name;
    for (const Places& known : split.known) EXPECT_EQ(known.size(), sizes.known) << sizes.name;
    for (const Places& unknown : split.unknown) EXPECT_EQ(unknown.size(), sizes.unknown) << sizes.name;
  }
  EXPECT_EQ(published_splits().size(), 11u) << "each has a line above";
}

TEST(PublishedSplits, NameEachClassOnceAndWithinItsSet) {
  for (const PublishedSplit& split : published_splits()) {
    const auto check = [&](const PublishedSplit::Places& lists, const std::string& set) {
      for (const Places& places : lists) {
        EXPECT_EQ(as_set(places).size(), places.size()) << split.name;
        EXPECT_LT(*std::max_element(places.begin(), places.end()), published_set(set).count) << split.name;
      }
    };
    check(split.known, split.known_set);
    check(split.background, split.known_set);
    check(split.unknown, split.unknown_set);
    EXPECT_FALSE(split.source.empty());
  }
}

TEST(PublishedSplits, DivideTenClassesWithoutRest) {
  for (const char* const name : {"mnist", "svhn", "cifar10", "svhn-arpl", "cifar10-arpl"}) {
    const PublishedSplit& split = published_split(name);
    for (std::size_t trial = 0; trial < 5; ++trial) {
      auto all = as_set(split.known[trial]);
      all.merge(as_set(split.unknown[trial]));
      EXPECT_EQ(all.size(), 10u) << name << " trial " << trial;
    }
  }
}

TEST(PublishedSplits, AreNestedAsTheirAuthorsSay) {
  const PublishedSplit& animals = published_split("cifar+50");
  for (const Places& ten : published_split("cifar+10").unknown) {
    EXPECT_TRUE(std::ranges::includes(as_set(animals.unknown[0]), as_set(ten)));
  }
  const PublishedSplit& ten = published_split("cifar+10-arpl");
  const PublishedSplit& fifty = published_split("cifar+50-arpl");
  for (std::size_t trial = 0; trial < 5; ++trial) {
    EXPECT_EQ(Places(fifty.unknown[trial].end() - 10, fifty.unknown[trial].end()), ten.unknown[trial]);
    EXPECT_EQ(fifty.known[trial], ten.known[trial]);
  }
}

TEST(PublishedSplits, RepeatASetOnlyWhereTheNoteSaysSo) {
  std::vector<std::string> repeated;
  for (const PublishedSplit& split : published_splits()) {
    for (std::size_t a = 0; a < split.known.size(); ++a)
      for (std::size_t b = a + 1; b < split.known.size(); ++b) {
        if (as_set(split.known[a]) != as_set(split.known[b])) continue;
        repeated.push_back(split.name);
        EXPECT_THAT(split.note, HasSubstr("trials " + std::to_string(a) + " and " + std::to_string(b)));
      }
  }
  EXPECT_THAT(repeated, UnorderedElementsAre("svhn-arpl", "cifar10-arpl", "cifar+10-arpl", "cifar+50-arpl"));
}

TEST(PublishedSplits, BecomeClassNames) {
  const Split split = make_published_split("cifar+10", 1, cifar10, cifar100);

  EXPECT_EQ(split.name, "cifar+10");
  EXPECT_THAT(split.known.classes, ElementsAre("airplane", "automobile", "ship", "truck"));
  EXPECT_EQ(split.known.set, "cifar10");
  ASSERT_EQ(split.unknown.size(), 1u);
  EXPECT_EQ(split.unknown[0].set, "cifar100");
  EXPECT_THAT(split.unknown[0].classes,
              ElementsAre("boy", "wolf", "woman", "skunk", "raccoon", "snail", "whale", "worm", "turtle", "beetle"));
}

TEST(PublishedSplits, KeepTheirHashes) {
  EXPECT_EQ(split_hash(make_published_split("cifar10", 0, cifar10, cifar10)),
            "80b21b1050b5ba2cdbd4f7ce7c8d543c5092123862efb286fe689fb036b7fe3c");
  EXPECT_EQ(split_hash(make_published_split("cifar+50-arpl", 4, cifar10, cifar100)),
            "a7371f49c724c86b22d3b6e1506332b96cbe6f3788c9bee81fbb063a55b16c8c");
}

TEST(PublishedSplits, TakeTheComplementOfTinyImageNet) {
  const NamedClasses tiny = tiny_imagenet();

  const Split split = make_published_split("tiny-imagenet", 2, tiny, tiny);

  EXPECT_EQ(split.known.classes[0], tiny.class_names[177]);
  EXPECT_EQ(split.known.classes[1], tiny.class_names[0]);
  EXPECT_EQ(split.unknown[0].classes.size(), 180u);
  std::vector<std::string> all = split.unknown[0].classes;
  all.insert(all.end(), split.known.classes.begin(), split.known.classes.end());
  EXPECT_THAT(all, UnorderedElementsAreArray(tiny.class_names));
}

TEST(PublishedSplits, RefuseFilesThatAreNotTheirs) {
  NamedClasses shuffled = tiny_imagenet();
  std::swap(shuffled.class_names[3], shuffled.class_names[4]);
  EXPECT_THROW(make_published_split("tiny-imagenet", 0, shuffled, shuffled), IoError);
  try {
    make_published_split("cifar+10", 0, cifar10, cifar10);
    FAIL() << "CIFAR-10 has no elephants";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("c10.h5"));
    EXPECT_THAT(error.what(), HasSubstr("elephant"));
  }
}

TEST(PublishedSplits, RefuseNamesAndTrialsThatDoNotExist) {
  EXPECT_THROW(make_published_split("cifar+10", 5, cifar10, cifar100), ConfigError);
  EXPECT_THROW(make_published_split("cifar+10", -1, cifar10, cifar100), ConfigError);
  try {
    published_split("cifar");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("cifar+50-arpl"));
  }
}

TEST(QuickStart, KnowsSixClassesWithTwoOfBackgroundAndTwoUnknown) {
  const NamedClasses fashion{"f.h5", "fashion-mnist", published_set("fashion-mnist").class_names};

  const Split split = make_published_split("fashion-mnist", 0, fashion, fashion);

  EXPECT_THAT(split.known.classes, ElementsAre("T-shirt/top", "Trouser", "Dress", "Shirt", "Sneaker", "Bag"));
  ASSERT_EQ(split.background.size(), 1u);
  EXPECT_THAT(split.background[0].classes, ElementsAre("Pullover", "Sandal"));
  EXPECT_THAT(split.unknown[0].classes, ElementsAre("Coat", "Ankle boot"));
}

TEST(RandomSplits, DrawEveryClassOnceAndDependOnSeedAndTrial) {
  const Split split = make_random_split({.known = 6, .background = 2, .unknown = {}, .seed = 1, .trial = 0}, cifar10);
  const Split other = make_random_split({.known = 6, .background = 2, .unknown = {}, .seed = 1, .trial = 1}, cifar10);

  std::vector<std::string> all = split.known.classes;
  all.insert(all.end(), split.background[0].classes.begin(), split.background[0].classes.end());
  all.insert(all.end(), split.unknown[0].classes.begin(), split.unknown[0].classes.end());
  EXPECT_THAT(all, UnorderedElementsAreArray(cifar10.class_names));
  EXPECT_NE(split.known.classes, other.known.classes);
  EXPECT_EQ(split.name, "random-6-2-2-seed1");
  EXPECT_EQ(split_hash(split), "21f0454f6992e30f2ed0d39a0bbfc527ef3fea49254812027ba8e6b772e39f59");
}

TEST(RandomSplits, RefuseMoreClassesThanThereAre) {
  EXPECT_THROW(make_random_split({.known = 0}, cifar10), ConfigError);
  EXPECT_THROW(make_random_split({.known = 11}, cifar10), ConfigError);
  EXPECT_THROW(make_random_split({.known = 6, .background = 5}, cifar10), ConfigError);
  EXPECT_THROW(make_random_split({.known = 6, .unknown = 5}, cifar10), ConfigError);
  EXPECT_THROW(make_random_split({.known = 6, .trial = -1}, cifar10), ConfigError);
  EXPECT_THAT(make_random_split({.known = 10}, cifar10).unknown, IsEmpty());
}

TEST(WholeSetSplits, SetOneDataSetAgainstOthers) {
  const NamedClasses lsun{"l.h5", "lsun", {"unlabelled"}};
  const NamedClasses isun{"i.h5", "isun", {"unlabelled"}};

  const Split split = make_whole_set_split(cifar10, std::vector{lsun, isun});

  EXPECT_EQ(split.known.classes, cifar10.class_names);
  ASSERT_EQ(split.unknown.size(), 2u);
  EXPECT_EQ(split.unknown[1].rule, ClassChoice::Rule::without);
  EXPECT_THROW(make_whole_set_split(cifar10, std::vector{cifar10}), ConfigError);
}

TEST(SetNames, AreThoseOfTheFileWithoutItsPart) {
  EXPECT_EQ(set_name("cifar10 train"), "cifar10");
  EXPECT_EQ(set_name("cifar10 test"), "cifar10");
  EXPECT_EQ(set_name("lsun"), "lsun");
}

}  // namespace
