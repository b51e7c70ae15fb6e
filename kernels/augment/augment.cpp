#include "kernels/augment/augment.hpp"

#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <cmath>
#include <string>

namespace bcr::kernels {
namespace {

/// One team per image. `channels` is C if it is known to the compiler, else 0.
template <class Exec, class T, int channels>
struct AugmentImages {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  /// Pixels that a host thread handles at a time; their factors are laid out so that whole vectors can be loaded.
  static constexpr int strip = 32;

  ConstTensor4<std::uint8_t, Exec> src;
  ConstLabels<Exec> labels;
  BatchOrder order;
  std::uint64_t first;
  Placement placement;
  Augmentation augmentation;
  Normalisation<T> normalisation;
  Tensor4<T, Exec> dst;
  Labels<Exec> dst_labels;

  KOKKOS_INLINE_FUNCTION int depth() const { return channels > 0 ? channels : dst.extent_int(3); }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int image = team.league_rank();
    if constexpr (is_host_exec<Exec>) {
      const Sample sample = order(first + image);
      if (dst_labels.extent(0) > 0) dst_labels(image) = labels(sample.row);
      write_rows(image, source_of(image, sample), draw_crop(augmentation, order, sample));
    } else {
      Sample sample{};
      Kokkos::single(
          Kokkos::PerTeam(team), [&](Sample& drawn) { drawn = order(first + image); }, sample);
      if (dst_labels.extent(0) > 0) {
        Kokkos::single(Kokkos::PerTeam(team), [&] { dst_labels(image) = labels(sample.row); });
      }
      const std::uint8_t* const from = source_of(image, sample);
      const Crop crop = draw_crop(augmentation, order, sample);
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, dst.extent_int(1) * dst.extent_int(2) * depth()),
                           [&](const int element) { write_element(image, element, from, crop); });
    }
  }

  KOKKOS_INLINE_FUNCTION const std::uint8_t* source_of(const int image, const Sample sample) const {
    return &src(placement == Placement::by_row ? sample.row : static_cast<std::uint32_t>(image), 0, 0, 0);
  }

  /// Devices: neighbouring threads write neighbouring elements.
  KOKKOS_FUNCTION void write_element(const int image, const int element, const std::uint8_t* const from,
                                     const Crop& crop) const {
    const int width = dst.extent_int(2);
    const int c = element % depth();
    const int pixel = element / depth();
    const int x = pixel % width;
    const int from_y = pixel / width + crop.down;
    const int from_x = (crop.mirrored ? width - 1 - x : x) + crop.right;
    const bool inside = from_y >= 0 && from_y < dst.extent_int(1) && from_x >= 0 && from_x < width;
    (&dst(image, 0, 0, 0))[element] = inside ? Kokkos::fma(T(from[(from_y * width + from_x) * depth() + c]),
                                                           normalisation.scale[c], normalisation.shift[c])
                                             : border(normalisation.scale[c], normalisation.shift[c]);
  }

  /// Hosts: row by row, strips of it converted by vectors.
  KOKKOS_FUNCTION void write_rows(const int image, const std::uint8_t* const from, const Crop& crop) const {
    alignas(64) T scale[strip * most_channels];
    alignas(64) T shift[strip * most_channels];
    for (int i = 0; i < strip * depth(); ++i) {
      scale[i] = normalisation.scale[i % depth()];
      shift[i] = normalisation.shift[i % depth()];
    }
    const int height = dst.extent_int(1);
    const int width = dst.extent_int(2);
    const int row_length = width * depth();
    T* to = &dst(image, 0, 0, 0);
    for (int y = 0; y < height; ++y, to += row_length) {
      const int from_y = y + crop.down;
      const bool inside = from_y >= 0 && from_y < height;
      const std::uint8_t* const row = inside ? from + from_y * row_length : nullptr;
      for (int x = 0; x < width; x += strip) {
        write_strip(row, crop, x, Kokkos::min(int(strip), width - x), scale, shift, to + x * depth());
      }
    }
  }

  /// Pixels [x, x + count) of one row; row = nullptr is border.
  KOKKOS_FUNCTION void write_strip(const std::uint8_t* const row, const Crop& crop, const int x, const int count,
                                   const T* const scale, const T* const shift, T* const to) const {
    const int width = dst.extent_int(2);
    // Pixels [left, left + count) of the source, of which [begin, end) count from left and lie inside.
    const int left = (crop.mirrored ? width - x - count : x) + crop.right;
    const int begin = row == nullptr ? 0 : Kokkos::min(Kokkos::max(-left, 0), count);
    const int end = row == nullptr ? 0 : Kokkos::max(Kokkos::min(width - left, count), begin);
    const int kept = end - begin;
    const int at = crop.mirrored ? count - end : begin;
    fill_border(at * depth(), scale, shift, to);
    fill_border((count - at - kept) * depth(), scale, shift, to + (at + kept) * depth());
    if (kept == 0) return;
    const std::uint8_t* pixels = row + (left + begin) * depth();
    std::uint8_t turned[strip * most_channels + 1];
    if (crop.mirrored) {
      mirror(pixels, kept, turned);
      pixels = turned;
    }
    convert(pixels, kept * depth(), scale, shift, to + at * depth());
  }

  /// turned = the pixels, last first.
  KOKKOS_FUNCTION void mirror(const std::uint8_t* const pixels, const int count, std::uint8_t* const turned) const {
    if constexpr (channels == 3) {
      // Four bytes at a time, of which the next pixel overwrites the fourth; the last pixel has no fourth to read.
      for (int c = 0; c < 3; ++c) turned[c] = pixels[(count - 1) * 3 + c];
      for (int i = 1; i < count; ++i) {
        __builtin_memcpy(turned + i * 3, pixels + (count - 1 - i) * 3, 4);
      }
    } else {
      for (int i = 0; i < count; ++i) {
        for (int c = 0; c < depth(); ++c) turned[i * depth() + c] = pixels[(count - 1 - i) * depth() + c];
      }
    }
  }

  /// A pixel of the border in a channel of these factors.
  KOKKOS_INLINE_FUNCTION T border(const T scale, const T shift) const {
    return augmentation.border == Border::mean ? T(0) : Kokkos::fma(T(0), scale, shift);
  }

  KOKKOS_INLINE_FUNCTION void fill_border(const int length, const T* const scale, const T* const shift,
                                          T* const to) const {
    for (int i = 0; i < length; ++i) to[i] = border(scale[i], shift[i]);
  }

  KOKKOS_INLINE_FUNCTION static void convert(const std::uint8_t* const bytes, const int length, const T* const scale,
                                             const T* const shift, T* const to) {
#pragma omp simd
    for (int i = 0; i < length; ++i) to[i] = Kokkos::fma(T(bytes[i]), scale[i], shift[i]);
  }
};

}  // namespace

