#include "kernels/conv/winograd_bf16.hpp"

#include "kernels/conv/winograd.hpp"
#include "kernels/conv/winograd_host.hpp"
#include "kernels/conv/winograd_kernels.hpp"
#include "kernels/conv/winograd_weights_finish.hpp"
#include "kernels/conv/winograd_weights_host.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace bcr::kernels {
namespace {

using impl::LaneChannels;

/// Whole blocks of channels: a vector of them is rounded and stored at once.
constexpr int whole = channel_block<float>;

template <class Weights>
void require_blocks(const std::string_view operation, const Weights& weights) {
  impl::require_three_taps(operation, weights);
  require<ShapeError>(weights.extent(2) % whole == 0 && weights.extent(3) % whole == 0, operation,
                      "channels that are multiples of 16", shape_text(shape(weights)));
}

/// Transforms the weights into `workspace`, where the work expects them, and runs it.
template <LaneChannels lane_channels, class Exec>
void run(const Exec& exec, const std::string& label, const ConstTensor4<float, Exec>& weights,
         const Vector<float, Exec>& workspace, const impl::Winograd<Exec, float>& winograd) {
  if constexpr (is_host_exec<Exec>) {
    impl::transform_kernels<lane_channels, Exec, float>(exec, weights, reinterpret_cast<Bf16*>(workspace.data()));
    impl::WinogradOnHost<Exec, float, Bf16>(winograd).launch(exec, label);
  } else {
    throw BackendError(label, "an execution space of the host", Exec::name());
  }
}

/// Images of a chunk: as winograd_backward_weights_chunk, but no more than 32 chunks, whose sums go through memory.
template <class DiffDst>
int chunk_of(const DiffDst& diff_dst) {
  constexpr int most_chunks = 32;
  return std::max(winograd_backward_weights_chunk(diff_dst.extent_int(1), diff_dst.extent_int(2)),
                  impl::blocks_of(diff_dst.extent_int(0), most_chunks));
}

}  // namespace

bool winograd_serves_bf16(const ConvolutionShape& shape) {
  return shape.taps == 3 && shape.window.stride == 1 && shape.inputs % whole == 0 && shape.outputs % whole == 0;
}

bool winograd_bf16_pays(const ConvolutionShape& shape) {
  return winograd_serves_bf16(shape) && winograd_saves(shape, {3, 4});
}

template <class Exec>
void winograd_bf16_forward(const Exec& exec, const int pad, const ConstTensor4<float, Exec> src,
                           const ConstTensor4<float, Exec> weights, const ConstVector<float, Exec> bias,
                           const Tensor4<float, Exec> dst, const ChainStart start, const Vector<float, Exec> workspace,
                           const Epilogue<Exec, float>& epilogue) {
  constexpr const char* operation = "winograd_bf16_forward";
  require_blocks(operation, weights);
  impl::require_convolution(operation, {.stride = 1, .pad = pad}, src, weights, dst);
  impl::require_workspace(operation, workspace, winograd_forward_workspace_size<Exec, float>(weights));
  if (start == ChainStart::bias) require_shape(operation, "bias", bias, {dst.extent(3)});
  impl::require_epilogue(operation, epilogue, dst);
  if (dst.size() == 0) return;

  const impl::Winograd<Exec, float> winograd{
      .pad = pad, .src = src, .kernels = workspace, .bias = bias, .dst = dst, .start = start, .epilogue = epilogue};
  run<LaneChannels::output, Exec>(exec, "bcr::kernels::winograd_bf16_forward", weights, workspace, winograd);
}

template <class Exec>
void winograd_bf16_backward_data(const Exec& exec, const int pad, const ConstTensor4<float, Exec> diff_dst,
                                 const ConstTensor4<float, Exec> weights, const Tensor4<float, Exec> diff_src,
                                 const ChainStart start, const Vector<float, Exec> workspace) {
  constexpr const char* operation = "winograd_bf16_backward_data";
  require_blocks(operation, weights);
  impl::require_convolution(operation, {.stride = 1, .pad = pad}, diff_src, weights, diff_dst);
  impl::require_workspace(operation, workspace, winograd_backward_data_workspace_size<Exec, float>(weights));
  require<ShapeError>(start != ChainStart::bias, operation, "a start from zero or dst", "bias");
  if (diff_src.size() == 0) return;

  const impl::Winograd<Exec, float> winograd{
      .pad = 2 - pad, .src = diff_dst, .kernels = workspace, .bias = {}, .dst = diff_src, .start = start};
  run<LaneChannels::input, Exec>(exec, "bcr::kernels::winograd_bf16_backward_data", weights, workspace, winograd);
}

template <class Exec>
void winograd_bf16_backward_weights(const Exec& exec, const int pad, const ConstTensor4<float, Exec> src,
                                    const ConstTensor4<float, Exec> diff_dst, const Tensor4<float, Exec> diff_weights,
                                    const Vector<float, Exec> workspace) {
  constexpr const char* operation = "winograd_bf16_backward_weights";
  require_blocks(operation, diff_weights);
  impl::require_convolution(operation, {.stride = 1, .pad = pad}, src, diff_weights, diff_dst);
  impl::require_workspace(operation, workspace,
                          winograd_backward_weights_workspace_size<Exec, float>(diff_dst, diff_weights));
  if (diff_weights.size() == 0) return;
  impl::for_each_pass<Exec, float>(pad, chunk_of(diff_dst), src, diff_dst, diff_weights, workspace,
                                   [&](const auto& sums) {
                                     if constexpr (is_host_exec<Exec>) {
                                       impl::WinogradWeightsOnHost<Exec, float, Bf16>(sums).launch(
                                           exec, "bcr::kernels::winograd_bf16_backward_weights");
                                       impl::FinishWeights<8 * whole, Exec, float>(sums, diff_weights).launch(exec);
                                     } else {
                                       throw BackendError(operation, "an execution space of the host", Exec::name());
                                     }
                                   });
}

#define BCR_INSTANCE(Exec)                                                                                          \
  template void winograd_bf16_forward<Exec>(const Exec&, int, ConstTensor4<float, Exec>, ConstTensor4<float, Exec>, \
                                            ConstVector<float, Exec>, Tensor4<float, Exec>, ChainStart,             \
                                            Vector<float, Exec>, const Epilogue<Exec, float>&);                     \
  template void winograd_bf16_backward_data<Exec>(const Exec&, int, ConstTensor4<float, Exec>,                      \
                                                  ConstTensor4<float, Exec>, Tensor4<float, Exec>, ChainStart,      \
                                                  Vector<float, Exec>);                                             \
  template void winograd_bf16_backward_weights<Exec>(const Exec&, int, ConstTensor4<float, Exec>,                   \
                                                     ConstTensor4<float, Exec>, Tensor4<float, Exec>,               \
                                                     Vector<float, Exec>);
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
