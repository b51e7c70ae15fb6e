#include "kernels/conv/weights.hpp"

#include "src/core/instances.hpp"

namespace bcr::kernels {
namespace {

template <class Exec, class T>
struct ToHwio {
  ConstTensor4<T, Exec> oihw;
  Tensor4<T, Exec> hwio;

  KOKKOS_FUNCTION void operator()(const int kh, const int kw, const int ic, const int oc) const {
    hwio(kh, kw, ic, oc) = oihw(oc, ic, kh, kw);
  }
};

template <class Exec, class T>
struct ToOihw {
  ConstTensor4<T, Exec> hwio;
  Tensor4<T, Exec> oihw;

  KOKKOS_FUNCTION void operator()(const int oc, const int ic, const int kh, const int kw) const {
    oihw(oc, ic, kh, kw) = hwio(kh, kw, ic, oc);
  }
};

}  // namespace

template <class Exec, class T>
void weights_to_hwio(const Exec& exec, const ConstTensor4<T, Exec> oihw, const Tensor4<T, Exec> hwio) {
  require_shape("weights_to_hwio", "hwio", hwio, {oihw.extent(2), oihw.extent(3), oihw.extent(1), oihw.extent(0)});
  Kokkos::parallel_for(
      "bcr::kernels::weights_to_hwio",
      Kokkos::MDRangePolicy<Exec, Kokkos::Rank<4>>(
          exec, {0, 0, 0, 0}, {hwio.extent_int(0), hwio.extent_int(1), hwio.extent_int(2), hwio.extent_int(3)}),
      ToHwio<Exec, T>{oihw, hwio});
}

template <class Exec, class T>
void weights_to_oihw(const Exec& exec, const ConstTensor4<T, Exec> hwio, const Tensor4<T, Exec> oihw) {
  require_shape("weights_to_oihw", "oihw", oihw, {hwio.extent(3), hwio.extent(2), hwio.extent(0), hwio.extent(1)});
  Kokkos::parallel_for(
      "bcr::kernels::weights_to_oihw",
      Kokkos::MDRangePolicy<Exec, Kokkos::Rank<4>>(
          exec, {0, 0, 0, 0}, {oihw.extent_int(0), oihw.extent_int(1), oihw.extent_int(2), oihw.extent_int(3)}),
      ToOihw<Exec, T>{hwio, oihw});
}

#define BCR_INSTANCE(Exec, T)                                                                   \
  template void weights_to_hwio<Exec, T>(const Exec&, ConstTensor4<T, Exec>, Tensor4<T, Exec>); \
  template void weights_to_oihw<Exec, T>(const Exec&, ConstTensor4<T, Exec>, Tensor4<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
