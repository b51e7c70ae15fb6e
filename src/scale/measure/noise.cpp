#include "src/scale/measure/noise.hpp"

#include "losses/registry.hpp"
#include "src/core/random.hpp"

namespace bcr::scale {

using Exec = TimedWork::Exec;

nn::ImageShape input_shape(const PointOptions& options) {
  if (reads_texts(options)) return {1, options.tokens, 1};
  return {options.image, options.image, options.channels};
}

models::HeadOptions head_of(const PointOptions& options) {
  const bool fits = losses::all_losses().find(options.loss).accepts(losses::HeadOutputs::squared_distances);
  return {.name = fits ? "distance" : "linear"};
}

Tensor4<std::uint8_t, Exec> noise_pixels(const PointOptions& options) {
  const Tensor4<std::uint8_t, Exec> pixels("bcr::scale::pixels", options.batch, options.image, options.image,
                                           options.channels);
  const auto mirror = Kokkos::create_mirror_view(pixels);
  const std::size_t size = pixels.size() / static_cast<std::size_t>(options.batch);
  for (int i = 0; i < options.batch; ++i) {
    Random random(options.seed, Stream("scale.pixels"), 0, static_cast<std::uint64_t>(i));
    std::uint8_t* const image = mirror.data() + static_cast<std::size_t>(i) * size;
    for (std::size_t k = 0; k < size; ++k) image[k] = static_cast<std::uint8_t>(random.word());
  }
  Kokkos::deep_copy(pixels, mirror);
  return pixels;
}

nn::Tokens<Exec> noise_tokens(const PointOptions& options) {
  const nn::Tokens<Exec> tokens("bcr::scale::tokens", options.batch, options.tokens);
  const auto mirror = Kokkos::create_mirror_view(tokens);
  const auto words = static_cast<std::uint32_t>(backbone_of(options).vocabulary);
  for (int i = 0; i < options.batch; ++i) {
    Random random(options.seed, Stream("scale.tokens"), 0, static_cast<std::uint64_t>(i));
    for (int t = 0; t < options.tokens; ++t) mirror(i, t) = static_cast<std::int32_t>(random.word() % words);
  }
  Kokkos::deep_copy(tokens, mirror);
  return tokens;
}

Labels<Exec> noise_labels(const PointOptions& options, const int count) {
  const Labels<Exec> labels("bcr::scale::labels", count);
  const auto mirror = Kokkos::create_mirror_view(labels);
  for (int i = 0; i < count; ++i) mirror(i) = i % options.classes;
  Kokkos::deep_copy(labels, mirror);
  return labels;
}

kernels::Normalisation<TimedWork::Real> noise_normalisation(const PointOptions& options) {
  const std::vector<double> mean(static_cast<std::size_t>(options.channels), 0.5);
  const std::vector<double> deviation(static_cast<std::size_t>(options.channels), 0.29);  // of uniform noise
  return kernels::make_normalisation<TimedWork::Real>(mean, deviation);
}

}  // namespace bcr::scale
