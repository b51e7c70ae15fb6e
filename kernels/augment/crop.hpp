#ifndef BCR_KERNELS_AUGMENT_CROP_HPP
#define BCR_KERNELS_AUGMENT_CROP_HPP

#include "kernels/augment/batch_order.hpp"

namespace bcr::kernels {

enum class Flip { never, half };

/// What lies around an image: black, or the colour that normalisation maps to 0.
enum class Border { black, mean };

/// What is done to an image besides normalisation.
struct Augmentation {
  int pad = 0;              ///< border, from which a window of the old size is cut at random
  Flip flip = Flip::never;  ///< mirrored left to right with probability 1/2
  Border border = Border::black;
};

/// The window of one image: dst(y, x) = src(y + down, (mirrored ? W - 1 - x : x) + right), the border outside of src.
struct Crop {
  int down;
  int right;
  bool mirrored;
};

/// A function of (seed, stream, pass, row) alone. The flip is drawn first, so it does not depend on the padding.
KOKKOS_INLINE_FUNCTION Crop draw_crop(const Augmentation& augmentation, const BatchOrder& order, const Sample sample) {
  Random random(order.seed, order.stream, sample.pass, sample.row);
  const bool heads = random.word() >> 31 != 0;
  const std::uint64_t offsets = 2 * static_cast<std::uint64_t>(augmentation.pad) + 1;
  const int down = static_cast<int>(random.below(offsets)) - augmentation.pad;
  const int right = static_cast<int>(random.below(offsets)) - augmentation.pad;
  return {down, right, augmentation.flip == Flip::half && heads};
}

}  // namespace bcr::kernels

#endif
