#include "kernels/norm/batch_norm_backward.hpp"

#include "kernels/norm/batch_norm_forward.hpp"
#include "kernels/norm/channel_map.hpp"
#include "kernels/norm/chunk_sums.hpp"
#include "kernels/norm/norm_shapes.hpp"
#include "src/core/instances.hpp"

#include <string_view>
#include <type_traits>

namespace bcr::kernels {
namespace {

/// m: what of the gradient comes back through the dropout and the activation.
template <Activation activation, class T>
KOKKOS_FORCEINLINE_FUNCTION T passed_back(const T diff, const T x, const T scale, const T shift, const bool keep) {
  const bool passed = passes<activation>(Kokkos::fma(scale, x, shift));
  return (keep & passed) ? diff : T(0);
}

/// m and src - mean.
template <class T, Activation activation>
struct GradientTerm {
  static constexpr auto kind = impl::SumKind::products;
  static constexpr bool is_source = false;
  const T* src;
  const T* diff_dst;
  const T* mean;
  const T* scale;
  const T* shift;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::pair<T, T> operator()(const std::size_t e, const int c, const bool keep) const {
    const T x = src[e];
    return {passed_back<activation>(diff_dst[e], x, scale[c], shift[c], keep), x - mean[c]};
  }
};

template <class T>
struct StoreGradientSum {
  const T* inverse_std;
  double factor;
  int channels;
  double* sums;

  KOKKOS_FUNCTION void operator()(const int column, const double sum) const {
    const double weight = column < channels ? factor : factor * double(inverse_std[column - channels]);
    sums[column] = weight * sum;
  }
};

template <class T, Activation activation, ChainStart start>
struct BackwardMap {
  static constexpr int coefficients = activation == Activation::none ? 4 : 6;
  const T* src;
  const T* diff_dst;
  T* diff_src;

  template <class Coefficient>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const std::size_t e, const Coefficient& coefficient,
                                              const bool keep) const {
    const T x = src[e];
    const T diff = diff_dst[e];
    T m = keep ? diff : T(0);
    if constexpr (activation != Activation::none)
      m = passed_back<activation>(diff, x, coefficient(4), coefficient(5), keep);
    const T deviation = x - coefficient(0);
    const T sum = Kokkos::fma(coefficient(1), m, Kokkos::fma(coefficient(2), deviation, coefficient(3)));
    diff_src[e] = start == ChainStart::dst ? diff_src[e] + sum : sum;
  }
};

template <class Exec, class T>
void require_coefficients(const std::string_view operation, const BatchNormCoefficients<Exec, T>& coefficients,
                          const std::size_t channels) {
  require_shape(operation, "mean", coefficients.mean, {channels});
  require_shape(operation, "inverse_std", coefficients.inverse_std, {channels});
  require_shape(operation, "scale", coefficients.scale, {channels});
  require_shape(operation, "shift", coefficients.shift, {channels});
}

/// launch(map) with the activation and the start as constants.
template <class T, class Launch>
void with_backward_map(const Activation activation, const ChainStart start, const T* const src, const T* const diff_dst,
                       T* const diff_src, const Launch& launch) {
  if (activation == Activation::relu && start == ChainStart::zero)
    launch(BackwardMap<T, Activation::relu, ChainStart::zero>{src, diff_dst, diff_src});
  else if (activation == Activation::relu)
    launch(BackwardMap<T, Activation::relu, ChainStart::dst>{src, diff_dst, diff_src});
  else if (start == ChainStart::zero)
    launch(BackwardMap<T, Activation::none, ChainStart::zero>{src, diff_dst, diff_src});
  else
    launch(BackwardMap<T, Activation::none, ChainStart::dst>{src, diff_dst, diff_src});
}

}  // namespace

