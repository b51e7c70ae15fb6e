#include "kernels/conv/weights.hpp"

#include "src/core/instances.hpp"

namespace bcr::kernels {
namespace {

/// The output channel is the last index of the weights.
template <class Exec, class T>
struct FoldWeights {
  const T* weights;
  ConstVector<T, Exec> scale;
  T* folded;

  KOKKOS_FUNCTION void operator()(const std::size_t i) const { folded[i] = weights[i] * scale(i % scale.extent(0)); }
};

template <class Exec, class T>
struct FoldBias {
  ConstVector<T, Exec> bias;
  ConstVector<T, Exec> scale;
  ConstVector<T, Exec> shift;
  Vector<T, Exec> folded;

  KOKKOS_FUNCTION void operator()(const std::size_t c) const {
    folded(c) = bias.data() != nullptr ? Kokkos::fma(scale(c), bias(c), shift(c)) : shift(c);
  }
};

}  // namespace

template <class Exec, class T>
void fold_scale(const Exec& exec, const ConstTensor4<T, Exec> weights, const ConstVector<T, Exec> bias,
                const ConstVector<T, Exec> scale, const ConstVector<T, Exec> shift,
                const Tensor4<T, Exec> folded_weights, const Vector<T, Exec> folded_bias) {
  const std::size_t outputs = weights.extent(3);
  require_shape("fold_scale", "folded_weights", folded_weights, shape(weights));
  require_shape("fold_scale", "scale", scale, {outputs});
  require_shape("fold_scale", "shift", shift, {outputs});
  require_shape("fold_scale", "folded_bias", folded_bias, {outputs});
  if (bias.data() != nullptr) require_shape("fold_scale", "bias", bias, {outputs});
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
  Kokkos::parallel_for("bcr::kernels::fold_scale::weights", Range(exec, 0, weights.size()),
                       FoldWeights<Exec, T>{weights.data(), scale, folded_weights.data()});
  Kokkos::parallel_for("bcr::kernels::fold_scale::bias", Range(exec, 0, outputs),
                       FoldBias<Exec, T>{bias, scale, shift, folded_bias});
}

#define BCR_INSTANCE(Exec, T)                                                                                       \
  template void fold_scale<Exec, T>(const Exec&, ConstTensor4<T, Exec>, ConstVector<T, Exec>, ConstVector<T, Exec>, \
                                    ConstVector<T, Exec>, Tensor4<T, Exec>, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
