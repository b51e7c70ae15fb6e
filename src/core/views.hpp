#ifndef BCR_SRC_CORE_VIEWS_HPP
#define BCR_SRC_CORE_VIEWS_HPP

#include "src/core/error.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace bcr {

/// The View types of every public border: row-major (oneDNN memory is), in the memory of an execution space.
template <class Data, class Exec>
using RightView = Kokkos::View<Data, Kokkos::LayoutRight, typename std::type_identity_t<Exec>::memory_space>;

template <class T, class Exec>
using Vector = RightView<T*, Exec>;
template <class T, class Exec>
using Matrix = RightView<T**, Exec>;
/// Images: [N, H, W, C], channels innermost. Convolution weights: [KH, KW, IC, OC].
template <class T, class Exec>
using Tensor4 = RightView<T****, Exec>;

/// Inputs. Non-deduced: T comes from the outputs of a call, so a mutable View may be passed where a const one is asked.
template <class T, class Exec>
using ConstVector = std::type_identity_t<RightView<const T*, Exec>>;
template <class T, class Exec>
using ConstMatrix = std::type_identity_t<RightView<const T**, Exec>>;
template <class T, class Exec>
using ConstTensor4 = std::type_identity_t<RightView<const T****, Exec>>;

/// Class indices of samples.
template <class Exec>
using Labels = Vector<std::int32_t, Exec>;
template <class Exec>
using ConstLabels = ConstVector<std::int32_t, Exec>;

/// "[3, 4]", for messages.
std::string shape_text(std::span<const std::size_t> extents);

/// The extents of a View, outermost first.
template <class View>
std::array<std::size_t, View::rank()> shape(const View& view) {
  std::array<std::size_t, View::rank()> extents{};
  for (std::size_t i = 0; i < View::rank(); ++i) extents[i] = view.extent(i);
  return extents;
}

/// Throws a ShapeError that names the operation, the argument and both shapes unless they agree.
template <class View>
void require_shape(const std::string_view operation, const std::string_view argument, const View& view,
                   const std::array<std::size_t, View::rank()>& expected, const Where where = Where::here()) {
  const auto received = shape(view);
  if (received == expected) return;
  throw ShapeError(operation, std::string(argument) + " of shape " + shape_text(expected), shape_text(received), where);
}

}  // namespace bcr

#endif
