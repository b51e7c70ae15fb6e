#include "src/app/command_line.hpp"
#include "src/core/error.hpp"

#include <gmock/gmock.h>

namespace {

using bcr::app::sort_arguments;
using ::testing::ElementsAre;
using Words = std::vector<std::string>;

TEST(Arguments, AreSortedIntoOwnKokkosAndOverrides) {
  const Words words{"import", "--kokkos-num-threads=2", "--out", "a.h5", "--train.lr=0.1", "--seed=3"};

  const auto sorted = sort_arguments(words);

  EXPECT_THAT(sorted.own, ElementsAre("import", "--out", "a.h5", "--seed=3"));
  EXPECT_THAT(sorted.kokkos, ElementsAre("--kokkos-num-threads=2"));
  EXPECT_THAT(sorted.overrides, ElementsAre("train.lr=0.1"));
}

TEST(Arguments, TakeTheValueOfADottedOptionFromTheNextWord) {
  const auto sorted = sort_arguments(Words{"--train.lr", "0.1", "--model.name", "wrn-40-2"});

  EXPECT_THAT(sorted.overrides, ElementsAre("train.lr=0.1", "model.name=wrn-40-2"));
}

TEST(Arguments, LeavePathsAndValuesWithDotsAlone) {
  const auto sorted = sort_arguments(Words{"--out=run.1", "../data.h5", "--a/b.c", "-x.y"});

  EXPECT_THAT(sorted.own, ElementsAre("--out=run.1", "../data.h5", "--a/b.c", "-x.y"));
  EXPECT_THAT(sorted.overrides, ElementsAre());
}

TEST(Arguments, RefuseADottedOptionWithoutAValue) {
  EXPECT_THROW(sort_arguments(Words{"--train.lr"}), bcr::ConfigError);
}

}  // namespace
