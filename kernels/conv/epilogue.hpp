#ifndef BCR_KERNELS_CONV_EPILOGUE_HPP
#define BCR_KERNELS_CONV_EPILOGUE_HPP

#include "kernels/norm/activation.hpp"
#include "src/core/views.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string_view>

namespace bcr::kernels {

/// What a convolution does with its finished sums before it stores them: batch norm of inference, a residual and the
/// activation. For the sum s of channel c
///
///   dst(n, h, w, c) = activation(fma(scale(c), s, shift(c)) + addend(n, h, w, c))
///
/// without the addition if there is no addend: the arithmetic of batch_norm_forward and add_activated, hence the bits
/// of these passes one after the other. scale, shift [OC]; addend like dst, or empty. Without a scale there is no
/// epilogue.
template <class Exec, class T>
struct Epilogue {
  ConstVector<T, Exec> scale;
  ConstVector<T, Exec> shift;
  ConstTensor4<T, Exec> addend;
  Activation activation = Activation::none;

  KOKKOS_FORCEINLINE_FUNCTION bool exists() const { return scale.data() != nullptr; }

  /// The epilogue of one channel, or of some side by side: Value is Lane or Lanes. In registers for many sums.
  template <class Value>
  struct OfChannel {
    Value scale;
    Value shift;
    const T* addend;
    bool rectifies;

    /// What becomes of the sum for dst.data()[at].
    KOKKOS_FORCEINLINE_FUNCTION Value operator()(const Value& sum, const std::ptrdiff_t at) const {
      Value y = Value::fma(scale, sum, shift);
      if (addend != nullptr) y = y + Value::load(addend + at);
      return rectifies ? y.rectified() : y;
    }
  };

  /// Of an epilogue that exists.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION OfChannel<Value> of_channel(const int channel) const {
    return {Value::load(scale.data() + channel), Value::load(shift.data() + channel), addend.data(),
            activation == Activation::relu};
  }
};

namespace impl {

/// Throws unless an epilogue, if there is one, fits the results of its convolution.
template <class Exec, class T>
void require_epilogue(const std::string_view operation, const Epilogue<Exec, T>& epilogue, const Tensor4<T, Exec>& dst,
                      const Where where = Where::here()) {
  if (!epilogue.exists()) return;
  require_shape(operation, "epilogue.scale", epilogue.scale, {dst.extent(3)}, where);
  require_shape(operation, "epilogue.shift", epilogue.shift, {dst.extent(3)}, where);
  if (epilogue.addend.data() != nullptr)
    require_shape(operation, "epilogue.addend", epilogue.addend, shape(dst), where);
}

}  // namespace impl
}  // namespace bcr::kernels

#endif
