#ifndef BCR_KERNELS_NORM_ACTIVATION_HPP
#define BCR_KERNELS_NORM_ACTIVATION_HPP

#include <Kokkos_Core.hpp>

namespace bcr::kernels {

/// What follows a normalisation in the same pass.
enum class Activation { none, relu };

/// Whether y goes through the activation: always, or for relu unless y <= 0, so that NaN does go through.
template <Activation activation, class T>
KOKKOS_FORCEINLINE_FUNCTION bool passes(const T y) {
  return activation == Activation::none || !(y <= T(0));
}

/// relu(y) = y, or +0 if y <= 0. A NaN stays a NaN.
template <Activation activation, class T>
KOKKOS_FORCEINLINE_FUNCTION T activated(const T y) {
  return passes<activation>(y) ? y : T(0);
}

}  // namespace bcr::kernels

#endif
