#include "tests/ptx/test_executor.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace bcr::test::ptx {
namespace {

std::vector<std::uint64_t> counting(const std::size_t size) {
  std::vector<std::uint64_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  return numbers;
}

TEST(PtxFlow, EveryThreadOfEveryBlockRuns) {
  const auto outputs = run_ptx(kernel_around("add.u64 %rd3, %rd2, 7;"), counting(160), 40);
  for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs[i], i + 7);
}

TEST(PtxFlow, SidesOfABranchMeetAgain) {
  // Odd lanes take one side, even lanes the other; behind it all of them act together.
  const auto outputs = run_ptx(kernel_around(R"(
    and.b32 %r1, %r0, 1;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra $even;
    add.u64 %rd3, %rd2, 1000;
    bra.uni $joined;
  $even:
    add.u64 %rd3, %rd2, 2000;
  $joined:
    activemask.b32 %r2;
    cvt.u64.u32 %rd4, %r2;
    shl.b64 %rd4, %rd4, 32;
    or.b64 %rd3, %rd3, %rd4;)"),
                               counting(32));
  for (std::size_t i = 0; i < outputs.size(); ++i)
    EXPECT_EQ(outputs[i], (std::uint64_t{0xffffffff} << 32) | (i + (i % 2 == 0 ? 2000 : 1000)));
}

TEST(PtxFlow, LanesLeaveALoopOneByOne) {
  const auto outputs = run_ptx(kernel_around(R"(
    mov.u64 %rd3, 0;
    mov.u32 %r1, 0;
  $again:
    setp.ge.u32 %p1, %r1, %r0;
    @%p1 bra $done;
    add.u64 %rd3, %rd3, %rd2;
    add.u32 %r1, %r1, 1;
    bra.uni $again;
  $done:)"),
                               counting(64));
  for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs[i], i * i);
}

TEST(PtxFlow, BarrierJoinsTheWarpsOfABlock) {
  // 96 threads hand their input to the thread at the other end.
  const auto outputs = run_ptx(kernel_around(R"(
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, room;
    shl.b32 %r3, %r1, 3;
    add.u32 %r4, %r2, %r3;
    st.shared.u64 [%r4], %rd2;
    bar.sync 0;
    sub.u32 %r5, 95, %r1;
    shl.b32 %r5, %r5, 3;
    add.u32 %r5, %r2, %r5;
    ld.shared.u64 %rd3, [%r5];)"),
                               counting(192), 96);
  for (std::size_t i = 0; i < 96; ++i) {
    EXPECT_EQ(outputs[i], 95 - i);
    EXPECT_EQ(outputs[96 + i], 191 - i);
  }
}

TEST(PtxFlow, BarrierTellsWhetherAnyOrAllBringATruth) {
  for (const std::uint64_t truths : {0u, 1u, 64u}) {
    const auto outputs = run_ptx(kernel_around("setp.lt.u64 %p1, %rd2, " + std::to_string(truths) + R"(;
    bar.red.or.pred %p2, 0, %p1;
    bar.red.and.pred %p3, 0, %p1;
    selp.u64 %rd4, 1, 0, %p2;
    selp.u64 %rd5, 2, 0, %p3;
    add.u64 %rd3, %rd4, %rd5;)"),
                                 counting(64), 64);
    for (const auto output : outputs) EXPECT_EQ(output, (truths > 0 ? 1u : 0u) + (truths == 64 ? 2u : 0u));
  }
}

TEST(PtxFlow, ShuffleSumsAWarp) {
  std::string body = "cvt.u32.u64 %r1, %rd2;\n";
  for (const int distance : {16, 8, 4, 2, 1})
    body += "shfl.sync.bfly.b32 %r2|%p1, %r1, " + std::to_string(distance) + ", 31, -1;\nadd.u32 %r1, %r1, %r2;\n";
  const auto outputs = run_ptx(kernel_around(body + "cvt.u64.u32 %rd3, %r1;"), counting(32));
  for (const auto output : outputs) EXPECT_EQ(output, 31u * 32u / 2u);
}

TEST(PtxFlow, ShuffleWaitsForLanesThatComeLater) {
  // Lanes from 16 on arrive by a detour behind the shuffle's place in the text.
  const auto outputs = run_ptx(kernel_around(R"(
    cvt.u32.u64 %r1, %rd2;
    setp.ge.u32 %p1, %r0, 16;
    @%p1 bra $detour;
  $meet:
    shfl.sync.idx.b32 %r2, %r1, 31, 31, -1;
    cvt.u64.u32 %rd3, %r2;
    bra.uni $done;
  $detour:
    add.u32 %r1, %r1, 100;
    bra.uni $meet;
  $done:)"),
                               counting(32));
  for (const auto output : outputs) EXPECT_EQ(output, 131u);
}

TEST(PtxFlow, PartsOfAWarpMeetByThemselves) {
  // Each half names its own lanes: the shuffle of one does not see the other.
  const auto outputs = run_ptx(kernel_around(R"(
    cvt.u32.u64 %r1, %rd2;
    setp.ge.u32 %p1, %r0, 16;
    selp.b32 %r3, 0xffff0000, 0x0000ffff, %p1;
    and.b32 %r4, %r0, 16;
    shfl.sync.idx.b32 %r2, %r1, %r4, 31, %r3;
    bar.warp.sync %r3;
    cvt.u64.u32 %rd3, %r2;)"),
                               counting(32));
  for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs[i], i < 16 ? 0u : 16u);
}

TEST(PtxFlow, CallsCarryParametersAndResults) {
  const std::string square = R"(
.func (.param .b64 func_retval0) square(.param .b64 square_param_0)
{
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [square_param_0];
  mul.lo.u64 %rd2, %rd1, %rd1;
  st.param.b64 [func_retval0], %rd2;
  ret;
}
)";
  // Two places call it, for different lanes.
  const std::string call = R"({
    .param .b64 param0;
    st.param.b64 [param0], %rd4;
    .param .b64 retval0;
    call.uni (retval0), square, (param0);
    ld.param.b64 %rd3, [retval0];
  })";
  const auto outputs = run_ptx(kernel_around(R"(
    setp.lt.u32 %p1, %r0, 5;
    @%p1 bra $low;
    add.u64 %rd4, %rd2, 1;)" + call + R"(
    bra.uni $done;
  $low:
    mov.u64 %rd4, %rd2;)" + call + R"(
  $done:)",
                                             square),
                               counting(32));
  for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs[i], i < 5 ? i * i : (i + 1) * (i + 1));
}

TEST(PtxFlow, IndexedBranchFollowsItsList) {
  const auto outputs = run_ptx(kernel_around(R"(
    and.b32 %r1, %r0, 1;
  $list: .branchtargets $zero, $one;
    brx.idx %r1, $list;
  $zero:
    mov.u64 %rd3, 10;
    bra.uni $done;
  $one:
    mov.u64 %rd3, 11;
  $done:)"),
                               counting(32));
  for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(outputs[i], 10 + i % 2);
}

TEST(PtxFlow, LanesThatWaitForEverAreAnError) {
  // Half of the warp waits at the barrier, the other half for that half at a shuffle.
  EXPECT_THROW(run_ptx(kernel_around(R"(
    mov.u64 %rd3, 0;
    setp.ge.u32 %p1, %r0, 16;
    @%p1 bra $high;
    bar.sync 0;
    bra.uni $done;
  $high:
    shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;
  $done:)"),
                       counting(32)),
               Error);
}

}  // namespace
}  // namespace bcr::test::ptx
