#include "kernels/distance/squared_distance.hpp"

#include "kernels/distance/host_weighted_differences.hpp"
#include "kernels/distance/tile_sweep.hpp"
#include "src/core/instances.hpp"

#include <cstddef>

namespace bcr::kernels {
namespace {

/// Both gradients are one formula, out(i, k) = 2 sum_j weight(i, j) (own(i, k) - other(j, k)), with roles exchanged;
/// here for devices.
template <class Exec, class T>
struct DeviceWeightedDifferences {
  using Shape = impl::TileShape<Exec, T, 4>;
  static constexpr int R = Shape::rows;
  static constexpr int L = Shape::lanes;
  static constexpr int pitch = Shape::panel_pitch;

  ConstMatrix<T, Exec> own;
  ConstMatrix<T, Exec> other;
  const T* weights;
  std::ptrdiff_t weight_stride_i;
  std::ptrdiff_t weight_stride_j;
  Matrix<T, Exec> out;

  /// Lanes beyond the last column repeat it; their sums are never stored.
  template <class Member>
  KOKKOS_FUNCTION void stage(const Member& team, T* const panel, const int first, const int first_j,
                             const int count) const {
    const int last = other.extent_int(1) - 1;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, Shape::panel_lanes * count), [&](const int entry) {
      const int j = entry / Shape::panel_lanes;
      const int lane = entry % Shape::panel_lanes;
      panel[j * pitch + lane] = other(first_j + j, Kokkos::min(first + lane, last));
    });
  }

  /// Rows beyond the last repeat it; their sums are never stored.
  KOKKOS_FUNCTION impl::TileSums<T, R, L> chunk_sums(const int first_row, const int first_column, const T* const panel,
                                                     const int first_j, const int count) const {
    const T* weight[R];
    T mine[R][L];
    for (int r = 0; r < R; ++r) {
      const std::ptrdiff_t i = Kokkos::min(first_row + r, own.extent_int(0) - 1);
      weight[r] = weights + i * weight_stride_i + first_j * weight_stride_j;
      for (int l = 0; l < L; ++l) mine[r][l] = own(i, Kokkos::min(first_column + l, own.extent_int(1) - 1));
    }
    impl::TileSums<T, R, L> sums{};
    for (int j = 0; j < count; ++j) {
      for (int r = 0; r < R; ++r) {
        const T factor = weight[r][j * weight_stride_j];
        for (int l = 0; l < L; ++l) {
          const T difference = mine[r][l] - panel[j * pitch + l];
          sums.value[r][l] = Kokkos::fma(factor, difference, sums.value[r][l]);
        }
      }
    }
    return sums;
  }

  KOKKOS_FUNCTION T* row(const int i) const { return out.data() + i * out.stride(0); }
  KOKKOS_FUNCTION static T finish(const T sum) { return T(2) * sum; }
};

template <impl::WeightOrder order, class Exec, class T>
void weighted_differences(const char* const label, const Exec& exec, const ConstMatrix<T, Exec>& own,
                          const ConstMatrix<T, Exec>& other, const ConstMatrix<T, Exec>& weights,
                          const Matrix<T, Exec>& out) {
  if constexpr (is_host_exec<Exec>) {
    impl::host_weighted_differences(label, exec,
                                    impl::HostWeightedDifferences<Exec, T, order>{own, other, weights, out});
  } else {
    const bool along_sum = order == impl::WeightOrder::along_sum;
    const std::ptrdiff_t pitch = weights.stride(0);
    const DeviceWeightedDifferences<Exec, T> body{
        own, other, weights.data(), along_sum ? pitch : 1, along_sum ? 1 : pitch, out};
    impl::tile_sweep<Exec, T>(label, exec, body, own.extent_int(0), {0, own.extent_int(1)}, other.extent_int(0));
  }
}

template <class Exec, class T>
void require_shapes(const std::string_view operation, const ConstMatrix<T, Exec>& src,
                    const ConstMatrix<T, Exec>& centres, const ConstMatrix<T, Exec>& diff_dst) {
  require_shape(operation, "centres", centres, {centres.extent(0), src.extent(1)});
  require_shape(operation, "diff_dst", diff_dst, {src.extent(0), centres.extent(0)});
}

}  // namespace

template <class Exec, class T>
void squared_distance_diff_src(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> centres,
                               ConstMatrix<T, Exec> diff_dst, Matrix<T, Exec> diff_src) {
  require_shapes<Exec, T>("squared_distance_diff_src", src, centres, diff_dst);
  require_shape("squared_distance_diff_src", "diff_src", diff_src, shape(src));
  weighted_differences<impl::WeightOrder::along_sum, Exec, T>("bcr::kernels::squared_distance_diff_src", exec, src,
                                                              centres, diff_dst, diff_src);
}

template <class Exec, class T>
void squared_distance_diff_centres(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> centres,
                                   ConstMatrix<T, Exec> diff_dst, Matrix<T, Exec> diff_centres) {
  require_shapes<Exec, T>("squared_distance_diff_centres", src, centres, diff_dst);
  require_shape("squared_distance_diff_centres", "diff_centres", diff_centres, shape(centres));
  weighted_differences<impl::WeightOrder::along_rows, Exec, T>("bcr::kernels::squared_distance_diff_centres", exec,
                                                               centres, src, diff_dst, diff_centres);
}

#define BCR_INSTANCE(Exec, T)                                                                                   \
  template void squared_distance_diff_src<Exec, T>(const Exec&, ConstMatrix<T, Exec>, ConstMatrix<T, Exec>,     \
                                                   ConstMatrix<T, Exec>, Matrix<T, Exec>);                      \
  template void squared_distance_diff_centres<Exec, T>(const Exec&, ConstMatrix<T, Exec>, ConstMatrix<T, Exec>, \
                                                       ConstMatrix<T, Exec>, Matrix<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
