#ifndef BCR_KERNELS_CONV_WEIGHTS_TILE_HPP
#define BCR_KERNELS_CONV_WEIGHTS_TILE_HPP

#include "kernels/conv/lanes.hpp"

#include <cstddef>

namespace bcr::kernels::impl {

/// Neighbouring output pixels of one row, all inside the image for one tap.
template <class T>
struct PixelRun {
  const T* src;       ///< what the tap reads for the first pixel
  const T* diff_dst;  ///< [size, channel_block]
  int size;
};

/// sums[i][l] = fma(src[i], diff_dst[l], sums[i][l]) for every pixel of every run in turn, for i < size input channels;
/// the sources of neighbouring pixels lie src_step elements apart. size: 1 to tile_rows. Host only.
template <class T>
void add_to_weights_tile(const PixelRun<T>* runs, int run_count, int first_channel, int size, std::ptrdiff_t src_step,
                         T* sums);

}  // namespace bcr::kernels::impl

#endif
