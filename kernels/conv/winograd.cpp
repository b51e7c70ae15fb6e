#include "kernels/conv/winograd.hpp"

#include "kernels/conv/winograd_device.hpp"
#include "kernels/conv/winograd_host.hpp"
#include "kernels/conv/winograd_kernels.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

namespace bcr::kernels {
namespace {

using impl::LaneChannels;

template <class Exec, class T>
void run(const Exec& exec, const std::string& label, const impl::Winograd<Exec, T>& winograd) {
  if constexpr (is_host_exec<Exec>) {
    impl::WinogradOnHost<Exec, T>(winograd).launch(exec, label);
  } else {
    impl::WinogradOnDevice<Exec, T, 256>(winograd).launch(exec, label);
  }
}

}  // namespace

template <class Exec, class T>
std::size_t winograd_forward_workspace_size(const ConstTensor4<T, Exec> weights) {
  return impl::transformed_size<LaneChannels::output, T>(weights);
}

template <class Exec, class T>
std::size_t winograd_backward_data_workspace_size(const ConstTensor4<T, Exec> weights) {
  return impl::transformed_size<LaneChannels::input, T>(weights);
}

template <class Exec, class T>
void winograd_forward(const Exec& exec, const int pad, const ConstTensor4<T, Exec> src,
                      const ConstTensor4<T, Exec> weights, const ConstVector<T, Exec> bias, const Tensor4<T, Exec> dst,
                      const ChainStart start, const Vector<T, Exec> workspace, const Epilogue<Exec, T>& epilogue) {
  constexpr const char* operation = "winograd_forward";
  impl::require_three_taps(operation, weights);
  impl::require_convolution(operation, {.stride = 1, .pad = pad}, src, weights, dst);
  impl::require_workspace(operation, workspace, winograd_forward_workspace_size<Exec, T>(weights));
  if (start == ChainStart::bias) require_shape(operation, "bias", bias, {dst.extent(3)});
  impl::require_epilogue(operation, epilogue, dst);
  if (dst.size() == 0) return;

  impl::transform_kernels<LaneChannels::output, Exec, T>(exec, weights, workspace.data());
  const impl::Winograd<Exec, T> winograd{
      .pad = pad, .src = src, .kernels = workspace, .bias = bias, .dst = dst, .start = start, .epilogue = epilogue};
  run(exec, "bcr::kernels::winograd_forward", winograd);
}

template <class Exec, class T>
void winograd_backward_data(const Exec& exec, const int pad, const ConstTensor4<T, Exec> diff_dst,
                            const ConstTensor4<T, Exec> weights, const Tensor4<T, Exec> diff_src,
                            const ChainStart start, const Vector<T, Exec> workspace) {
  constexpr const char* operation = "winograd_backward_data";
  impl::require_three_taps(operation, weights);
  impl::require_convolution(operation, {.stride = 1, .pad = pad}, diff_src, weights, diff_dst);
  impl::require_workspace(operation, workspace, winograd_backward_data_workspace_size<Exec, T>(weights));
  require<ShapeError>(start != ChainStart::bias, operation, "a start from zero or dst", "bias");
  if (diff_src.size() == 0) return;

  impl::transform_kernels<LaneChannels::input, Exec, T>(exec, weights, workspace.data());
  const impl::Winograd<Exec, T> winograd{
      .pad = 2 - pad, .src = diff_dst, .kernels = workspace, .bias = {}, .dst = diff_src, .start = start};
  run(exec, "bcr::kernels::winograd_backward_data", winograd);
}

#define BCR_INSTANCE(Exec, T)                                                                                   \
  template std::size_t winograd_forward_workspace_size<Exec, T>(ConstTensor4<T, Exec>);                         \
  template std::size_t winograd_backward_data_workspace_size<Exec, T>(ConstTensor4<T, Exec>);                   \
  template void winograd_forward<Exec, T>(const Exec&, int, ConstTensor4<T, Exec>, ConstTensor4<T, Exec>,       \
                                          ConstVector<T, Exec>, Tensor4<T, Exec>, ChainStart, Vector<T, Exec>,  \
                                          const Epilogue<Exec, T>&);                                            \
  template void winograd_backward_data<Exec, T>(const Exec&, int, ConstTensor4<T, Exec>, ConstTensor4<T, Exec>, \
                                                Tensor4<T, Exec>, ChainStart, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
