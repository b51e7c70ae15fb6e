#include "tests/ptx/test_executor.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace bcr::test::ptx {
namespace {

std::uint64_t bits(const double value) {
  return std::bit_cast<std::uint64_t>(value);
}
std::uint64_t bits(const float value) {
  return std::bit_cast<std::uint32_t>(value);
}

/// d = instruction(input) for a double, and for a float.
double of_double(const std::string& instruction, const double input) {
  return std::bit_cast<double>(run_line("mov.b64 %fd1, %rd2;\n" + instruction + "\nmov.b64 %rd3, %fd2;", bits(input)));
}
float of_float(const std::string& instruction, const float input) {
  const auto out = run_line(
      "cvt.u32.u64 %r1, %rd2;\nmov.b32 %f1, %r1;\n" + instruction + "\nmov.b32 %r2, %f2;\ncvt.u64.u32 %rd3, %r2;",
      bits(input));
  return std::bit_cast<float>(static_cast<std::uint32_t>(out));
}

TEST(PtxInstructions, FmaRoundsOnce) {
  // (1 + e)(1 - e) - 1 = -e^2 exactly; with a rounded product it would be 0.
  const double e = 0x1p-30;
  EXPECT_EQ(of_double("mov.f64 %fd3, 0d3FEFFFFFFF800000;\nfma.rn.f64 %fd2, %fd1, %fd3, 0dBFF0000000000000;", 1 + e),
            -e * e);
  // A product just above half an ulp of the addend: exact in double, but rounding the sum to double first would lose
  // it.
  EXPECT_EQ(of_float("mov.f32 %f3, 0f3F800001;\nfma.rn.f32 %f2, %f1, %f3, 0f4B800000;", 1.0f), 0x1.000002p24f);
}

TEST(PtxInstructions, UnderflowIsGradual) {
  EXPECT_EQ(of_float("mul.rn.f32 %f2, %f1, %f1;", 0x1p-70f), 0x1p-140f);
  EXPECT_EQ(of_double("mul.rn.f64 %fd2, %fd1, %fd1;", 0x1p-530), 0x1p-1060);
}

TEST(PtxInstructions, DivisionAndRootAreCorrectlyRounded) {
  EXPECT_EQ(of_double("div.rn.f64 %fd2, 0d3FF0000000000000, %fd1;", 3.0), 0x1.5555555555555p-2);
  EXPECT_EQ(of_double("sqrt.rn.f64 %fd2, %fd1;", 2.0), 0x1.6a09e667f3bcdp+0);
  EXPECT_EQ(of_float("sqrt.rn.f32 %f2, %f1;", 2.0f), 0x1.6a09e6p+0f);
}

TEST(PtxInstructions, NanAndSignedZero) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(of_float("max.f32 %f2, %f1, 0f40000000;", nan), 2.0f);
  EXPECT_EQ(bits(of_float("add.rn.f32 %f2, %f1, 0f40000000;", nan)), 0x7fffffffu);
  EXPECT_TRUE(std::signbit(of_float("min.f32 %f2, %f1, 0f80000000;", 0.0f)));
  EXPECT_FALSE(std::signbit(of_float("max.f32 %f2, %f1, 0f80000000;", 0.0f)));
  const std::string chosen = "selp.f32 %f2, 0f3F800000, 0f00000000, %p1;";
  EXPECT_EQ(of_float("setp.neu.f32 %p1, %f1, %f1;\n" + chosen, nan), 1.0f);
  EXPECT_EQ(of_float("setp.ne.f32 %p1, %f1, %f1;\n" + chosen, nan), 0.0f);
  EXPECT_EQ(of_float("setp.gtu.f32 %p1, %f1, 0f00000000;\n" + chosen, nan), 1.0f);
}

