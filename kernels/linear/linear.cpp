#include "kernels/linear/linear.hpp"

#include "kernels/conv/convolution.hpp"
#include "src/core/instances.hpp"

#include <algorithm>
#include <numeric>

namespace bcr::kernels {
namespace {

/// N rows as images of one line, so that the kernels block over rows as they do over pixels. Lines fill whole chunks of
/// 1024: the chunks of convolution_backward_weights are then those of 1024 rows, and a work item of the other two keeps
/// its rows in the cache for all its outputs. As long as they can be: images of one pixel are slow.
template <class Exec, class View>
auto lines(const View& rows) {
  using T = typename View::value_type;
  const std::size_t N = rows.extent(0);
  const std::size_t pixels = N <= 1024 ? N : std::gcd(N, std::size_t{1024});
  return RightView<T****, Exec>(rows.data(), N == 0 ? 0 : N / pixels, 1, pixels, rows.extent(1));
}

/// A matrix as the weights of a window of one pixel.
template <class Exec, class View>
auto window_weights(const View& weights) {
  using T = typename View::value_type;
  return RightView<T****, Exec>(weights.data(), 1, 1, weights.extent(0), weights.extent(1));
}

template <class View>
void require_rows_without_gaps(const std::string_view operation, const View& rows) {
  require<ShapeError>(rows.span_is_contiguous(), operation, "matrices whose rows follow each other",
                      "rows with gaps between them");
}

/// What convolutions call the input channels of this window are the C outputs of the layer, which puts the matrix in the
/// layout of theirs as it is: forward is their backward_data, backward_data their forward.
constexpr ConvolutionWindow one_pixel{.stride = 1, .pad = 0};

}  // namespace

template <class Exec, class T>
void linear_forward(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> weights,
                    ConstVector<T, Exec> bias, Matrix<T, Exec> dst, Vector<T, Exec> workspace) {
  require_shape("linear_forward", "weights", weights, {weights.extent(0), src.extent(1)});
  require_shape("linear_forward", "dst", dst, {src.extent(0), weights.extent(0)});
  require_rows_without_gaps("linear_forward", src);
  require_rows_without_gaps("linear_forward", dst);
  const bool has_bias = bias.extent(0) > 0;
  if (has_bias) fill_rows<Exec, T>(exec, bias, dst);
  convolution_backward_data<Exec, T>(exec, one_pixel, lines<Exec>(src), window_weights<Exec>(weights), lines<Exec>(dst),
                                     has_bias ? ChainStart::dst : ChainStart::zero, workspace);
}

template <class Exec, class T>
void linear_backward_data(const Exec& exec, ConstMatrix<T, Exec> diff_dst, ConstMatrix<T, Exec> weights,
                          Matrix<T, Exec> diff_src, const ChainStart start, Vector<T, Exec> workspace) {
  require_shape("linear_backward_data", "weights", weights, {diff_dst.extent(1), weights.extent(1)});
  require_shape("linear_backward_data", "diff_src", diff_src, {diff_dst.extent(0), weights.extent(1)});
  require_rows_without_gaps("linear_backward_data", diff_dst);
  require_rows_without_gaps("linear_backward_data", diff_src);
  convolution_forward<Exec, T>(exec, one_pixel, lines<Exec>(diff_dst), window_weights<Exec>(weights),
                               ConstVector<T, Exec>(), lines<Exec>(diff_src), start, workspace);
}

template <class Exec, class T>
void linear_backward_weights(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> diff_dst,
                             Matrix<T, Exec> diff_weights, Vector<T, Exec> workspace) {
  require_shape("linear_backward_weights", "diff_dst", diff_dst, {src.extent(0), diff_dst.extent(1)});
  require_shape("linear_backward_weights", "diff_weights", diff_weights, {diff_dst.extent(1), src.extent(1)});
  require_rows_without_gaps("linear_backward_weights", src);
  require_rows_without_gaps("linear_backward_weights", diff_dst);
  convolution_backward_weights<Exec, T>(exec, one_pixel, lines<Exec>(diff_dst), lines<Exec>(src),
                                        window_weights<Exec>(diff_weights), workspace);
}

template <class Exec, class T>
std::size_t linear_workspace_size(const std::size_t N, const std::size_t C, const std::size_t n) {
  const ConstTensor4<T, Exec> weights(nullptr, 1, 1, C, n);
  const ConstTensor4<T, Exec> src(nullptr, N, 1, 1, n);  // the most chunks that up to N rows have
  return std::max({forward_workspace_size<Exec, T>(weights), backward_data_workspace_size<Exec, T>(weights),
                   backward_weights_workspace_size<Exec, T>(src, weights)});
}

#define BCR_INSTANCE(Exec, T)                                                                                        \
  template void linear_forward<Exec, T>(const Exec&, ConstMatrix<T, Exec>, ConstMatrix<T, Exec>,                     \
                                        ConstVector<T, Exec>, Matrix<T, Exec>, Vector<T, Exec>);                     \
  template void linear_backward_data<Exec, T>(const Exec&, ConstMatrix<T, Exec>, ConstMatrix<T, Exec>,               \
                                              Matrix<T, Exec>, ChainStart, Vector<T, Exec>);                         \
  template void linear_backward_weights<Exec, T>(const Exec&, ConstMatrix<T, Exec>, ConstMatrix<T, Exec>,            \
                                                 Matrix<T, Exec>, Vector<T, Exec>);                                  \
  template std::size_t linear_workspace_size<Exec, T>(std::size_t, std::size_t, std::size_t);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
