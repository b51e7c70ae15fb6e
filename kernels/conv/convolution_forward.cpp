#include "kernels/conv/convolution_forward.hpp"

#include "kernels/conv/gather_taps.hpp"
#include "kernels/conv/packed_weights.hpp"
#include "src/core/instances.hpp"

namespace bcr::kernels {

template <class Exec, class T>
std::size_t forward_workspace_size(const ConstTensor4<T, Exec> weights) {
  return impl::packed_size<impl::LaneChannels::output, T>(weights);
}

template <class Exec, class T>
void convolution_forward(const Exec& exec, const ConvolutionWindow& window, const ConstTensor4<T, Exec> src,
                         const ConstTensor4<T, Exec> weights, const ConstVector<T, Exec> bias,
                         const Tensor4<T, Exec> dst, const ChainStart start, const Vector<T, Exec> workspace,
                         const Epilogue<Exec, T>& epilogue) {
  constexpr const char* operation = "convolution_forward";
  impl::require_convolution(operation, window, src, weights, dst);
  impl::require_workspace(operation, workspace, forward_workspace_size<Exec, T>(weights));
  if (start == ChainStart::bias) require_shape(operation, "bias", bias, {dst.extent(3)});
  impl::require_epilogue(operation, epilogue, dst);
  if (dst.size() == 0) return;

  impl::pack_weights<impl::LaneChannels::output, Exec, T>(exec, weights, workspace);
  const impl::Gather<Exec, T> gather{
      .rows = impl::forward_segments(window, src.extent_int(1), weights.extent_int(0)),
      .columns = impl::forward_segments(window, src.extent_int(2), weights.extent_int(1)),
      .src = src,
      .packed = workspace,
      .bias = bias,
      .dst = dst,
      .kh = weights.extent_int(0),
      .kw = weights.extent_int(1),
      .start = start,
      .epilogue = epilogue};
  impl::gather_taps(exec, "bcr::kernels::convolution_forward", gather);
}

#define BCR_INSTANCE(Exec, T)                                                                               \
  template std::size_t forward_workspace_size<Exec, T>(ConstTensor4<T, Exec>);                              \
  template void convolution_forward<Exec, T>(const Exec&, const ConvolutionWindow&, ConstTensor4<T, Exec>,  \
                                             ConstTensor4<T, Exec>, ConstVector<T, Exec>, Tensor4<T, Exec>, \
                                             ChainStart, Vector<T, Exec>, const Epilogue<Exec, T>&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
