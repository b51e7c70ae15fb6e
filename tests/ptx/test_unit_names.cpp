#include "tests/ptx/unit_names.hpp"

#include <gtest/gtest.h>

namespace bcr::test::ptx {
namespace {

TEST(PtxUnitNames, DoNotDependOnTheProcessThatCompiled) {
  const std::string once = "_ZN6strict44_GLOBAL__N__7b87ee83_7_map_cpp_b6eb578e_71635BlockINS6_3ExpEdE";
  const std::string again = "_ZN6strict45_GLOBAL__N__7b87ee83_7_map_cpp_b6eb578e_274515BlockINS6_3ExpEdE";
  EXPECT_EQ(without_process_numbers(once), "_ZN6strict39_GLOBAL__N__7b87ee83_7_map_cpp_b6eb578e5BlockINS6_3ExpEdE");
  EXPECT_EQ(without_process_numbers(again), without_process_numbers(once));
}

TEST(PtxUnitNames, AllInATextChangeAndNothingElse) {
  EXPECT_EQ(without_process_numbers(".entry 41_INTERNAL_ed1ff63f_5_a_cpp_b6eb578e_28705x(.param .b8 "
                                    "p_39_GLOBAL__N__ed1ff63f_5_a_cpp_12345678_9y)"),
            ".entry 35_INTERNAL_ed1ff63f_5_a_cpp_b6eb578ex(.param .b8 p_37_GLOBAL__N__ed1ff63f_5_a_cpp_12345678y)");
  EXPECT_EQ(without_process_numbers("add.rn.f64 %fd1, %fd2, %fd3;"), "add.rn.f64 %fd1, %fd2, %fd3;");
}

TEST(PtxUnitNames, ADigitBeforeTheLengthIsNoneOfIt) {
  EXPECT_EQ(without_process_numbers("_ZN2v144_GLOBAL__N__7b87ee83_7_map_cpp_b6eb578e_71635BlockE"),
            "_ZN2v139_GLOBAL__N__7b87ee83_7_map_cpp_b6eb578e5BlockE");
}

TEST(PtxUnitNames, ANameWithoutAProcessStays) {
  for (const std::string name :
       {"51_GLOBAL__N__949cf106_18_inclusion_plan_cpp_9916710f17EvaluateInclusionId", "_ZN12_GLOBAL__N_14RootE",
        "_GLOBAL__N__7b87ee83_7_map_cpp_b6eb578e_7163", "_INTERNAL_"})
    EXPECT_EQ(without_process_numbers(name), name);
}

}  // namespace
}  // namespace bcr::test::ptx
