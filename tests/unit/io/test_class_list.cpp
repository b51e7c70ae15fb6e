#include "io/datasets/imagenet_classes.hpp"
#include "io/splits/class_list.hpp"
#include "src/core/error.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace bcr::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<std::string> dogs_and_cats{"n02084071 dog", "n02121808 cat", "3"};

/// A split of three sets with the classes given; all of them take part.
std::vector<std::string> sentences(const std::vector<std::string>& known, const std::vector<std::string>& background,
                                   const std::vector<std::string>& taken_out = {}) {
  Split split;
  split.known = {"known-set", ClassChoice::Rule::only, known};
  split.background.push_back({"background-set", ClassChoice::Rule::without, taken_out});
  return incomparable_sides(split, {{"known.h5", known}, {{"background.h5", background}}, {}});
}

TEST(ClassList, HasAClassOnEachLineAndRemarks) {
  const test::ScratchDirectory scratch;

  EXPECT_THAT(read_class_list(scratch.file("list.txt", "# a list\n\nn02084071   # dog\r\n  cat \n")),
              ElementsAre("n02084071", "cat"));
  EXPECT_THROW(read_class_list(scratch.file("empty.txt", "# nothing\n\n")), IoError);
  EXPECT_THROW(read_class_list(scratch.path() / "absent.txt"), IoError);
}

TEST(ClassList, MeansClassesByNameOrWordNetId) {
  EXPECT_THAT(listed_classes(std::vector<std::string>{"n02121808", "n02084071", "n00000000"}, dogs_and_cats),
              ElementsAre("n02084071 dog", "n02121808 cat"));
  EXPECT_THAT(listed_classes(std::vector<std::string>{"3"}, dogs_and_cats), ElementsAre("3"));
  EXPECT_THAT(listed_classes(std::vector<std::string>{"dog"}, dogs_and_cats), IsEmpty());
}

TEST(IncomparableSides, AreThoseWithoutACommonLanguage) {
  const std::vector<std::string> words{"dog", "cat"};
  const std::vector<std::string> ids{"n02084071 dog", "n02121808 cat"};
  const std::vector<std::string> numbers{"1", "2"};

  EXPECT_THAT(sentences(words, words), IsEmpty());
  EXPECT_THAT(sentences(ids, ids), IsEmpty());
  EXPECT_THAT(sentences(words, numbers), ElementsAre(HasSubstr("known-set (words)")));
  EXPECT_THAT(sentences(words, ids), ElementsAre(HasSubstr("background-set (WordNet ids)")));
  EXPECT_THAT(sentences(numbers, numbers), testing::SizeIs(1));
  EXPECT_THAT(sentences(words, ids, {"n02084071 dog"}), IsEmpty());  // somebody has looked
}

TEST(ImagenetClasses, AreAThousandInTheOrderOfTheBatches) {
  const auto names = imagenet_classes();

  EXPECT_EQ(names.size(), 1000U);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 1000U);
  EXPECT_EQ(names.front(), "n02119789 kit_fox");
}

}  // namespace
}  // namespace bcr::io
