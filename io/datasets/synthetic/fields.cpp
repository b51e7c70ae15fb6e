#include "io/datasets/synthetic/painters.hpp"

#include <algorithm>

namespace bcr::io::synthetic {

namespace {

/// 3 t^2 - 2 t^3 for t = position / cell, in units of 1 / 4096.
int smooth_step(const std::size_t position, const std::size_t cell) {
  const std::int64_t t = static_cast<std::int64_t>(position * 4096 / cell);
  return static_cast<int>(t * t * (3 * 4096 - 2 * t) >> 24);
}

}  // namespace

Colour natural_colour(Random& random) {
  Colour colour;
  colour.light = between(random, 16, 240);
  colour.red_green = between(random, -24, 24) + between(random, -24, 24);
  colour.blue_yellow = between(random, -32, 32) + between(random, -32, 32);
  return colour;
}

void Canvas::set(const std::size_t y, const std::size_t x, const Colour& colour) {
  const int channels[3] = {colour.light + colour.red_green + colour.blue_yellow / 2,
                           colour.light - colour.red_green / 2 + colour.blue_yellow / 4,
                           colour.light - colour.red_green / 4 - colour.blue_yellow};
  for (std::size_t c = 0; c < 3; ++c) {
    rgb[(y * size + x) * 3 + c] = static_cast<std::uint8_t>(std::clamp(channels[c], 0, 255));
  }
}

std::vector<int> smooth_noise(Random& random, const std::size_t size, const std::size_t cell) {
  const std::size_t points = size / cell + 3;
  std::vector<int> lattice(points * points);
  for (int& value : lattice) value = between(random, -1024, 1024);
  const std::size_t shift_y = random.below(cell);
  const std::size_t shift_x = random.below(cell);
  std::vector<int> noise(size * size);
  for (std::size_t y = 0; y < size; ++y) {
    const std::size_t row = (y + shift_y) / cell;
    const int down = smooth_step((y + shift_y) % cell, cell);
    for (std::size_t x = 0; x < size; ++x) {
      const std::size_t column = (x + shift_x) / cell;
      const int right = smooth_step((x + shift_x) % cell, cell);
      const int* corner = lattice.data() + row * points + column;
      const int top = corner[0] * (4096 - right) + corner[1] * right;
      const int bottom = corner[points] * (4096 - right) + corner[points + 1] * right;
      const std::int64_t value = std::int64_t{top} * (4096 - down) + std::int64_t{bottom} * down;
      noise[y * size + x] = static_cast<int>(value / (4096 * 4096));
    }
  }
  return noise;
}

std::vector<int> fractal_noise(Random& random, const std::size_t size) {
  std::vector<int> sum(size * size, 0);
  int octaves = 0;
  for (std::size_t cell = size; cell >= 1; cell /= 2) {
    const std::vector<int> noise = smooth_noise(random, size, cell);
    // Interpolation takes about half of the energy of the lattice, except where each pixel is a point of it.
    const int quarters = cell == 1 ? 2 : 4;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += noise[i] * quarters / 4;
    ++octaves;
  }
  // Each octave has a deviation of about 400; n of them that of 400 sqrt(n), and 2.5 sqrt(n) is close to n for n = 6.
  for (int& value : sum) value = value * 6 / octaves;
  return sum;
}

void paint_fractal(const Seed& seed, Canvas& canvas) {
  Random random = seed.random("synthetic/fractal");
  const Colour mean = natural_colour(random);
  const int contrast = between(random, 20, 64);
  Random light_random = seed.random("synthetic/fractal", 1);
  Random red_green_random = seed.random("synthetic/fractal", 2);
  Random blue_yellow_random = seed.random("synthetic/fractal", 3);
  const auto light = fractal_noise(light_random, canvas.size);
  const auto red_green = fractal_noise(red_green_random, canvas.size);
  const auto blue_yellow = fractal_noise(blue_yellow_random, canvas.size);
  for (std::size_t y = 0; y < canvas.size; ++y) {
    for (std::size_t x = 0; x < canvas.size; ++x) {
      const std::size_t i = y * canvas.size + x;
      canvas.set(y, x,
                 {mean.light + light[i] * contrast / 1024, mean.red_green / 2 + red_green[i] * contrast / 4096,
                  mean.blue_yellow / 2 + blue_yellow[i] * contrast / 4096});
    }
  }
}

void paint_gratings(const Seed& seed, Canvas& canvas) {
  Random random = seed.random("synthetic/gratings");
  const Colour mean = natural_colour(random);
  const int size = static_cast<int>(canvas.size);
  std::vector<Colour> sum(canvas.size * canvas.size, mean);
  const int waves = between(random, 2, 4);
  for (int wave = 0; wave < waves; ++wave) {
    // A wave vector in quarter cycles per image: an octave of frequency first, then a point of the square.
    const int reach = 4 << between(random, 0, size >= 32 ? 4 : 2);
    const int wave_y = between(random, -reach, reach);
    const int wave_x = between(random, -reach, reach);
    const int phase = between(random, 0, 65535);
    const int contrast = between(random, 24, 96);
    const Colour tint = {contrast, between(random, -contrast / 4, contrast / 4),
                         between(random, -contrast / 4, contrast / 4)};
    Random envelope_random = seed.random("synthetic/gratings", static_cast<std::uint32_t>(wave + 1));
    const auto envelope = smooth_noise(envelope_random, canvas.size, canvas.size / 2);
    for (int i = 0; i < size * size; ++i) {
      const int turned = (wave_y * (i / size) + wave_x * (i % size)) * 16384 / size + phase;
      // The parabola 4 p (1 - |p|) over the half turns p of [-1, 1) stands for the sine.
      const std::int64_t p = ((turned % 65536 + 65536) % 65536) - 32768;
      const std::int64_t value = 4 * p * (32768 - std::abs(p)) / 32768;
      const std::int64_t weight = value * (512 + envelope[static_cast<std::size_t>(i)] / 2);
      Colour& colour = sum[static_cast<std::size_t>(i)];
      colour.light += static_cast<int>(weight * tint.light / (32768 * 1024));
      colour.red_green += static_cast<int>(weight * tint.red_green / (32768 * 1024));
      colour.blue_yellow += static_cast<int>(weight * tint.blue_yellow / (32768 * 1024));
    }
  }
  for (std::size_t i = 0; i < sum.size(); ++i) canvas.set(i / canvas.size, i % canvas.size, sum[i]);
}

void paint_blobs(const Seed& seed, Canvas& canvas) {
  Random random = seed.random("synthetic/blobs");
  const int size = static_cast<int>(canvas.size);
  const Colour from = natural_colour(random);
  const Colour to = natural_colour(random);
  std::vector<Colour> sum(canvas.size * canvas.size);
  const bool upright = random.below(2) == 0;
  for (int i = 0; i < size * size; ++i) {
    const int at = upright ? i / size : i % size;
    sum[static_cast<std::size_t>(i)] = {(from.light * (size - at) + to.light * at) / size,
                                        (from.red_green * (size - at) + to.red_green * at) / size,
                                        (from.blue_yellow * (size - at) + to.blue_yellow * at) / size};
  }
  const int blobs = between(random, 6, 24);
  for (int blob = 0; blob < blobs; ++blob) {
    const int centre_y = between(random, -size / 8, size + size / 8);
    const int centre_x = between(random, -size / 8, size + size / 8);
    const int radius = std::max(2, (size / 2) >> between(random, 0, 3));
    const std::int64_t square = std::int64_t{radius} * radius;
    const Colour target = natural_colour(random);
    for (int i = 0; i < size * size; ++i) {
      const std::int64_t dy = i / size - centre_y;
      const std::int64_t dx = i % size - centre_x;
      const std::int64_t rest = square - dy * dy - dx * dx;
      if (rest <= 0) continue;
      const std::int64_t share = rest * 256 / square;
      const int weight = static_cast<int>(share * share / 256);
      Colour& colour = sum[static_cast<std::size_t>(i)];
      colour.light += (target.light - colour.light) * weight / 256;
      colour.red_green += (target.red_green - colour.red_green) * weight / 256;
      colour.blue_yellow += (target.blue_yellow - colour.blue_yellow) * weight / 256;
    }
  }
  for (std::size_t i = 0; i < sum.size(); ++i) canvas.set(i / canvas.size, i % canvas.size, sum[i]);
}

}  // namespace bcr::io::synthetic
