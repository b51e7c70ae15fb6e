#include "kernels/norm/batch_norm_forward.hpp"

#include "kernels/norm/channel_map.hpp"
#include "kernels/norm/chunk_sums.hpp"
#include "kernels/norm/norm_shapes.hpp"
#include "src/core/instances.hpp"

namespace bcr::kernels {
namespace {

template <class T>
struct ValueAndSquare {
  static constexpr auto kind = impl::SumKind::products;
  static constexpr bool is_source = true;
  const T* src;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::pair<T, T> operator()(const std::size_t e, int, bool) const {
    return {src[e], src[e]};
  }
};

struct StoreSum {
  double* sums;
  KOKKOS_FUNCTION void operator()(const int column, const double sum) const { sums[column] = sum; }
};

template <class T, Activation activation>
struct ForwardMap {
  static constexpr int coefficients = 2;
  const T* src;
  T* dst;
  T factor;

  template <class Coefficient>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const std::size_t e, const Coefficient& coefficient,
                                              const bool keep) const {
    const T y = activated<activation>(Kokkos::fma(coefficient(0), src[e], coefficient(1)));
    const T kept = y * factor;
    dst[e] = keep ? kept : T(0);
  }
};

}  // namespace

std::size_t norm_partials(const std::size_t rows, const std::size_t channels) {
  return 2 * impl::norm_chunks(rows) * channels;
}

template <class Exec, class T>
void batch_norm_sums(const Exec& exec, ConstMatrix<T, Exec> src, Vector<double, Exec> partials,
                     Matrix<double, Exec> sums) {
  impl::require_contiguous("batch_norm_sums", "src", src);
  impl::require_contiguous("batch_norm_sums", "sums", sums);
  impl::require_partials("batch_norm_sums", partials, norm_partials(src.extent(0), src.extent(1)));
  require_shape("batch_norm_sums", "sums", sums, {2, src.extent(1)});
  impl::chunk_sums<T>("bcr::kernels::batch_norm_sums", exec, ValueAndSquare<T>{src.data()}, StoreSum{sums.data()},
                      Dropout{}, src.extent_int(0), src.extent_int(1), partials);
}

template <class Exec, class T>
void batch_norm_forward(const Exec& exec, ConstMatrix<T, Exec> src, ConstVector<T, Exec> scale,
                        ConstVector<T, Exec> shift, const Activation activation, const Dropout& dropout,
                        Matrix<T, Exec> dst) {
  require_dropout("batch_norm_forward", dropout);
  impl::require_contiguous("batch_norm_forward", "src", src);
  impl::require_contiguous("batch_norm_forward", "dst", dst);
  require_shape("batch_norm_forward", "dst", dst, shape(src));
  require_shape("batch_norm_forward", "scale", scale, {src.extent(1)});
  require_shape("batch_norm_forward", "shift", shift, {src.extent(1)});
  const Kokkos::Array<const T*, 2> coefficients{scale.data(), shift.data()};
  const auto launch = [&](const auto& map) {
    impl::channel_map<T>("bcr::kernels::batch_norm_forward", exec, map, coefficients, dropout, src.extent_int(1),
                         src.size());
  };
  const T factor = static_cast<T>(dropout.factor());
  if (activation == Activation::relu) {
    launch(ForwardMap<T, Activation::relu>{src.data(), dst.data(), factor});
  } else {
    launch(ForwardMap<T, Activation::none>{src.data(), dst.data(), factor});
  }
}

#define BCR_INSTANCE(Exec, T)                                                                        \
  template void batch_norm_sums<Exec, T>(const Exec&, ConstMatrix<T, Exec>, Vector<double, Exec>,    \
                                         Matrix<double, Exec>);                                      \
  template void batch_norm_forward<Exec, T>(const Exec&, ConstMatrix<T, Exec>, ConstVector<T, Exec>, \
                                            ConstVector<T, Exec>, Activation, const Dropout&, Matrix<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
