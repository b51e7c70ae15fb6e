#include "kernels/conv/convolution_backward_weights.hpp"

#include "kernels/conv/weights_device.hpp"
#include "kernels/conv/weights_host.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <algorithm>

namespace bcr::kernels {
namespace {

/// How the work is cut: all chunks, for `blocks` blocks of output channels at a time.
struct Passes {
  int images_per_chunk;
  int chunks;
  int blocks;
  int all_blocks;
  std::size_t block_size;
};

template <class T, class DiffDst, class Weights>
Passes passes_of(const DiffDst& diff_dst, const Weights& weights) {
  constexpr std::size_t budget = std::size_t(1) << 24;
  const int images = backward_weights_chunk(diff_dst.extent_int(1), diff_dst.extent_int(2));
  const int chunks = impl::blocks_of(diff_dst.extent_int(0), images);
  const int all_blocks = impl::blocks_of(weights.extent_int(3), channel_block<T>);
  const std::size_t block_size = chunks * weights.extent(0) * weights.extent(1) * weights.extent(2) * channel_block<T>;
  const int fitting =
      static_cast<int>(std::min<std::size_t>(budget / std::max<std::size_t>(1, block_size), all_blocks));
  return {images, chunks, std::max(1, fitting), all_blocks, block_size};
}

/// Adds the chunks by the binary tree of their numbers. Rows are (block, tap, input channel); `width` lanes at a time.
template <int width, class Exec, class T>
class JoinChunks {
  static constexpr int lanes = channel_block<T>;

 public:
  JoinChunks(const impl::WeightsSums<Exec, T>& sums, const Tensor4<T, Exec>& diff_weights)
      : sums_(sums), diff_weights_(diff_weights) {}

  void launch(const Exec& exec) const {
    const int rows = sums_.blocks * sums_.kh * sums_.kw * sums_.src.extent_int(3);
    Kokkos::parallel_for("bcr::kernels::convolution_backward_weights::join",
                         Kokkos::RangePolicy<Exec>(exec, 0, rows * (lanes / width)), *this);
  }

  KOKKOS_FUNCTION void operator()(const int index) const {
    const int row = index / (lanes / width);
    const int lane = index % (lanes / width) * width;
    T level[32][width];
    T sum[width] = {};
    for (int chunk = 0; chunk < sums_.chunks; ++chunk) {
      const T* const from =
          sums_.sums.data() + sums_.offset(chunk, 0, 0) + static_cast<std::size_t>(row) * lanes + lane;
      for (int i = 0; i < width; ++i) sum[i] = from[i];
      const int top = add_levels(level, sum, chunk);
      for (int i = 0; i < width; ++i) level[top][i] = sum[i];
    }
    join_rest(level, sum);
    store(row, lane, sum);
  }

 private:
  /// The chunk completes as many pairs as its number ends in ones.
  KOKKOS_FUNCTION int add_levels(const T (&level)[32][width], T (&sum)[width], const int chunk) const {
    int top = 0;
    for (; (chunk >> top) & 1; ++top)
      for (int i = 0; i < width; ++i) sum[i] = level[top][i] + sum[i];
    return top;
  }

  /// Incomplete pairs, from the last chunk upwards.
  KOKKOS_FUNCTION void join_rest(const T (&level)[32][width], T (&sum)[width]) const {
    int top = 0;
    while (top < 31 && !((sums_.chunks >> top) & 1)) ++top;
    if (sums_.chunks > 0)
      for (int i = 0; i < width; ++i) sum[i] = level[top][i];
    for (++top; top < 31; ++top)
      if ((sums_.chunks >> top) & 1)
        for (int i = 0; i < width; ++i) sum[i] = level[top][i] + sum[i];
  }

  KOKKOS_FUNCTION void store(const int row, const int lane, const T (&sum)[width]) const {
    const int ic = row % sums_.src.extent_int(3);
    const int tap = row / sums_.src.extent_int(3) % (sums_.kh * sums_.kw);
    const int block = row / sums_.src.extent_int(3) / (sums_.kh * sums_.kw);
    for (int i = 0; i < width; ++i) {
      const int oc = (sums_.first_block + block) * lanes + lane + i;
      if (oc < diff_weights_.extent_int(3)) diff_weights_(tap / sums_.kw, tap % sums_.kw, ic, oc) = sum[i];
    }
  }

  impl::WeightsSums<Exec, T> sums_;
  Tensor4<T, Exec> diff_weights_;
};

}  // namespace

int backward_weights_chunk(const int output_height, const int output_width) {
  constexpr int pixels = 1024;
  return impl::blocks_of(pixels, std::max(1, output_height * output_width));
}

template <class Exec, class T>
std::size_t backward_weights_workspace_size(const ConstTensor4<T, Exec> diff_dst,
                                            const ConstTensor4<T, Exec> diff_weights) {
  const Passes passes = passes_of<T>(diff_dst, diff_weights);
  return passes.blocks * passes.block_size;
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

  const Passes passes = passes_of<T>(diff_dst, diff_weights);
  for (int block = 0; block < passes.all_blocks; block += passes.blocks) {
    const impl::WeightsSums<Exec, T> sums{.window = window,
                                          .src = src,
                                          .diff_dst = diff_dst,
                                          .sums = workspace,
                                          .kh = diff_weights.extent_int(0),
                                          .kw = diff_weights.extent_int(1),
                                          .images_per_chunk = passes.images_per_chunk,
                                          .chunks = passes.chunks,
                                          .first_block = block,
                                          .blocks = std::min(passes.blocks, passes.all_blocks - block)};
    constexpr const char* label = "bcr::kernels::convolution_backward_weights";
    if constexpr (is_host_exec<Exec>) {
      impl::sum_on_host(exec, label, sums);
      JoinChunks<channel_block<T>, Exec, T>(sums, diff_weights).launch(exec);
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