TEST(PtxInstructions, ConversionsRoundAndSaturate) {
  const auto to_int = [](const double value) {
    return static_cast<std::int32_t>(
        run_line("mov.b64 %fd1, %rd2;\ncvt.rzi.s32.f64 %r1, %fd1;\ncvt.u64.u32 %rd3, %r1;", bits(value)));
  };
  EXPECT_EQ(to_int(-2.9), -2);
  EXPECT_EQ(to_int(1e300), std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(to_int(-1e300), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(to_int(std::nan("")), 0);
  EXPECT_EQ(of_double("cvt.rni.f64.f64 %fd2, %fd1;", 2.5), 2.0);
  EXPECT_EQ(run_line("cvt.rn.f32.u64 %f1, %rd2;\nmov.b32 %r1, %f1;\ncvt.u64.u32 %rd3, %r1;", 0x1000001u),
            bits(0x1p24f));
  EXPECT_EQ(run_line("cvt.s64.s8 %rd3, %rd2;", 0x80), std::uint64_t(-128));
}

TEST(PtxInstructions, Integers) {
  EXPECT_EQ(run_line("mul.hi.u64 %rd3, %rd2, %rd2;", std::uint64_t{1} << 40), std::uint64_t{1} << 16);
  EXPECT_EQ(run_line("cvt.u32.u64 %r1, %rd2;\nmul.wide.s32 %rd3, %r1, -3;", 5), std::uint64_t(-15));
  EXPECT_EQ(run_line("cvt.u32.u64 %r1, %rd2;\nshl.b32 %r2, %r1, 32;\ncvt.u64.u32 %rd3, %r2;", 1), 0u);
  EXPECT_EQ(run_line("cvt.u32.u64 %r1, %rd2;\nshr.s32 %r2, %r1, 40;\ncvt.u64.u32 %rd3, %r2;", 0x80000000u),
            0xffffffffu);
  EXPECT_EQ(run_line("cvt.u32.u64 %r1, %rd2;\nbfe.u32 %r2, %r1, 4, 8;\ncvt.u64.u32 %rd3, %r2;", 0xabcd), 0xbcu);
  EXPECT_EQ(run_line("cvt.u32.u64 %r1, %rd2;\nprmt.b32 %r2, %r1, 0, 0x0123;\ncvt.u64.u32 %rd3, %r2;", 0x11223344),
            0x44332211u);
  EXPECT_EQ(run_line("cvt.u32.u64 %r1, %rd2;\nshf.l.wrap.b32 %r2, %r1, %r1, 8;\ncvt.u64.u32 %rd3, %r2;", 0x11223344),
            0x22334411u);
  EXPECT_EQ(run_line("mov.b64 {%r1, %r2}, %rd2;\nmov.b64 %rd3, {%r2, %r1};", 0x1111111122222222u), 0x2222222211111111u);
  EXPECT_EQ(run_line("clz.b64 %r1, %rd2;\ncvt.u64.u32 %rd3, %r1;", 1), 63u);
}

TEST(PtxInstructions, IntegerAtomicsReturnWhatWasThere) {
  const auto outputs = run_ptx(kernel_around(R"(
    ld.param.u64 %rd5, [k_param_0];
    atom.global.add.u64 %rd3, [%rd5], 2;)"),
                               std::vector<std::uint64_t>(32, 40));
  for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs[i], 40 + 2 * i);
}

TEST(PtxInstructions, WhatIsNotKnownIsRefusedEvenBehindAReturn) {
  for (const std::string line :
       {"add.ftz.f32 %f1, %f1, %f2;", "ex2.approx.f32 %f1, %f2;", "div.full.f32 %f1, %f1, %f2;",
        "add.rz.f32 %f1, %f1, %f2;", "fma.rn.sat.f32 %f1, %f1, %f2, %f2;", "sqrt.approx.f32 %f1, %f2;",
        "atom.global.add.f32 %f1, [%rd1], %f2;", "red.global.add.f64 [%rd1], %fd1;", "nonsense.b32 %r1, %r2;",
        "mov.u32 %r1, %clock;"})
    EXPECT_THROW(run_line("mov.u64 %rd3, 0;\nst.global.u64 [%rd1], %rd3;\nret;\n" + line, 0), Error) << line;
}

TEST(PtxInstructions, MemoryOfOthersIsRefused) {
  std::uint64_t on_the_host = 0;
  EXPECT_THROW(run_line("ld.global.u64 %rd3, [%rd2];", reinterpret_cast<std::uint64_t>(&on_the_host)), Error);
  EXPECT_THROW(run_line("mov.u64 %rd3, 0;\nst.global.u64 [%rd1+8], %rd3;", 0), Error);
  EXPECT_THROW(run_line("ld.global.u64 %rd3, [%rd0+4];", 0), Error);
  EXPECT_THROW(run_line("ld.shared.u64 %rd3, [room+1024];", 0), Error);
}

}  // namespace
}  // namespace bcr::test::ptx
