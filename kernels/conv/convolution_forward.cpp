#include "kernels/conv/convolution.hpp"

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

template <class Exec, class T>
std::size_t backward_data_workspace_size(const ConstTensor4<T, Exec> weights) {
  return impl::packed_size<impl::LaneChannels::input, T>(weights);
}

template <class Exec, class T>
void convolution_backward_data(const Exec& exec, const ConvolutionWindow& window, const ConstTensor4<T, Exec> diff_dst,
                               const ConstTensor4<T, Exec> weights, const Tensor4<T, Exec> diff_src,
                               const ChainStart start, const Vector<T, Exec> workspace) {
  constexpr const char* operation = "convolution_backward_data";
  impl::require_convolution(operation, window, diff_src, weights, diff_dst);
  impl::require_workspace(operation, workspace, backward_data_workspace_size<Exec, T>(weights));
  require<ShapeError>(start != ChainStart::bias, operation, "a chain that starts from zero or dst", "bias");
  if (diff_src.size() == 0) return;

  impl::pack_weights<impl::LaneChannels::input, Exec, T>(exec, weights, workspace);
  const int kh = weights.extent_int(0);
  const int kw = weights.extent_int(1);
  const impl::Gather<Exec, T> gather{.rows = impl::backward_segments(window, diff_src.extent_int(1), kh),
                                     .columns = impl::backward_segments(window, diff_src.extent_int(2), kw),
                                     .src = diff_dst,
                                     .packed = workspace,
                                     .bias = {},
                                     .dst = diff_src,
                                     .kh = kh,
                                     .kw = kw,
                                     .start = start};
  impl::gather_taps(exec, "bcr::kernels::convolution_backward_data", gather);
}

#define BCR_INSTANCE(Exec, T)                                                                                    \
  template std::size_t backward_data_workspace_size<Exec, T>(ConstTensor4<T, Exec>);                             \
  template void convolution_backward_data<Exec, T>(const Exec&, const ConvolutionWindow&, ConstTensor4<T, Exec>, \
                                                   ConstTensor4<T, Exec>, Tensor4<T, Exec>, ChainStart,          \
                                                   Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
