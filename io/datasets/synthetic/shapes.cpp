#include "io/datasets/synthetic/painters.hpp"

#include <algorithm>
#include <limits>

namespace bcr::io::synthetic {

namespace {

// Edges are made soft by 2 x 2 samples per pixel.
constexpr int samples = 2;

/// A disc in sample coordinates, its colour and how its light changes per sample.
struct Leaf {
  int centre_y = 0;
  int centre_x = 0;
  std::int64_t radius_square = 0;
  Colour colour;
  int slope_y = 0;
  int slope_x = 0;
};

/// p(r) ~ r^-3 on [a, b] has the distribution function (1 - a^2/r^2) / (1 - a^2/b^2), hence r^2 = a^2 / (1 - u (1 -
/// a^2/b^2)).
Leaf draw_leaf(Random& random, const int side) {
  const std::int64_t smallest_square = 4;
  const std::int64_t largest_square = std::int64_t{side} * side / 9;
  const std::int64_t u = static_cast<std::int64_t>(random.below(65536));
  const std::int64_t range = 65536 - 65536 * smallest_square / largest_square;
  Leaf leaf;
  leaf.radius_square = smallest_square * 65536 / (65536 - (u * range >> 16));
  leaf.centre_y = between(random, -side / 8, side + side / 8);
  leaf.centre_x = between(random, -side / 8, side + side / 8);
  leaf.colour = natural_colour(random);
  leaf.slope_y = between(random, -64, 64);
  leaf.slope_x = between(random, -64, 64);
  return leaf;
}

Colour shaded(const Leaf& leaf, const int y, const int x, const int side) {
  Colour colour = leaf.colour;
  colour.light += (leaf.slope_y * (y - leaf.centre_y) + leaf.slope_x * (x - leaf.centre_x)) / side;
  return colour;
}

/// The mean of the samples of each pixel.
void average_samples(const std::vector<Colour>& field, Canvas& canvas) {
  const std::size_t side = canvas.size * samples;
  for (std::size_t y = 0; y < canvas.size; ++y) {
    for (std::size_t x = 0; x < canvas.size; ++x) {
      Colour sum;
      for (std::size_t s = 0; s < samples * samples; ++s) {
        const Colour& sample = field[(y * samples + s / samples) * side + x * samples + s % samples];
        sum.light += sample.light;
        sum.red_green += sample.red_green;
        sum.blue_yellow += sample.blue_yellow;
      }
      constexpr int all = samples * samples;
      canvas.set(y, x, {sum.light / all, sum.red_green / all, sum.blue_yellow / all});
    }
  }
}

}  // namespace

void paint_dead_leaves(const Seed& seed, Canvas& canvas) {
  Random random = seed.random("synthetic/dead-leaves");
  const int side = static_cast<int>(canvas.size) * samples;
  const Colour ground = natural_colour(random);
  std::vector<Colour> field(static_cast<std::size_t>(side) * side, ground);
  std::vector<std::uint8_t> covered(field.size(), 0);
  std::size_t open = field.size();
  // From the front to the back: the first leaf over a sample is the one that is seen. The bound only ends the rare
  // case of a sample that no leaf finds.
  for (int drawn = 0; drawn < 4096 && open > 0; ++drawn) {
    const Leaf leaf = draw_leaf(random, side);
    int radius = 1;
    while (std::int64_t{radius} * radius < leaf.radius_square) ++radius;
    for (int y = std::max(0, leaf.centre_y - radius); y < std::min(side, leaf.centre_y + radius + 1); ++y) {
      for (int x = std::max(0, leaf.centre_x - radius); x < std::min(side, leaf.centre_x + radius + 1); ++x) {
        const std::int64_t dy = y - leaf.centre_y;
        const std::int64_t dx = x - leaf.centre_x;
        const std::size_t i = static_cast<std::size_t>(y) * side + x;
        if (covered[i] != 0 || dy * dy + dx * dx > leaf.radius_square) continue;
        covered[i] = 1;
        field[i] = shaded(leaf, y, x, side);
        --open;
      }
    }
  }
  average_samples(field, canvas);
}

void paint_cells(const Seed& seed, Canvas& canvas) {
  Random random = seed.random("synthetic/cells");
  const int side = static_cast<int>(canvas.size) * samples;
  std::vector<Leaf> sites(static_cast<std::size_t>(between(random, 4, 20)));
  std::vector<int> texture_contrast;
  for (Leaf& site : sites) {
    site = draw_leaf(random, side);
    texture_contrast.push_back(between(random, 0, 40));
  }
  Random texture_random = seed.random("synthetic/cells", 1);
  const std::vector<int> texture = fractal_noise(texture_random, canvas.size);
  std::vector<Colour> field(static_cast<std::size_t>(side) * side);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      std::size_t nearest = 0;
      std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
      for (std::size_t s = 0; s < sites.size(); ++s) {
        const std::int64_t dy = y - sites[s].centre_y;
        const std::int64_t dx = x - sites[s].centre_x;
        if (dy * dy + dx * dx >= smallest) continue;
        smallest = dy * dy + dx * dx;
        nearest = s;
      }
      Colour colour = shaded(sites[nearest], y, x, side);
      const std::size_t pixel = static_cast<std::size_t>(y / samples) * canvas.size + x / samples;
      colour.light += texture[pixel] * texture_contrast[nearest] / 1024;
      field[static_cast<std::size_t>(y) * side + x] = colour;
    }
  }
  average_samples(field, canvas);
}

}  // namespace bcr::io::synthetic
