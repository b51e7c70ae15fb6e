#ifndef BCR_KERNELS_CONV_PAIR_TILES_HPP
#define BCR_KERNELS_CONV_PAIR_TILES_HPP

#include "kernels/conv/bf16_pairs.hpp"

#include <cstddef>

namespace bcr::kernels::impl {

/// What is the same for all rows and blocks of a product of matrices of pairs. Steps are elements, a block is one of
/// channels.
struct PairProduct {
  const Bf16* rows;
  std::ptrdiff_t next_row;
  std::ptrdiff_t next_row_pair;  ///< from a pair of a row to its next
  const Bf16* columns;           ///< [pairs, channel_block, 2]
  std::ptrdiff_t next_columns;   ///< from those of a block to those of the next
  int pairs;
  float* sums;  ///< [rows, channel_block]
  std::ptrdiff_t next_sums;
};

/// sums[b][r][l] (+)= sum over pairs p, in turn, of rows[r][p] columns[b][p][l]: the two products of a pair and the sum
/// are added in float. rows <= tile_rows, blocks <= tile_blocks. With multiply_pairs the sums start at 0; with
/// add_pairs where they are, and the rows lie side by side (next_row = 2). Host only.
void multiply_pairs(const PairProduct& product, int rows, int blocks);
void add_pairs(const PairProduct& product, int rows, int blocks);

}  // namespace bcr::kernels::impl

#endif
