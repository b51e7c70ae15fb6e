#include "tests/ptx/test_executor.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace bcr::test::ptx {
namespace {

/// The counts of the kernel around a few lines for `blocks` blocks of 32 threads, of which at most `most` run.
Counts counts_of(const std::string& body, const unsigned blocks = 1, const std::size_t most = 1000) {
  DeviceMemory memory;
  LoadedModule module(kernel_around(body), memory);
  const std::size_t bytes = 32 * blocks * sizeof(std::uint64_t) * 40;  // room for strides
  void* const in = memory.allocate(bytes);
  void* const out = memory.allocate(bytes);
  const void* const arguments[] = {static_cast<const void*>(&in), static_cast<const void*>(&out)};
  return count_kernel(module.kernel("k"), memory, {.grid = {blocks}, .threads = {32}}, arguments, most);
}

/// What the lines add to those around them.
Counts own_counts(const std::string& body) {
  Counts counts = counts_of("mov.u64 %rd3, 0;" + body);
  Counts around = counts_of("mov.u64 %rd3, 0;");
  std::vector<std::uint64_t> values;
  for_each_count(around, [&](const char*, const std::uint64_t value) { values.push_back(value); });
  std::size_t i = 0;
  for_each_count(counts, [&](const char*, std::uint64_t& value) { value -= values[i++]; });
  return counts;
}

/// %rd4: a place in `in` for every thread, `stride` bytes apart.
std::string place(const int stride) {
  return "ld.param.u64 %rd4, [k_param_0];\nmul.wide.u32 %rd5, %r0, " + std::to_string(stride) +
         ";\nadd.u64 %rd4, %rd4, %rd5;\n";
}

/// %r2: a place in shared memory for every thread, `stride` bytes apart.
std::string shared_place(const int stride) {
  return "mov.u32 %r2, room;\nmul.lo.u32 %r3, %r0, " + std::to_string(stride) + ";\nadd.u32 %r2, %r2, %r3;\n";
}

TEST(PtxCounter, CountsArithmeticByKindAndPrecision) {
  const Counts counts = own_counts(R"(
    fma.rn.f32 %f1, %f2, %f3, %f4;
    fma.rn.f32 %f1, %f2, %f3, %f4;
    fma.rn.f64 %fd1, %fd2, %fd3, %fd4;
    add.rn.f32 %f1, %f2, %f3;
    mul.rn.f64 %fd1, %fd2, %fd3;
    div.rn.f32 %f1, %f2, %f3;
    sqrt.rn.f64 %fd1, %fd2;
    cvt.f64.f32 %fd1, %f2;)");
  EXPECT_EQ(counts.fma32_lanes, 64u);
  EXPECT_EQ(counts.fma64_lanes, 32u);
  EXPECT_EQ(counts.float32, 3u);
  EXPECT_EQ(counts.float64, 3u);
  EXPECT_EQ(counts.root32, 1u);
  EXPECT_EQ(counts.root64, 1u);
  EXPECT_EQ(counts.instructions, 6u + 10u + 20u);
}

TEST(PtxCounter, LanesThatDoNotActAreNotCounted) {
  const Counts counts = own_counts(R"(
    setp.lt.u32 %p1, %r0, 5;
    @%p1 fma.rn.f32 %f1, %f2, %f3, %f4;)");
  EXPECT_EQ(counts.fma32_lanes, 5u);
  EXPECT_EQ(counts.float32, 1u);
}

TEST(PtxCounter, NeighboursShareSectors) {
  const Counts counts = own_counts(place(4) + "ld.global.f32 %f1, [%rd4];");
  EXPECT_EQ(counts.global_loads, 1u);
  EXPECT_EQ(counts.global_load_sectors, 4u);
  EXPECT_EQ(counts.global_load_bytes, 128u);
  EXPECT_EQ(counts.longest_loads, 1u);
}

TEST(PtxCounter, StridesTouchASectorEach) {
  EXPECT_EQ(own_counts(place(8) + "ld.global.f32 %f1, [%rd4];").global_load_sectors, 8u);
  EXPECT_EQ(own_counts(place(32) + "ld.global.f32 %f1, [%rd4];").global_load_sectors, 32u);
  EXPECT_EQ(own_counts(place(0) + "ld.global.f32 %f1, [%rd4];").global_load_sectors, 1u);
  EXPECT_EQ(own_counts(place(16) + "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4];").global_load_sectors, 16u);
  EXPECT_EQ(own_counts(place(4) + "st.global.f32 [%rd4], %f1;").global_store_sectors, 4u);
}

TEST(PtxCounter, ABlockReadsASectorOnce) {
  // The kernel around has read the same 256 bytes.
  EXPECT_EQ(counts_of("mov.u64 %rd3, 0;").block_read_sectors, 8u);
  EXPECT_EQ(own_counts(place(8) + "ld.global.u64 %rd6, [%rd4];").block_read_sectors, 0u);
}

TEST(PtxCounter, BanksConflict) {
  const auto passes = [](const int stride) {
    const Counts counts = own_counts(shared_place(stride) + "ld.shared.f32 %f1, [%r2];");
    EXPECT_EQ(counts.shared_loads, 1u);
    EXPECT_EQ(counts.shared_load_least_passes, 1u);
    return counts.shared_load_passes;
  };
  EXPECT_EQ(passes(4), 1u);
  EXPECT_EQ(passes(0), 1u);   // one word for all
  EXPECT_EQ(passes(8), 2u);   // every second bank
  EXPECT_EQ(passes(32), 8u);  // every eighth
  EXPECT_EQ(passes(12), 1u);  // an odd number of words
}

TEST(PtxCounter, WideAccessesOfSharedMemoryTakeSeveralPasses) {
  const Counts vector = own_counts(shared_place(16) + "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r2];");
  EXPECT_EQ(vector.shared_load_passes, 4u);
  EXPECT_EQ(vector.shared_load_least_passes, 4u);
  const Counts strided = own_counts(shared_place(32) + "st.shared.f64 [%r2], %fd1;");
  EXPECT_EQ(strided.shared_store_least_passes, 2u);
  EXPECT_EQ(strided.shared_store_passes, 8u);  // sixteen lanes on four pairs of banks, twice
}

TEST(PtxCounter, GenericAddressesCountWhereTheyLead) {
  const Counts counts = own_counts(shared_place(4) + R"(
    cvt.u64.u32 %rd6, %r2;
    cvta.shared.u64 %rd7, %rd6;
    ld.f32 %f1, [%rd7];)");
  EXPECT_EQ(counts.shared_loads, 1u);
  EXPECT_EQ(counts.global_loads, 0u);
}

TEST(PtxCounter, CountsBarriersOnceForABlock) {
  EXPECT_EQ(own_counts("bar.sync 0;\nbar.sync 0;").barriers, 2u);
}

TEST(PtxCounter, SampledBlocksStandForTheGrid) {
  // Every block reads 256 bytes of its own and the first 32 bytes of all.
  const std::string body = "ld.param.u64 %rd4, [k_param_0];\nld.global.u64 %rd3, [%rd4];";
  const Counts all = counts_of(body, 64);
  EXPECT_EQ(all.blocks, 64u);
  EXPECT_EQ(all.launch_read_sectors, 64u * 8u);
  const Counts sampled = counts_of(body, 64, 8);
  EXPECT_EQ(sampled.blocks, 8u);
  EXPECT_EQ(sampled.launch_write_sectors, 64u * 8u);
  EXPECT_EQ(sampled.launch_read_sectors, 64u * 8u + 1u);  // the common sector, and eight of each block
}

}  // namespace
}  // namespace bcr::test::ptx
