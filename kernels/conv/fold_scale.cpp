#include "kernels/conv/fold_scale.hpp"

#include "src/core/instances.hpp"

namespace bcr::kernels {

template <class Exec, class T>
void fold_scale(const Exec& exec, const ConstTensor4<T, Exec> weights, const ConstVector<T, Exec> bias,
                const ConstVector<T, Exec> scale, const ConstVector<T, Exec> shift,
                const Tensor4<T, Exec> folded_weights, const Vector<T, Exec> folded_bias) {
  const std::size_t outputs = weights.extent(3);
  const bool has_bias = bias.data() != nullptr;
  require_shape("fold_scale", "folded_weights", folded_weights, shape(weights));
  require_shape("fold_scale", "scale", scale, {outputs});
  require_shape("fold_scale", "shift", shift, {outputs});
  require_shape("fold_scale", "folded_bias", folded_bias, {outputs});
  if (has_bias) require_shape("fold_scale", "bias", bias, {outputs});
  const T* const from = weights.data();
  T* const to = folded_weights.data();
  Kokkos::parallel_for(
      "bcr::kernels::fold_scale::weights",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, weights.size()),
      KOKKOS_LAMBDA(const std::size_t i) { to[i] = from[i] * scale(i % outputs); });
  Kokkos::parallel_for(
      "bcr::kernels::fold_scale::bias", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, outputs),
      KOKKOS_LAMBDA(const std::size_t c) {
        folded_bias(c) = has_bias ? Kokkos::fma(scale(c), bias(c), shift(c)) : shift(c);
      });
}

#define BCR_INSTANCE(Exec, T)                                                                                    \
  template void fold_scale<Exec, T>(const Exec&, ConstTensor4<T, Exec>, ConstVector<T, Exec>,                    \
                                    ConstVector<T, Exec>, ConstVector<T, Exec>, Tensor4<T, Exec>, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
