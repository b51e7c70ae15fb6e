#include "kernels/norm/column_sums.hpp"

#include "kernels/norm/chunk_sums.hpp"
#include "kernels/norm/norm_shapes.hpp"
#include "src/core/instances.hpp"

namespace bcr::kernels {
namespace {

template <class T>
struct ColumnTerm {
  static constexpr auto kind = impl::SumKind::plain;
  static constexpr bool is_source = true;
  const T* src;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::pair<T, T> operator()(const std::size_t e, int, bool) const {
    return {src[e], T(0)};
  }
};

template <class T>
struct StoreColumn {
  T* dst;
  KOKKOS_FUNCTION void operator()(const int column, const double sum) const { dst[column] = static_cast<T>(sum); }
};

}  // namespace

template <class Exec, class T>
void column_sums(const Exec& exec, ConstMatrix<T, Exec> src, Vector<double, Exec> partials, Vector<T, Exec> dst) {
  impl::require_contiguous("column_sums", "src", src);
  impl::require_partials("column_sums", partials, norm_partials(src.extent(0), src.extent(1)));
  require_shape("column_sums", "dst", dst, {src.extent(1)});
  impl::chunk_sums<T>("bcr::kernels::column_sums", exec, ColumnTerm<T>{src.data()}, StoreColumn<T>{dst.data()},
                      Dropout{}, src.extent_int(0), src.extent_int(1), partials);
}

#define BCR_INSTANCE(Exec, T) \
  template void column_sums<Exec, T>(const Exec&, ConstMatrix<T, Exec>, Vector<double, Exec>, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
