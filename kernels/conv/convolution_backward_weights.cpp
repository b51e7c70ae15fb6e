#include "kernels/conv/convolution.hpp"

#include "kernels/conv/chunks.hpp"
#include "kernels/conv/weights_device.hpp"
#include "kernels/conv/weights_host.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <algorithm>

namespace bcr::kernels {
namespace {

template <class T, class DiffDst, class Weights>
impl::ChunkPasses passes_of(const DiffDst& diff_dst, const Weights& weights) {
  const int images = backward_weights_chunk(diff_dst.extent_int(1), diff_dst.extent_int(2));
  return impl::ChunkPasses::of<T>(impl::blocks_of(diff_dst.extent_int(0), images),
                                  weights.extent(0) * weights.extent(1) * weights.extent(2), weights.extent_int(3));
}

/// Joins the chunks, `width` neighbouring (block, tap, input channel, lane) at a time.
template <int width, class Exec, class T>
class JoinChunks {
  static constexpr int lanes = channel_block<T>;

 public:
  JoinChunks(const impl::WeightsSums<Exec, T>& sums, const Tensor4<T, Exec>& diff_weights)
      : sums_(sums),
        diff_weights_(diff_weights),
        size_(sums.blocks * sums.kh * sums.kw * sums.src.extent_int(3) * lanes) {}

  void launch(const Exec& exec) const {
    Kokkos::parallel_for("bcr::kernels::convolution_backward_weights::join",
                         Kokkos::RangePolicy<Exec>(exec, 0, impl::blocks_of(size_, width)), *this);
  }

  KOKKOS_FUNCTION void operator()(const int index) const {
    const int first = index * width;
    const int count = size_ - first < width ? size_ - first : width;
    T sum[width];
    impl::join_chunks(sums_.sums.data() + first, sums_.offset(1, 0, 0), sums_.chunks, count, sum);
    for (int k = 0; k < count;) {
      const int lane = (first + k) % lanes;
      const int end = k + lanes - lane < count ? k + lanes - lane : count;
      store((first + k) / lanes, lane, end - k, sum + k);
      k = end;
    }
  }

 private:
  /// Neighbouring lanes of one (block, tap, input channel).
  KOKKOS_FUNCTION void store(const int row, const int lane, const int count, const T* const from) const {
    const int ic = row % sums_.src.extent_int(3);
    const int tap = row / sums_.src.extent_int(3) % (sums_.kh * sums_.kw);
    const int block = row / sums_.src.extent_int(3) / (sums_.kh * sums_.kw);
    const int oc = (sums_.first_block + block) * lanes + lane;
    const int room = diff_weights_.extent_int(3) - oc;
    for (int k = 0; k < count && k < room; ++k) diff_weights_(tap / sums_.kw, tap % sums_.kw, ic, oc + k) = from[k];
  }

  impl::WeightsSums<Exec, T> sums_;
  Tensor4<T, Exec> diff_weights_;
  int size_;
};

}  // namespace

int backward_weights_chunk(const int output_height, const int output_width) {
  constexpr int pixels = 1024;
  return impl::blocks_of(pixels, std::max(1, output_height * output_width));
}

template <class Exec, class T>
std::size_t backward_weights_workspace_size(const ConstTensor4<T, Exec> diff_dst,
                                            const ConstTensor4<T, Exec> diff_weights) {
  return passes_of<T>(diff_dst, diff_weights).workspace_size();
}

template <class Exec, class T>
void convolution_backward_weights(const Exec& exec, const ConvolutionWindow& window, const ConstTensor4<T, Exec> src,
                                  const ConstTensor4<T, Exec> diff_dst, const Tensor4<T, Exec> diff_weights,
                                  const Vector<T, Exec> workspace) {
  constexpr const char* operation = "convolution_backward_weights";
  impl::require_convolution(operation, window, src, diff_weights, diff_dst);
  const std::size_t needed = backward_weights_workspace_size<Exec, T>(diff_dst, diff_weights);
  impl::require_workspace(operation, workspace, needed);
  if (diff_weights.size() == 0) return;

  const impl::ChunkPasses passes = passes_of<T>(diff_dst, diff_weights);
  const int images = backward_weights_chunk(diff_dst.extent_int(1), diff_dst.extent_int(2));
  for (int block = 0; block < passes.all_blocks; block += passes.blocks) {
    const impl::WeightsSums<Exec, T> sums{.window = window,
                                          .src = src,
                                          .diff_dst = diff_dst,
                                          .sums = workspace,
                                          .kh = diff_weights.extent_int(0),
                                          .kw = diff_weights.extent_int(1),
                                          .images_per_chunk = images,
                                          .chunks = passes.chunks,
                                          .first_block = block,
                                          .blocks = std::min(passes.blocks, passes.all_blocks - block)};
    constexpr const char* label = "bcr::kernels::convolution_backward_weights";
    if constexpr (is_host_exec<Exec>) {
      impl::sum_on_host(exec, label, sums);
      JoinChunks<8 * channel_block<T>, Exec, T>(sums, diff_weights).launch(exec);
    } else {
      impl::sum_on_device(exec, label, sums);
      JoinChunks<1, Exec, T>(sums, diff_weights).launch(exec);
    }
  }
}

#define BCR_INSTANCE(Exec, T)                                                                                       \
  template std::size_t backward_weights_workspace_size<Exec, T>(ConstTensor4<T, Exec>, ConstTensor4<T, Exec>);      \
  template void convolution_backward_weights<Exec, T>(const Exec&, const ConvolutionWindow&, ConstTensor4<T, Exec>, \
                                                      ConstTensor4<T, Exec>, Tensor4<T, Exec>, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
