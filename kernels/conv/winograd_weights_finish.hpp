#ifndef BCR_KERNELS_CONV_WINOGRAD_WEIGHTS_FINISH_HPP
#define BCR_KERNELS_CONV_WINOGRAD_WEIGHTS_FINISH_HPP

#include "kernels/conv/chunks.hpp"
#include "kernels/conv/winograd.hpp"
#include "kernels/conv/winograd_transform.hpp"
#include "kernels/conv/winograd_weights_sums.hpp"

#include <algorithm>

namespace bcr::kernels::impl {

/// How chunks of so many images are worked on.
template <class T, class DiffDst, class Weights>
ChunkPasses passes_of(const int images, const DiffDst& diff_dst, const Weights& weights) {
  return ChunkPasses::of<T>(blocks_of(diff_dst.extent_int(0), images), 16 * weights.extent(2), weights.extent_int(3));
}

/// Calls run(sums) for as many blocks at a time as the workspace holds.
template <class Exec, class T, class Run>
void for_each_pass(const int pad, const int images, const ConstTensor4<T, Exec>& src,
                   const ConstTensor4<T, Exec>& diff_dst, const Tensor4<T, Exec>& diff_weights,
                   const Vector<T, Exec>& workspace, const Run& run) {
  const ChunkPasses passes = passes_of<T>(images, diff_dst, diff_weights);
  const auto grid = TileGrid::of(diff_dst);
  for (int block = 0; block < passes.all_blocks; block += passes.blocks)
    run(WinogradWeightsSums<Exec, T>{.pad = pad,
                                     .src = src,
                                     .diff_dst = diff_dst,
                                     .sums = workspace,
                                     .grid = grid,
                                     .tiles_per_chunk = images * grid.rows * grid.columns,
                                     .chunks = passes.chunks,
                                     .first_block = block,
                                     .blocks = std::min(passes.blocks, passes.all_blocks - block)});
}

/// Joins the chunks of all 16 matrices and transforms them, `width` neighbouring (input channel, lane) at a time.
template <int width, class Exec, class T>
class FinishWeights {
  static constexpr int lanes = channel_block<T>;

 public:
  FinishWeights(const WinogradWeightsSums<Exec, T>& sums, const Tensor4<T, Exec>& diff_weights)
      : sums_(sums),
        diff_weights_(diff_weights),
        block_size_(sums.src.extent_int(3) * lanes),
        items_per_block_(blocks_of(block_size_, width)) {}

  void launch(const Exec& exec) const {
    Kokkos::parallel_for("bcr::kernels::winograd_backward_weights::join",
                         Kokkos::RangePolicy<Exec>(exec, 0, sums_.blocks * items_per_block_), *this);
  }

  KOKKOS_FUNCTION void operator()(const int index) const {
    const int block = index / items_per_block_;
    const int first = index % items_per_block_ * width;
    const int count = block_size_ - first < width ? block_size_ - first : width;
    T joined[16][width];
    for (int i = 0; i < 16; ++i)
      join_chunks(sums_.sums.data() + sums_.offset(0, block, i) + first, sums_.offset(1, 0, 0), sums_.chunks, count,
                  joined[i]);
    for (int k = 0; k < count; ++k) {
      const int ic = (first + k) / lanes;
      const int oc = (sums_.first_block + block) * lanes + (first + k) % lanes;
      if (oc >= diff_weights_.extent_int(3)) continue;
      T m[16];
      T g[9];
      for (int i = 0; i < 16; ++i) m[i] = joined[i][k];
      transform_sums(m, g);
      for (int tap = 0; tap < 9; ++tap) diff_weights_(tap / 3, tap % 3, ic, oc) = g[tap];
    }
  }

 private:
  WinogradWeightsSums<Exec, T> sums_;
  Tensor4<T, Exec> diff_weights_;
  int block_size_;
  int items_per_block_;
};

}  // namespace bcr::kernels::impl

#endif
