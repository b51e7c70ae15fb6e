#ifndef BCR_KERNELS_CONV_WINOGRAD_TILES_HPP
#define BCR_KERNELS_CONV_WINOGRAD_TILES_HPP

#include "kernels/conv/epilogue.hpp"
#include "kernels/conv/lanes.hpp"
#include "kernels/conv/window.hpp"
#include "src/core/views.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace bcr::kernels::impl {

/// A tile: its image and its first output.
struct TilePlace {
  std::ptrdiff_t n;
  int h;
  int w;
};

/// The tiles of 2 x 2 outputs, numbered over images, rows and columns.
struct TileGrid {
  int images;
  int rows;
  int columns;

  template <class Outputs>
  static TileGrid of(const Outputs& outputs) {
    return {outputs.extent_int(0), (outputs.extent_int(1) + 1) / 2, (outputs.extent_int(2) + 1) / 2};
  }

  KOKKOS_INLINE_FUNCTION int size() const { return images * rows * columns; }

  KOKKOS_INLINE_FUNCTION TilePlace place(const int tile) const {
    const int row = tile / columns;
    return {row / rows, 2 * (row % rows), 2 * (tile % columns)};
  }
};

/// Where the side x side pixels from (h, w) on begin in image n; `zeros` stands for those outside the image.
template <int side, class View, class T>
KOKKOS_INLINE_FUNCTION void find_pixels(const View& view, const std::ptrdiff_t n, const int h, const int w,
                                        const T* const zeros, const T* (&pixels)[side * side]) {
  const int height = view.extent_int(1);
  const int width = view.extent_int(2);
  const std::ptrdiff_t channels = view.extent_int(3);
  const T* const image = view.data() + n * height * width * channels;
  if (h >= 0 && h + side <= height && w >= 0 && w + side <= width) {
    const T* const corner = image + (static_cast<std::ptrdiff_t>(h) * width + w) * channels;
    for (int r = 0; r < side; ++r)
      for (int c = 0; c < side; ++c)
        pixels[side * r + c] = corner + (static_cast<std::ptrdiff_t>(r) * width + c) * channels;
    return;
  }
  for (int r = 0; r < side; ++r)
    for (int c = 0; c < side; ++c) {
      const bool inside = h + r >= 0 && h + r < height && w + c >= 0 && w + c < width;
      pixels[side * r + c] = inside ? image + (static_cast<std::ptrdiff_t>(h + r) * width + w + c) * channels : zeros;
    }
}

/// Pixels first, ..., first + count - 1 along an axis.
struct PixelRange {
  int first;
  int count;
};

/// Asks for pixels of image n as far as they lie inside it: channels first, ..., first + count - 1. The rows of an
/// image are often whole pages, which the prefetcher of the hardware does not cross. Host only.
template <class View>
void prefetch_pixels(const View& view, const std::ptrdiff_t n, const PixelRange& rows, const PixelRange& columns,
                     const int first, const int count) {
  using T = typename View::non_const_value_type;
  for (int r = rows.first; r < rows.first + rows.count; ++r)
    for (int c = columns.first; c < columns.first + columns.count; ++c) {
      if (r < 0 || r >= view.extent_int(1) || c < 0 || c >= view.extent_int(2)) continue;
      for (int i = 0; i < count; i += channel_block<T>) prefetch(&view(n, r, c, first + i));
    }
}

/// The same for the patch of a tile; its first rows and columns were read with the tiles before, if there are such.
template <class View>
void prefetch_patch(const View& view, const TilePlace& tile, const int pad, const int first, const int count) {
  const PixelRange rows = tile.h == 0 ? PixelRange{-pad, 4} : PixelRange{tile.h - pad + 2, 2};
  const PixelRange columns = tile.w == 0 ? PixelRange{-pad, 4} : PixelRange{tile.w - pad + 2, 2};
  prefetch_pixels(view, tile.n, rows, columns, first, count);
}

/// The work on transformed kernels [blocks, 16, C, channel_block].
template <class Exec, class T>
struct Winograd {
  int pad;
  ConstTensor4<T, Exec> src;
  ConstVector<T, Exec> kernels;
  ConstVector<T, Exec> bias;
  Tensor4<T, Exec> dst;
  ChainStart start;
  Epilogue<Exec, T> epilogue{};

  /// The 4 x 4 patch that a tile reads.
  KOKKOS_INLINE_FUNCTION void find_patch(const TilePlace& tile, const T* const zeros, const T* (&patch)[16]) const {
    find_pixels<4>(src, tile.n, tile.h - pad, tile.w - pad, zeros, patch);
  }

  /// Stores the outputs y of a tile from channel `channel` on, those that lie inside the image, or what the epilogue
  /// makes of them.
  template <class Value>
  KOKKOS_INLINE_FUNCTION void store(const TilePlace& tile, const int channel, const Value (&y)[2][2]) const {
    if (epilogue.exists()) {
      T* const to = dst.data();
      const auto end = epilogue.template of_channel<Value>(channel);
      for_each_output(tile, channel, [&](const int r, const int c, const std::ptrdiff_t at) {
        end(with_start(y[r][c], channel, at), at).store(to + at);
      });
    } else {
      for_each_output(tile, channel, [&](const int r, const int c, const std::ptrdiff_t at) {
        with_start(y[r][c], channel, at).store(dst.data() + at);
      });
    }
  }

 private:
  /// Calls visit(row, column, place in dst) for the outputs of a tile that lie inside the image.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_output(const TilePlace& tile, const int channel, const Visit& visit) const {
    const int height = dst.extent_int(1);
    const int width = dst.extent_int(2);
    const std::ptrdiff_t channels = dst.extent_int(3);
    const std::ptrdiff_t corner = ((tile.n * height + tile.h) * width + tile.w) * channels + channel;
    for (int r = 0; r < 2 && tile.h + r < height; ++r)
      for (int c = 0; c < 2 && tile.w + c < width; ++c) visit(r, c, corner + (r * width + c) * channels);
  }

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value with_start(const Value& y, const int channel, const std::ptrdiff_t at) const {
    if (start == ChainStart::zero) return y;
    return y + Value::load(start == ChainStart::bias ? bias.data() + channel : dst.data() + at);
  }
};

}  // namespace bcr::kernels::impl

#endif
