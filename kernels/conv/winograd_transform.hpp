#ifndef BCR_KERNELS_CONV_WINOGRAD_TRANSFORM_HPP
#define BCR_KERNELS_CONV_WINOGRAD_TRANSFORM_HPP

#include "kernels/conv/window.hpp"
#include "src/core/views.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace bcr::kernels::impl {

/// One channel, with the interface of Lanes.
template <class T>
struct Lane {
  T value;

  static KOKKOS_FORCEINLINE_FUNCTION Lane load(const T* const from) { return {*from}; }
  KOKKOS_FORCEINLINE_FUNCTION void store(T* const to) const { *to = value; }
  friend KOKKOS_FORCEINLINE_FUNCTION Lane operator+(const Lane& a, const Lane& b) { return {a.value + b.value}; }
  friend KOKKOS_FORCEINLINE_FUNCTION Lane operator-(const Lane& a, const Lane& b) { return {a.value - b.value}; }
};

/// to[4 r + c] = (B^T d B)[r][c], stored at to + (4 r + c) * step. Rows are read twice so that all stays in registers.
template <class Value, class T>
KOKKOS_FORCEINLINE_FUNCTION void transform_patch(const T* const (&d)[16], const std::ptrdiff_t at, T* const to,
                                                 const std::ptrdiff_t step) {
  const auto columns = [&](const int r, const Value& t0, const Value& t1, const Value& t2, const Value& t3) {
    (t0 - t2).store(to + (4 * r + 0) * step);
    (t1 + t2).store(to + (4 * r + 1) * step);
    (t2 - t1).store(to + (4 * r + 2) * step);
    (t1 - t3).store(to + (4 * r + 3) * step);
  };
  const auto load = [&](const int r, const int c) { return Value::load(d[4 * r + c] + at); };
  columns(0, load(0, 0) - load(2, 0), load(0, 1) - load(2, 1), load(0, 2) - load(2, 2), load(0, 3) - load(2, 3));
  columns(1, load(1, 0) + load(2, 0), load(1, 1) + load(2, 1), load(1, 2) + load(2, 2), load(1, 3) + load(2, 3));
  columns(2, load(2, 0) - load(1, 0), load(2, 1) - load(1, 1), load(2, 2) - load(1, 2), load(2, 3) - load(1, 3));
  columns(3, load(1, 0) - load(3, 0), load(1, 1) - load(3, 1), load(1, 2) - load(3, 2), load(1, 3) - load(3, 3));
}

/// y = A^T M A from M[4 r + c] at from + (4 r + c) * step.
template <class Value, class T>
KOKKOS_FORCEINLINE_FUNCTION void transform_products(const T* const from, const std::ptrdiff_t step, Value (&y)[2][2]) {
  const auto load = [&](const int r, const int c) { return Value::load(from + (4 * r + c) * step); };
  const auto upper = [&](const int c) { return (load(0, c) + load(1, c)) + load(2, c); };
  const auto lower = [&](const int c) { return (load(1, c) - load(2, c)) - load(3, c); };
  const auto finish = [](const Value& s0, const Value& s1, const Value& s2, const Value& s3, Value(&row)[2]) {
    row[0] = (s0 + s1) + s2;
    row[1] = (s1 - s2) - s3;
  };
  finish(upper(0), upper(1), upper(2), upper(3), y[0]);
  finish(lower(0), lower(1), lower(2), lower(3), y[1]);
}

/// u = G g G^T for the kernel g[3 r + c].
template <class T>
KOKKOS_INLINE_FUNCTION void transform_kernel(const T (&g)[9], T (&u)[16]) {
  T t[4][3];
  for (int c = 0; c < 3; ++c) {
    const T outer = g[c] + g[6 + c];
    t[0][c] = g[c];
    t[1][c] = T(0.5) * (outer + g[3 + c]);
    t[2][c] = T(0.5) * (outer - g[3 + c]);
    t[3][c] = g[6 + c];
  }
  for (int r = 0; r < 4; ++r) {
    const T outer = t[r][0] + t[r][2];
    u[4 * r + 0] = t[r][0];
    u[4 * r + 1] = T(0.5) * (outer + t[r][1]);
    u[4 * r + 2] = T(0.5) * (outer - t[r][1]);
    u[4 * r + 3] = t[r][2];
  }
}

/// A tile: its image and its first output.
struct TilePlace {
  std::ptrdiff_t n;
  int h;
  int w;
};

/// The work on transformed kernels [blocks, 16, C, channel_block]. A tile is 2 x 2 outputs; tiles are numbered over
/// images, rows and columns.
template <class Exec, class T>
struct Winograd {
  int pad;
  ConstTensor4<T, Exec> src;
  ConstVector<T, Exec> kernels;
  ConstVector<T, Exec> bias;
  Tensor4<T, Exec> dst;
  ChainStart start;

  KOKKOS_INLINE_FUNCTION int tile_rows() const { return (dst.extent_int(1) + 1) / 2; }
  KOKKOS_INLINE_FUNCTION int tile_columns() const { return (dst.extent_int(2) + 1) / 2; }
  KOKKOS_INLINE_FUNCTION int tiles() const { return dst.extent_int(0) * tile_rows() * tile_columns(); }

  KOKKOS_INLINE_FUNCTION TilePlace place(const int tile) const {
    const int row = tile / tile_columns();
    return {row / tile_rows(), 2 * (row % tile_rows()), 2 * (tile % tile_columns())};
  }

  /// Where the 4 x 4 patch of a tile begins, pixel by pixel; `zeros` stands for pixels outside the image.
  KOKKOS_INLINE_FUNCTION void find_patch(const TilePlace& tile, const T* const zeros, const T* (&patch)[16]) const {
    const int height = src.extent_int(1);
    const int width = src.extent_int(2);
    const std::ptrdiff_t channels = src.extent_int(3);
    const T* const image = src.data() + tile.n * height * width * channels;
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c) {
        const int y = tile.h + r - pad;
        const int x = tile.w + c - pad;
        const bool inside = y >= 0 && y < height && x >= 0 && x < width;
        patch[4 * r + c] = inside ? image + (static_cast<std::ptrdiff_t>(y) * width + x) * channels : zeros;
      }
  }

  /// Stores the outputs y of a tile from channel `channel` on, those that lie inside the image.
  template <class Value>
  KOKKOS_INLINE_FUNCTION void store(const TilePlace& tile, const int channel, const Value (&y)[2][2]) const {
    const int height = dst.extent_int(1);
    const int width = dst.extent_int(2);
    const std::ptrdiff_t channels = dst.extent_int(3);
    T* const corner = dst.data() + ((tile.n * height + tile.h) * width + tile.w) * channels + channel;
    for (int r = 0; r < 2 && tile.h + r < height; ++r)
      for (int c = 0; c < 2 && tile.w + c < width; ++c) {
        T* const to = corner + (r * width + c) * channels;
        if (start == ChainStart::zero) {
          y[r][c].store(to);
        } else {
          (y[r][c] + Value::load(start == ChainStart::bias ? bias.data() + channel : to)).store(to);
        }
      }
  }
};

}  // namespace bcr::kernels::impl

#endif
