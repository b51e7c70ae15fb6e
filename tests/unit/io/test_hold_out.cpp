#include "io/splits/hold_out.hpp"
#include "src/core/error.hpp"
#include "tests/support/format_writers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace {

using namespace bcr::io;

/// Image i of 47, of three classes, is file i.
ImageSet photos() {
  ImageSet set = bcr::test::patterned_set(47, 3, 2, 3, 3);
  set.fit = "letterbox";
  for (std::size_t i = 0; i < set.count; ++i) set.files.push_back(std::to_string(i));
  return set;
}

TEST(HoldOut, DividesEachClassAndLosesNothing) {
  const ImageSet set = photos();

  const HeldOut held = hold_out(set, 0.2, 1);

  EXPECT_EQ(class_counts(held.train.labels, 3), (std::vector<std::size_t>{13, 13, 12}));  // of 16, 16 and 15
  EXPECT_EQ(class_counts(held.test.labels, 3), (std::vector<std::size_t>{3, 3, 3}));
  std::set<std::string> files;
  for (const ImageSet* part : {&held.train, &held.test}) {
    EXPECT_EQ(part->fit, "letterbox");
    EXPECT_EQ(part->class_names, set.class_names);
    EXPECT_NO_THROW(require_consistent(*part, "part"));
    for (std::size_t i = 0; i < part->count; ++i) {
      const std::size_t place = std::stoul(part->files[i]);
      EXPECT_TRUE(files.insert(part->files[i]).second);
      EXPECT_EQ(part->labels[i], set.labels[place]);
      EXPECT_TRUE(std::equal(part->images.begin() + std::ptrdiff_t(i * 18),
                             part->images.begin() + std::ptrdiff_t(i * 18 + 18),
                             set.images.begin() + std::ptrdiff_t(place * 18)));
    }
  }
  EXPECT_EQ(files.size(), set.count);
}

TEST(HoldOut, IsAFunctionOfItsSeed) {
  const ImageSet set = photos();

  EXPECT_EQ(hold_out(set, 0.2, 1).test.files, hold_out(set, 0.2, 1).test.files);
  EXPECT_NE(hold_out(set, 0.2, 1).test.files, hold_out(set, 0.2, 2).test.files);
}

TEST(HoldOut, WantsAShareAndImagesToShare) {
  EXPECT_THROW(hold_out(photos(), 0, 1), bcr::ConfigError);
  EXPECT_THROW(hold_out(photos(), 1, 1), bcr::ConfigError);
  EXPECT_THROW(hold_out(bcr::test::patterned_set(3, 2, 2, 3, 3), 0.5, 1), bcr::IoError);
}

}  // namespace
