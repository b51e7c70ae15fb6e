#include "kernels/conv/winograd.hpp"

#include "kernels/conv/packed_weights.hpp"
#include "kernels/conv/winograd_device.hpp"
#include "kernels/conv/winograd_host.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

namespace bcr::kernels {
namespace {

using impl::LaneChannels;

/// kernels [blocks, 16, other channels, channel_block] = G g G^T; for the gradient g is turned round.
template <LaneChannels lane_channels, class Exec, class T>
struct TransformKernels {
  static constexpr bool output = lane_channels == LaneChannels::output;
  static constexpr int lanes = channel_block<T>;

  ConstTensor4<T, Exec> weights;
  Vector<T, Exec> kernels;
  int others = weights.extent_int(output ? 2 : 3);
  int channels = weights.extent_int(output ? 3 : 2);

  int rows() const { return impl::blocks_of(channels, lanes) * others; }

  /// A row is a block of channels and one of the others. A host does it at once, a device a channel at a time.
  KOKKOS_FUNCTION void operator()(const int index) const {
    if constexpr (is_host_exec<Exec>) {
      KOKKOS_IF_ON_HOST((transform_row(index);))
    } else {
      transform_lane(index / lanes, index % lanes);
    }
  }

 private:
  KOKKOS_FUNCTION T weight(const int tap, const int other, const int channel) const {
    if (channel >= channels) return T(0);
    return output ? weights(tap / 3, tap % 3, other, channel) : weights(2 - tap / 3, 2 - tap % 3, channel, other);
  }

  KOKKOS_FUNCTION T* place(const int row) const {
    return kernels.data() + (std::size_t(row / others) * 16 * others + row % others) * lanes;
  }

  KOKKOS_FUNCTION void transform_lane(const int row, const int lane) const {
    impl::Lane<T> g[9];
    for (int tap = 0; tap < 9; ++tap) g[tap].value = weight(tap, row % others, row / others * lanes + lane);
    impl::transform_kernel(g, place(row) + lane, std::size_t(others) * lanes);
  }

  void transform_row(const int row) const {
    const int first = row / others * lanes;
    impl::Lanes<T> g[9];
    for (int tap = 0; tap < 9; ++tap) {
      if (output && first + lanes <= channels) {
        g[tap] = impl::Lanes<T>::load(&weights(tap / 3, tap % 3, row % others, first));
        continue;
      }
      alignas(64) T values[lanes];
      for (int lane = 0; lane < lanes; ++lane) values[lane] = weight(tap, row % others, first + lane);
      g[tap] = impl::Lanes<T>::load(values);
    }
    impl::transform_kernel(g, place(row), std::size_t(others) * lanes);
  }
};

template <LaneChannels lane_channels, class Exec, class T>
void transform_kernels(const Exec& exec, const ConstTensor4<T, Exec>& weights, const Vector<T, Exec>& kernels) {
  const TransformKernels<lane_channels, Exec, T> transform{weights, kernels};
  const int items = is_host_exec<Exec> ? transform.rows() : transform.rows() * channel_block<T>;
  Kokkos::parallel_for("bcr::kernels::winograd::transform_kernels", Kokkos::RangePolicy<Exec>(exec, 0, items), transform);
}

template <LaneChannels lane_channels, class T, class Weights>
std::size_t kernels_size(const Weights& weights) {
  return impl::packed_size<lane_channels, T>(weights) / 9 * 16;
}

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
  return kernels_size<LaneChannels::output, T>(weights);
}

template <class Exec, class T>
std::size_t winograd_backward_data_workspace_size(const ConstTensor4<T, Exec> weights) {
  return kernels_size<LaneChannels::input, T>(weights);
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

  transform_kernels<LaneChannels::output, Exec, T>(exec, weights, workspace);
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

  transform_kernels<LaneChannels::input, Exec, T>(exec, weights, workspace);
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
