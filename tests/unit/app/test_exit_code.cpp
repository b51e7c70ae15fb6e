#include "src/app/run_main.hpp"
#include "src/core/error.hpp"

#include <gtest/gtest.h>

namespace {

using bcr::app::exit_code_for;
using bcr::app::ExitCode;

TEST(ExitCode, FollowsTheKindOfError) {
  EXPECT_EQ(exit_code_for(bcr::ConfigError("op", "a", "b")), ExitCode::usage);
  EXPECT_EQ(exit_code_for(bcr::IoError("op", "a", "b")), ExitCode::data);
  EXPECT_EQ(exit_code_for(bcr::NumericsError("op", "a", "b")), ExitCode::numerics);
  EXPECT_EQ(exit_code_for(bcr::ShapeError("op", "a", "b")), ExitCode::failed);
  EXPECT_EQ(exit_code_for(bcr::BackendError("op", "a", "b")), ExitCode::failed);
  EXPECT_EQ(exit_code_for(std::runtime_error("x")), ExitCode::failed);
}

}  // namespace
