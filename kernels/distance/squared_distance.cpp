#include "kernels/distance/squared_distance.hpp"

#include "kernels/distance/tile_sweep.hpp"
#include "kernels/reduce/reduce.hpp"
#include "src/core/instances.hpp"

namespace bcr::kernels {
namespace {

/// Vectors of centres in a tile. AVX-512 broadcasts a feature as an operand of the subtraction, at no cost; the
/// registers that AVX2 needs for it are best shared by two vectors.
constexpr int widest = impl::host_vector_bytes == 64 ? 1 : 2;

/// Rows of a tile: the sums, the centres, a feature and a difference fill the 16 registers of AVX2; with AVX-512 the
/// pointers to the rows fill the general registers. Clang keeps more rows of sums in memory.
#ifdef __clang__
constexpr int host_rows(int) {
  return 3;
}
#else
constexpr int host_rows(const int vectors) {
  return widest == 1 ? 10 : 12 / vectors;
}
#endif

/// Columns are centres, j runs over the dimensions: the panel holds the centres transposed.
template <class Exec, class T, int vectors>
struct SquaredDistance {
  using Shape = impl::TileShape<Exec, T, host_rows(vectors), vectors>;
  static constexpr int R = Shape::rows;
  static constexpr int L = Shape::lanes;
  static constexpr int pitch = Shape::panel_pitch;

  ConstMatrix<T, Exec> src;
  ConstMatrix<T, Exec> centres;
  Matrix<T, Exec> dst;

  /// Lanes beyond the last centre repeat it; their sums are never stored.
  template <class Member>
  KOKKOS_FUNCTION void stage(const Member& team, T* const panel, const int first, const int first_d,
                             const int count) const {
    const int last = centres.extent_int(0) - 1;
    if constexpr (Shape::host) {
      for (int lane = 0; lane < Shape::panel_lanes; ++lane) {
        const T* const centre = centres.data() + Kokkos::min(first + lane, last) * centres.stride(0) + first_d;
        for (int d = 0; d < count; ++d) panel[d * pitch + lane] = centre[d];
        KOKKOS_IF_ON_HOST((prefetch(centre, centres.extent_int(1) - first_d);))
      }
    } else {
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, Shape::panel_lanes * count), [&](const int entry) {
        const int lane = entry / count;
        const int d = entry % count;
        panel[d * pitch + lane] = centres(Kokkos::min(first + lane, last), first_d + d);
      });
    }
  }

  /// The next chunk of a centre is fetched while this one is computed: the jumps between centres surprise the hardware.
  static void prefetch(const T* const centre, const int left) {
    const int end = Kokkos::min(2 * impl::chunk_length, left);
    for (int d = impl::chunk_length; d < end; d += 64 / int(sizeof(T))) __builtin_prefetch(centre + d);
  }

  /// Rows beyond the last repeat it; their sums are never stored.
  KOKKOS_FUNCTION impl::TileSums<T, R, L> chunk_sums(const int first_row, int, const T* const panel, const int first_d,
                                                     const int count) const {
    const T* row[R];
    for (int r = 0; r < R; ++r) {
      row[r] = src.data() + Kokkos::min(first_row + r, src.extent_int(0) - 1) * src.stride(0) + first_d;
    }
    impl::TileSums<T, R, L> sums{};
#pragma GCC unroll 2
    for (int d = 0; d < count; ++d) {
#pragma GCC unroll 12
      for (int r = 0; r < R; ++r) {
        const T feature = row[r][d];
#pragma omp simd
        for (int l = 0; l < L; ++l) {
          const T difference = panel[d * pitch + l] - feature;  // its sign leaves with the square
          sums.value[r][l] = Kokkos::fma(difference, difference, sums.value[r][l]);
        }
      }
    }
    return sums;
  }

  KOKKOS_FUNCTION T* row(const int i) const {
    return dst.data() + i * dst.stride(0);
  }
  KOKKOS_FUNCTION static T finish(const T sum) {
    return sum;
  }
};

/// How many of the last centres fit one vector, so that two would compute mostly what nobody reads.
template <class Wide>
int narrow_columns(const int columns) {
  const int rest = columns % Wide::L;
  return Wide::Shape::host && widest == 2 && 2 * rest <= Wide::L ? rest : 0;
}

}  // namespace

template <class Exec, class T>
void squared_distance(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> centres, Matrix<T, Exec> dst) {
  require_shape("squared_distance", "centres", centres, {centres.extent(0), src.extent(1)});
  require_shape("squared_distance", "dst", dst, {src.extent(0), centres.extent(0)});
  const auto sweep = [&](const auto& body, const impl::ColumnRange columns) {
    impl::tile_sweep<Exec, T>("bcr::kernels::squared_distance", exec, body, src.extent_int(0), columns,
                              src.extent_int(1));
  };
  using Wide = SquaredDistance<Exec, T, widest>;
  const int C = centres.extent_int(0);
  const int narrow = narrow_columns<Wide>(C);
  sweep(Wide{src, centres, dst}, {0, C - narrow});
  if constexpr (Wide::Shape::host && widest == 2)
    sweep(SquaredDistance<Exec, T, 1>{src, centres, dst}, {C - narrow, C});
}

#define BCR_INSTANCE(Exec, T) \
  template void squared_distance<Exec, T>(const Exec&, ConstMatrix<T, Exec>, ConstMatrix<T, Exec>, Matrix<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

template <class Exec, class T>
void nearest(const Exec& exec, ConstMatrix<T, Exec> distances, Labels<Exec> index, Vector<T, Exec> value) {
  row_argmin<Exec, T>(exec, distances, index, value);
}

#define BCR_INSTANCE(Exec, T) \
  template void nearest<Exec, T>(const Exec&, ConstMatrix<T, Exec>, Labels<Exec>, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