template <class T>
Normalisation<T> make_normalisation(const std::span<const double> mean, const std::span<const double> std) {
  const bool fits = mean.size() == std.size() && !mean.empty() && mean.size() <= std::size_t{most_channels};
  require<ShapeError>(fits, "make_normalisation", "as many means as deviations, 1 to 4",
                      std::to_string(mean.size()) + " and " + std::to_string(std.size()));
  Normalisation<T> normalisation;
  for (std::size_t c = 0; c < mean.size(); ++c) {
    const bool usable = std::isfinite(mean[c]) && std::isfinite(std[c]) && std[c] > 0;
    require<NumericsError>(usable, "make_normalisation", "a finite mean and a deviation > 0",
                           std::to_string(mean[c]) + " and " + std::to_string(std[c]));
    normalisation.scale[c] = static_cast<T>(1.0 / (255.0 * std[c]));
    normalisation.shift[c] = static_cast<T>((0.0 - mean[c]) / std[c]);
  }
  return normalisation;
}

template Normalisation<float> make_normalisation<float>(std::span<const double>, std::span<const double>);
template Normalisation<double> make_normalisation<double>(std::span<const double>, std::span<const double>);

template <class Exec, class T>
void augment(const Exec& exec, ConstTensor4<std::uint8_t, Exec> src, ConstLabels<Exec> labels, const BatchOrder& order,
             const std::uint64_t first, const Placement placement, const Augmentation& augmentation,
             const Normalisation<T>& normalisation, Tensor4<T, Exec> dst,
             std::type_identity_t<Labels<Exec>> dst_labels) {
  const std::size_t images = dst.extent(0);
  if (images == 0) return;
  const std::size_t rows = placement == Placement::by_row ? std::size_t{order.size} : src.extent(0);
  require_shape("augment", "src", src, {rows, dst.extent(1), dst.extent(2), dst.extent(3)});
  require<ShapeError>(order.size > 0 && (placement == Placement::by_row || rows >= images), "augment",
                      "as many images as dst, and an order of at least one", std::to_string(rows));
  require<ShapeError>(dst.extent(3) >= 1 && dst.extent(3) <= std::size_t{most_channels}, "augment", "1 to 4 channels",
                      std::to_string(dst.extent(3)));
  require<ShapeError>(augmentation.pad >= 0, "augment", "pad >= 0", std::to_string(augmentation.pad));
  if (dst_labels.extent(0) > 0) {
    require_shape("augment", "dst_labels", dst_labels, {images});
    require_shape("augment", "labels", labels, {std::size_t{order.size}});
  }
  const auto launch = [&]<int channels>() {
    using Functor = AugmentImages<Exec, T, channels>;
    Kokkos::parallel_for("bcr::kernels::augment", block_policy(exec, static_cast<int>(images)),
                         Functor{src, labels, order, first, placement, augmentation, normalisation, dst, dst_labels});
  };
  switch (dst.extent(3)) {
    case 1:
      return launch.template operator()<1>();
    case 3:
      return launch.template operator()<3>();
    default:
      return launch.template operator()<0>();
  }
}

#define BCR_INSTANCE(Exec, T)                                                                                         \
  template void augment<Exec, T>(const Exec&, ConstTensor4<std::uint8_t, Exec>, ConstLabels<Exec>, const BatchOrder&, \
                                 std::uint64_t, Placement, const Augmentation&, const Normalisation<T>&,              \
                                 Tensor4<T, Exec>, std::type_identity_t<Labels<Exec>>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
