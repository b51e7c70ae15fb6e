#include "src/core/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

struct Fruit {
  std::string_view name;
  int grams = 0;
};

bcr::Registry<Fruit> some_fruit() {
  return bcr::Registry<Fruit>("fruit", {{"apple", 150}, {"pear", 180}});
}

TEST(Registry, FindsByNameInTheOrderOfAdding) {
  auto fruit = some_fruit();
  fruit.add({"plum", 40});

  EXPECT_EQ(fruit.find("pear").grams, 180);
  EXPECT_EQ(fruit.find("plum").grams, 40);
  EXPECT_THAT(fruit.names(), ElementsAre("apple", "pear", "plum"));
}

TEST(Registry, EntriesStayWhereTheyAre) {
  auto fruit = some_fruit();
  const Fruit* const apple = &fruit.find("apple");
  for (const std::string_view name : {"a", "b", "c", "d", "e", "f", "g", "h"}) fruit.add({name, 1});

  EXPECT_EQ(&fruit.find("apple"), apple);
}

TEST(Registry, AnUnknownNameIsAnsweredWithAllNamesAndTheNearest) {
  const auto fruit = some_fruit();
  try {
    fruit.find("peer");
    FAIL() << "found a peer";
  } catch (const bcr::ConfigError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("fruit"), HasSubstr("apple, pear"), HasSubstr("did you mean 'pear'")));
  }
}

TEST(Registry, RefusesANameTwice) {
  auto fruit = some_fruit();

  EXPECT_THROW(fruit.add({"pear", 1}), bcr::ConfigError);
  EXPECT_EQ(fruit.find("pear").grams, 180);
}

}  // namespace
