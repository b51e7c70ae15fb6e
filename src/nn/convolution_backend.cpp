#include "src/nn/convolution_backend.hpp"

#include "kernels/norm/batch_norm_forward.hpp"
#include "kernels/norm/elementwise.hpp"
#include "src/core/instances.hpp"
#include "src/nn/layer.hpp"

#include <fmt/format.h>

namespace bcr::nn {

std::string ConvolutionProblem::text() const {
  return fmt::format("{}: {}x{} stride {}, [{}, {}, {}] -> [{}, {}, {}]", name, taps, taps, window.stride, src.height,
                     src.width, src.channels, dst.height, dst.width, dst.channels);
}

kernels::ConvolutionShape ConvolutionProblem::shape() const {
  return {.window = window,
          .taps = taps,
          .height = src.height,
          .width = src.width,
          .inputs = src.channels,
          .outputs = dst.channels};
}

template <class Exec, class T>
void ConvolutionBackend<Exec, T>::forward_with_epilogue(const Exec& exec, const ConstTensor4<T, Exec> src,
                                                        const ConstTensor4<T, Exec> weights,
                                                        const ConstVector<T, Exec> bias,
                                                        const kernels::ChainStart start, const Tensor4<T, Exec> dst,
                                                        const kernels::Epilogue<Exec, T>& epilogue,
                                                        const Vector<T, Exec> workspace) {
  forward(exec, src, weights, bias, start, dst, workspace);
  const bool adds = epilogue.addend.data() != nullptr;
  kernels::batch_norm_forward<Exec, T>(exec, as_rows<Exec, T>(dst), epilogue.scale, epilogue.shift,
                                       adds ? Activation::none : epilogue.activation, {}, as_rows<Exec, T>(dst));
  if (!adds) return;
  const auto result = flat<Exec, T>(dst);
  const ConstVector<T, Exec> addend(epilogue.addend.data(), epilogue.addend.size());
  kernels::add_activated<Exec, T>(exec, result, addend, epilogue.activation, result);
}

#define BCR_INSTANCE(Exec, T) template class ConvolutionBackend<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
