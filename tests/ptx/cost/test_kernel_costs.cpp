// What kernels cost on a device, counted by the executor: numbers that can be known beforehand, and bounds that a change
// for the worse breaks. Of time nothing is said here (docs/gpu_cost.md).
#include "kernels/conv/convolution.hpp"
#include "kernels/conv/winograd.hpp"
#include "kernels/norm/batch_norm_forward.hpp"
#include "tests/ptx/runtime/cost_ledger.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace bcr::test {
namespace {

using Exec = Kokkos::Cuda;
using kernels::ChainStart;
using ptx::CostLedger;

/// The launch of this label among those since the last call.
CostLedger::Row cost_of(const std::string& label) {
  CostLedger::Row found;
  for (auto& row : CostLedger::instance().take_rows())
    if (row.label == "bcr::kernels::" + label) found = row;
  EXPECT_GT(found.launches, 0) << label;
  return found;
}

double ratio(const std::uint64_t part, const std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// Bounds of every kernel that multiplies: what it reads for an fma, and how it reads it.
void expect_product_bounds(const CostLedger::Row& row) {
  const auto& counts = row.counts;
  EXPECT_LE(ratio(32 * (counts.global_loads + counts.shared_loads), counts.fma32_lanes), 0.2) << row.label;
  EXPECT_LE(ratio(counts.instructions, counts.float32), 2.5) << row.label;
  EXPECT_LE(ratio(counts.shared_load_passes + counts.shared_store_passes,
                  counts.shared_load_least_passes + counts.shared_store_least_passes),
            2)
      << row.label;
  // Of the bytes that travel, at least half were asked for.
  EXPECT_LE(ratio(32 * counts.global_load_sectors, counts.global_load_bytes), 2) << row.label;
  EXPECT_EQ(counts.local_accesses, 0u) << row.label;
}

struct Layer {
  Layer(const int images, const int side, const int inputs, const int outputs)
      : src("src", images, side, side, inputs),
        weights("weights", 3, 3, inputs, outputs),
        dst("dst", images, side, side, outputs) {}

  static Vector<float, Exec> workspace(const std::size_t size) { return Vector<float, Exec>("workspace", size); }

  Tensor4<float, Exec> src, weights, dst;
};

TEST(KernelCosts, WinogradMultipliesSixteenTimesForEveryTile) {
  const Layer layer(8, 8, 64, 64);  // 128 tiles
  const auto space = Layer::workspace(kernels::winograd_forward_workspace_size<Exec, float>(layer.weights));
  kernels::winograd_forward<Exec, float>(Exec{}, 1, layer.src, layer.weights, {}, layer.dst, ChainStart::zero, space);
  const auto row = cost_of("winograd_forward");

  EXPECT_EQ(row.counts.fma32_lanes, 16u * 128u * 64u * 64u);
  EXPECT_EQ(row.counts.launch_write_sectors, layer.dst.size() * sizeof(float) / 32);
  EXPECT_EQ(row.counts.launch_read_sectors, (layer.src.size() + space.size()) * sizeof(float) / 32);
  expect_product_bounds(row);
}

TEST(KernelCosts, WinogradSumsWeightsOverEveryTile) {
  const Layer layer(8, 16, 32, 32);  // 512 tiles: one chunk
  const auto space = Layer::workspace(
      kernels::winograd_backward_weights_workspace_size<Exec, float>(layer.dst, layer.weights));
  kernels::winograd_backward_weights<Exec, float>(Exec{}, 1, layer.src, layer.dst, layer.weights, space);
  const auto row = cost_of("winograd_backward_weights");

  EXPECT_EQ(row.counts.fma32_lanes, 16u * 512u * 32u * 32u);
  expect_product_bounds(row);
}

TEST(KernelCosts, DirectConvolutionMultipliesNoPadding) {
  const Layer layer(128, 4, 16, 32);  // whole tiles of 128 pixels, of every kind of border
  const auto space = Layer::workspace(kernels::forward_workspace_size<Exec, float>(layer.weights));
  kernels::convolution_forward<Exec, float>(Exec{}, {.stride = 1, .pad = 1}, layer.src, layer.weights, {}, layer.dst,
                                            ChainStart::zero, space);
  const auto row = cost_of("convolution_forward");

  const std::uint64_t pairs = 3 * 4 - 2;  // of an output and a tap inside the image, along an axis
  EXPECT_EQ(row.counts.fma32_lanes, 128u * pairs * pairs * 16u * 32u);
  expect_product_bounds(row);
}

TEST(KernelCosts, DirectWeightsMultiplyNoPadding) {
  const Layer layer(4, 16, 32, 32);
  const auto space = Layer::workspace(kernels::backward_weights_workspace_size<Exec, float>(layer.dst, layer.weights));
  kernels::convolution_backward_weights<Exec, float>(Exec{}, {.stride = 1, .pad = 1}, layer.src, layer.dst,
                                                     layer.weights, space);
  const auto row = cost_of("convolution_backward_weights");

  const std::uint64_t pairs = 3 * 16 - 2;
  EXPECT_EQ(row.counts.fma32_lanes, 4u * pairs * pairs * 32u * 32u);
  expect_product_bounds(row);
}

TEST(KernelCosts, AMapMovesItsBytesOnce) {
  const std::size_t rows = 4096, channels = 32;
  const Matrix<float, Exec> src("src", rows, channels), dst("dst", rows, channels);
  const Vector<float, Exec> scale("scale", channels), shift("shift", channels);
  kernels::batch_norm_forward<Exec, float>(Exec{}, src, scale, shift, kernels::Activation::relu, {}, dst);
  const auto row = cost_of("batch_norm_forward");

  EXPECT_EQ(row.counts.launch_read_sectors, (src.size() + scale.size() + shift.size()) * sizeof(float) / 32);
  EXPECT_EQ(row.counts.launch_write_sectors, dst.size() * sizeof(float) / 32);
  EXPECT_EQ(row.counts.global_load_sectors, 4 * row.counts.global_loads);  // 32 neighbours, 128 bytes
  EXPECT_EQ(row.counts.global_store_sectors, 4 * row.counts.global_stores);
  EXPECT_LE(ratio(32 * row.counts.instructions, src.size()), 60);
  // A tenth of a map of WRN-40-2 already has blocks for half of an A100.
  EXPECT_GE(row.launch.grid.size(), 54u);
}

TEST(KernelCosts, SumsOfAMapHaveTeamsWithoutIdleThreads) {
  const std::size_t rows = 16384, channels = 32;
  const Matrix<float, Exec> src("src", rows, channels);
  const Vector<double, Exec> partials("partials", kernels::norm_partials(rows, channels));
  const Matrix<double, Exec> sums("sums", 2, channels);
  kernels::batch_norm_sums<Exec, float>(Exec{}, src, partials, sums);
  const auto row = cost_of("batch_norm_sums");

  EXPECT_EQ(row.counts.fma64_lanes, rows * channels);
  EXPECT_EQ(row.counts.float64 * 32, 2 * row.counts.fma64_lanes + row.counts.fma64_lanes);  // add, fma, conversion
  EXPECT_EQ(row.counts.launch_read_sectors, src.size() * sizeof(float) / 32);
  EXPECT_EQ(row.launch.threads.size(), 64u);
  EXPECT_EQ(row.launch.grid.size(), rows / 256 / 2);
}

}  // namespace
}  // namespace bcr::test

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  auto& ledger = bcr::test::ptx::CostLedger::instance();
  ledger.sample(std::numeric_limits<std::size_t>::max());
  const Kokkos::ScopeGuard guard;
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(
      [](const char* const label, std::uint32_t, std::uint64_t*) {
        bcr::test::ptx::CostLedger::instance().set_label(label);
      });
  ledger.open();
  return RUN_ALL_TESTS();
}
