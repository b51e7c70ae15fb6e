#ifndef BCR_TESTS_REFERENCE_AUGMENT_HPP
#define BCR_TESTS_REFERENCE_AUGMENT_HPP

#include "kernels/augment/augment.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace bcr::reference {

struct ImageExtents {
  int height;
  int width;
  int channels;

  std::size_t size() const { return static_cast<std::size_t>(height) * width * channels; }
};

/// One image as a plain loop: (u / 255 - mean) / std as the documented fma, in a frame of black as it is normalised or
/// of the mean, which is 0; cut the window of the same size at (pad + down, pad + right), mirror it if heads.
template <class T>
std::vector<T> augmented_image(const std::vector<std::uint8_t>& src, const ImageExtents& image, const int pad,
                               const int down, const int right, const bool mirrored, const kernels::Border border,
                               const kernels::Normalisation<T>& normalisation) {
  const int height = image.height + 2 * pad;
  const int width = image.width + 2 * pad;
  const auto normalised = [&](const std::uint8_t u, const int c) {
    return std::fma(T(u), normalisation.scale[c], normalisation.shift[c]);
  };
  std::vector<T> padded;
  for (int i = 0; i < height * width * image.channels; ++i)
    padded.push_back(border == kernels::Border::mean ? T(0) : normalised(0, i % image.channels));
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      for (int c = 0; c < image.channels; ++c)
        padded[((y + pad) * width + x + pad) * image.channels + c] =
            normalised(src[(y * image.width + x) * image.channels + c], c);
  std::vector<T> dst;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      for (int c = 0; c < image.channels; ++c) {
        const int column = mirrored ? image.width - 1 - x : x;
        dst.push_back(padded[((y + pad + down) * width + column + pad + right) * image.channels + c]);
      }
  return dst;
}

/// Position p of an endless sequence of shuffled passes, and the crop of what stands there, from the generator.
template <class T>
std::vector<T> augmented_position(const std::vector<std::uint8_t>& set, const ImageExtents& image,
                                  const std::uint64_t count, const std::uint64_t seed, const Stream stream,
                                  const std::uint64_t position, const kernels::Augmentation& augmentation,
                                  const kernels::Normalisation<T>& normalisation) {
  const auto pass = static_cast<std::uint32_t>(position / count);
  const std::uint64_t row = Permutation(count, seed, stream, pass)(position % count);
  Random random(seed, stream, pass, row);
  const bool heads = random.word() >= 0x80000000u;
  const int down = static_cast<int>(random.below(2 * augmentation.pad + 1)) - augmentation.pad;
  const int right = static_cast<int>(random.below(2 * augmentation.pad + 1)) - augmentation.pad;
  const auto begin = set.begin() + static_cast<std::ptrdiff_t>(row * image.size());
  const std::vector<std::uint8_t> src(begin, begin + static_cast<std::ptrdiff_t>(image.size()));
  return augmented_image(src, image, augmentation.pad, down, right, heads && augmentation.flip == kernels::Flip::half,
                         augmentation.border, normalisation);
}

}  // namespace bcr::reference

#endif
