#ifndef BCR_IO_DATASETS_SYNTHETIC_PAINTERS_HPP
#define BCR_IO_DATASETS_SYNTHETIC_PAINTERS_HPP

#include "src/core/random.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bcr::io::synthetic {

/// Which image: every random number is a function of these two, a stream and a lane.
struct Seed {
  std::uint64_t seed = 0;
  std::uint64_t index = 0;

  Random random(const std::string_view stream, const std::uint32_t lane = 0) const {
    return Random(seed, Stream(stream), lane, index);
  }
};

/// A colour as luminance and two opponent components, in units of one grey level. Natural colours vary mostly in
/// luminance, so the painters draw the other two from narrower ranges.
struct Colour {
  int light = 0;
  int red_green = 0;
  int blue_yellow = 0;
};

Colour natural_colour(Random& random);

/// Uniform in [low, high].
inline int between(Random& random, const int low, const int high) {
  return low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low + 1)));
}

/// A square image to fill.
struct Canvas {
  std::size_t size;
  std::span<std::uint8_t> rgb;

  /// Rounds to the range of a byte.
  void set(std::size_t y, std::size_t x, const Colour& colour);
};

/// Smooth noise over size x size points: random values of [-1024, 1024] on a lattice of the given cell width, joined by
/// the cubic 3t^2 - 2t^3 along each axis.
std::vector<int> smooth_noise(Random& random, std::size_t size, std::size_t cell);

/// Octaves of smooth noise of equal energy, from cells as wide as the image down to pixels. In two dimensions equal
/// energy per octave is a power spectrum of 1/f^2. The result has a deviation of about 1024.
std::vector<int> fractal_noise(Random& random, std::size_t size);

/// Sums of 1/f fields, a bright one and two faint ones for colour.
void paint_fractal(const Seed& seed, Canvas& canvas);

/// Discs that hide each other, radii distributed as r^-3: the "dead leaves" whose edges and occlusions give natural
/// images their heavy-tailed gradients (Lee, Mumford, Huang 2001). Each is shaded linearly.
void paint_dead_leaves(const Seed& seed, Canvas& canvas);

/// Voronoi cells, each with a colour and a texture of its own.
void paint_cells(const Seed& seed, Canvas& canvas);

/// Plane waves of random direction and frequency under smooth envelopes.
void paint_gratings(const Seed& seed, Canvas& canvas);

/// Soft bumps (1 - d^2 / r^2)^2 over a linear gradient.
void paint_blobs(const Seed& seed, Canvas& canvas);

}  // namespace bcr::io::synthetic

#endif
