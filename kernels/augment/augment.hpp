#ifndef BCR_KERNELS_AUGMENT_AUGMENT_HPP
#define BCR_KERNELS_AUGMENT_AUGMENT_HPP

#include "kernels/augment/crop.hpp"
#include "src/core/views.hpp"

#include <span>

namespace bcr::kernels {

inline constexpr int most_channels = 4;

/// (u / 255 - mean) / std of channel c as one fused multiply-add, u scale[c] + shift[c].
template <class T>
struct Normalisation {
  Kokkos::Array<T, most_channels> scale{};
  Kokkos::Array<T, most_channels> shift{};
};

/// scale = 1 / (255 std), shift = -mean / std, in double and then rounded to T. Throws a ShapeError unless mean and std
/// have the same number of entries, 1 to most_channels, and a NumericsError unless they are finite and std > 0.
template <class T>
Normalisation<T> make_normalisation(std::span<const double> mean, std::span<const double> std);

/// Where the image of dst(i) lies: in the row that the order gives, or already in row i (gathered by the host).
enum class Placement { by_row, in_place };

/// With s(i) = order(first + i) and the window of draw_crop(s(i)):
///   dst(i, y, x, c) = fma(u, scale[c], shift[c]),  u = src(placement == by_row ? s(i).row : i, y', x', c)
/// and outside of src fma(0, scale[c], shift[c]) for a black border, 0 for one of the mean;
///   dst_labels(i)   = labels(s(i).row)
/// src [N, H, W, C] with C <= most_channels and N = order.size, or N >= B in place; dst [B, H, W, C];
/// labels [order.size] and dst_labels [B], or both empty. The same bits everywhere: one fma for each pixel, integers
/// otherwise. Asynchronous on exec, no allocation. Traffic: B H W C (1 + sizeof(T)).
template <class Exec, class T>
void augment(const Exec& exec, ConstTensor4<std::uint8_t, Exec> src, ConstLabels<Exec> labels, const BatchOrder& order,
             std::uint64_t first, Placement placement, const Augmentation& augmentation,
             const Normalisation<T>& normalisation, Tensor4<T, Exec> dst,
             std::type_identity_t<Labels<Exec>> dst_labels);

}  // namespace bcr::kernels

#endif
