#ifndef BCR_KERNELS_POOL_PIXEL_BLOCK_HPP
#define BCR_KERNELS_POOL_PIXEL_BLOCK_HPP

#include "kernels/pool/pool_window.hpp"
#include "src/core/launch.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace bcr::kernels::impl {

/// Channels that one thread takes together, in arrays of its own: many on a host, so that loops over them vectorise,
/// one on a device. Each channel has its own chain of operations, so the number changes speed only.
template <class Exec>
inline constexpr int pool_lanes = is_host_exec<Exec> ? 64 : 1;

/// One team per row of pixels of an image [height, width]: work(n, h, w, first channel, channels) for each pixel.
template <class Exec, class Work>
struct PixelRows {
  Work work;
  int height;
  int width;
  int channels;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    constexpr int lanes = pool_lanes<Exec>;
    const int n = team.league_rank() / height;
    const int h = team.league_rank() % height;
    const int blocks = (channels + lanes - 1) / lanes;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, width * blocks), [&](const int i) {
      const int first = i % blocks * lanes;
      work(n, h, i / blocks, first, channels - first < lanes ? channels - first : lanes);
    });
  }
};

template <class Exec, class Work>
void for_each_pixel(const char* const label, const Exec& exec, const Work& work, const int images, const int height,
                    const int width, const int channels) {
  if (images == 0 || height == 0 || width == 0 || channels == 0) return;
  Kokkos::parallel_for(label, block_policy(exec, images * height),
                       PixelRows<Exec, Work>{work, height, width, channels});
}

/// Positions [first, last) along an axis.
struct Positions {
  int first;
  int last;
};

/// The pixels of window `o` that lie inside an axis of `extent` pixels.
KOKKOS_INLINE_FUNCTION Positions pixels_of(const PoolWindow& window, const int o, const int extent) {
  const int first = o * window.stride - window.pad;
  const int last = first + window.kernel;
  return {first < 0 ? 0 : first, last < extent ? last : extent};
}

/// The windows, of `outputs` along an axis, that hold pixel p.
KOKKOS_INLINE_FUNCTION Positions windows_of(const PoolWindow& window, const int p, const int outputs) {
  const int shifted = p + window.pad;
  const int first = shifted < window.kernel ? 0 : (shifted - window.kernel) / window.stride + 1;
  const int last = shifted / window.stride + 1;
  return {first, last < outputs ? last : outputs};
}

}  // namespace bcr::kernels::impl

#endif
