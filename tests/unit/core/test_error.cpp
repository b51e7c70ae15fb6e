#include "src/core/error.hpp"
#include "src/core/views.hpp"

#include <gmock/gmock.h>

namespace {

TEST(Error, SaysOperationExpectedAndReceived) {
  const bcr::ShapeError error("distance", "3 columns", "4 columns");

  EXPECT_STREQ(error.what(), "[distance] expected 3 columns, received 4 columns");
  EXPECT_THAT(std::string(error.where().file), ::testing::HasSubstr("test_error.cpp"));
}

TEST(Error, RequireThrowsOnlyWhenTheConditionFails) {
  EXPECT_NO_THROW(bcr::require<bcr::IoError>(true, "read", "a", "b"));
  EXPECT_THROW(bcr::require<bcr::IoError>(false, "read", "a", "b"), bcr::IoError);
}

TEST(Error, RequireShapeNamesBothShapes) {
  const Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace> view("bcr::test::view", 2, 3);

  EXPECT_NO_THROW(bcr::require_shape("op", "dst", view, {2, 3}));
  try {
    bcr::require_shape("op", "dst", view, {2, 4});
    FAIL() << "a wrong shape was accepted";
  } catch (const bcr::ShapeError& error) {
    EXPECT_STREQ(error.what(), "[op] expected dst of shape [2, 4], received [2, 3]");
  }
}

}  // namespace