template <class Exec, class T>
void batch_norm_backward_sums(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> diff_dst,
                              const BatchNormCoefficients<Exec, T>& coefficients, const Activation activation,
                              const Dropout& dropout, Vector<double, Exec> partials, Matrix<double, Exec> sums) {
  constexpr std::string_view name = "batch_norm_backward_sums";
  require_dropout(name, dropout);
  impl::require_contiguous(name, "src", src);
  impl::require_contiguous(name, "diff_dst", diff_dst);
  impl::require_contiguous(name, "sums", sums);
  impl::require_partials(name, partials, norm_partials(src.extent(0), src.extent(1)));
  require_shape(name, "diff_dst", diff_dst, shape(src));
  require_shape(name, "sums", sums, {2, src.extent(1)});
  require_coefficients(name, coefficients, src.extent(1));
  const int channels = src.extent_int(1);
  const StoreGradientSum<T> finish{coefficients.inverse_std.data(), dropout.factor(), channels, sums.data()};
  const auto launch = [&](const auto& term) {
    impl::chunk_sums<T>("bcr::kernels::batch_norm_backward_sums", exec, term, finish, dropout, src.extent_int(0),
                        channels, partials);
  };
  const T* const mean = coefficients.mean.data();
  const T* const scale = coefficients.scale.data();
  const T* const shift = coefficients.shift.data();
  if (activation == Activation::relu) {
    launch(GradientTerm<T, Activation::relu>{src.data(), diff_dst.data(), mean, scale, shift});
  } else {
    launch(GradientTerm<T, Activation::none>{src.data(), diff_dst.data(), mean, scale, shift});
  }
}

template <class Exec, class T>
void batch_norm_backward(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> diff_dst,
                         const BatchNormCoefficients<Exec, T>& coefficients, ConstMatrix<T, Exec> terms,
                         const Activation activation, const Dropout& dropout, const ChainStart start,
                         Matrix<T, Exec> diff_src) {
  constexpr std::string_view name = "batch_norm_backward";
  require_dropout(name, dropout);
  require<ShapeError>(start != ChainStart::bias, name, "a start of zero or dst", "bias");
  impl::require_contiguous(name, "src", src);
  impl::require_contiguous(name, "diff_dst", diff_dst);
  impl::require_contiguous(name, "diff_src", diff_src);
  impl::require_contiguous(name, "terms", terms);
  require_shape(name, "diff_dst", diff_dst, shape(src));
  require_shape(name, "diff_src", diff_src, shape(src));
  require_shape(name, "terms", terms, {3, src.extent(1)});
  require_coefficients(name, coefficients, src.extent(1));
  const int channels = src.extent_int(1);
  const T* const term = terms.data();
  const T* const columns[] = {coefficients.mean.data(),  term,
                              term + channels,           term + 2 * channels,
                              coefficients.scale.data(), coefficients.shift.data()};
  with_backward_map(activation, start, src.data(), diff_dst.data(), diff_src.data(), [&](const auto& map) {
    constexpr int count = std::decay_t<decltype(map)>::coefficients;
    Kokkos::Array<const T*, count> used{};
    for (int k = 0; k < count; ++k) used[k] = columns[k];
    impl::channel_map<T>("bcr::kernels::batch_norm_backward", exec, map, used, dropout, channels, src.size());
  });
}

#define BCR_INSTANCE(Exec, T)                                                                                         \
  template void batch_norm_backward_sums<Exec, T>(const Exec&, ConstMatrix<T, Exec>, ConstMatrix<T, Exec>,            \
                                                  const BatchNormCoefficients<Exec, T>&, Activation, const Dropout&,  \
                                                  Vector<double, Exec>, Matrix<double, Exec>);                        \
  template void batch_norm_backward<Exec, T>(const Exec&, ConstMatrix<T, Exec>, ConstMatrix<T, Exec>,                 \
                                             const BatchNormCoefficients<Exec, T>&, ConstMatrix<T, Exec>, Activation, \
                                             const Dropout&, ChainStart, Matrix<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
