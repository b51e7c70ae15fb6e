#ifndef BCR_KERNELS_CONV_EPILOGUE_HPP
#define BCR_KERNELS_CONV_EPILOGUE_HPP

#include "kernels/norm/activation.hpp"
#include "src/core/views.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string_view>

namespace bcr::kernels {

/// What a convolution does with its finished sums in the same pass: batch norm of inference, a residual and the
/// activation. For the sum s of channel c that goes to dst(n, h, w, c)
///
///   epilogue.dst(n, h, w, c) = activation(fma(scale(c), s, shift(c)) + addend(n, h, w, c))
///
/// without the addition if there is no addend: the arithmetic of batch_norm_forward and add_activated, hence the bits
/// of these passes one after the other. epilogue.dst may be dst, which then does not hold the sums; addend may be
/// epilogue.dst. scale, shift [OC]; addend and epilogue.dst like dst. Without a scale there is no epilogue.
template <class Exec, class T>
struct Epilogue {
  ConstVector<T, Exec> scale;
  ConstVector<T, Exec> shift;
  ConstTensor4<T, Exec> addend;
  Activation activation = Activation::none;
  Tensor4<T, Exec> dst;

  KOKKOS_FORCEINLINE_FUNCTION bool exists() const { return scale.data() != nullptr; }

  /// Stores a sum, or some side by side, at sums + at, and what becomes of it; Value is Lane or Lanes.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Value& sum, T* const sums, const std::ptrdiff_t at,
                                         const int channel) const {
    if (!exists() || dst.data() != sums) sum.store(sums + at);
    if (!exists()) return;
    Value y = Value::fma(Value::load(scale.data() + channel), sum, Value::load(shift.data() + channel));
    if (addend.data() != nullptr) y = y + Value::load(addend.data() + at);
    if (activation == Activation::relu) y = y.rectified();
    y.store(dst.data() + at);
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
  require_shape(operation, "epilogue.dst", epilogue.dst, shape(dst), where);
  if (epilogue.addend.data() != nullptr)
    require_shape(operation, "epilogue.addend", epilogue.addend, shape(dst), where);
}

}  // namespace impl
}  // namespace bcr::kernels

#endif
