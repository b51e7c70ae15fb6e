#include "kernels/linear/linear.hpp"
#include "kernels/reduce/fixed_sum.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

namespace bcr::kernels {
namespace {

/// Sums of the columns of a matrix; a team has one block of neighbouring columns, a lane one column.
template <class Exec, class T>
struct ColumnSums {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int lanes = 32;
  static constexpr int chunk = 256;

  ConstMatrix<T, Exec> src;
  Vector<T, Exec> dst;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int first = team.league_rank() * lanes;
    const int count = Kokkos::min(int(lanes), src.extent_int(1) - first);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, count), [&](const int l) {
      NeighbourTree tree;
      for (int begin = 0; begin < src.extent_int(0); begin += chunk) {
        const int end = Kokkos::min(begin + int(chunk), src.extent_int(0));
        double sum = 0;
        for (int i = begin; i < end; ++i) sum += double(src(i, first + l));
        tree.push(sum);
      }
      dst(first + l) = T(tree.result());
    });
  }
};

template <class Exec, class T>
struct ScaleRows {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  ConstVector<T, Exec> factor;
  ConstMatrix<T, Exec> src;
  Matrix<T, Exec> dst;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int i = team.league_rank();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, src.extent_int(1)),
                         [&](const int d) { dst(i, d) = factor(i) * src(i, d); });
  }
};

template <class Exec, class T>
struct FillRows {
  ConstVector<T, Exec> row;
  Matrix<T, Exec> dst;

  KOKKOS_FUNCTION void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    const int i = team.league_rank();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, dst.extent_int(1)), [&](const int c) { dst(i, c) = row(c); });
  }
};

}  // namespace

template <class Exec, class T>
void linear_backward_bias(const Exec& exec, ConstMatrix<T, Exec> diff_dst, Vector<T, Exec> diff_bias) {
  require_shape("linear_backward_bias", "diff_bias", diff_bias, {diff_dst.extent(1)});
  if (diff_bias.extent(0) == 0) return;
  using Functor = ColumnSums<Exec, T>;
  const int teams = (diff_dst.extent_int(1) + Functor::lanes - 1) / Functor::lanes;
  Kokkos::parallel_for("bcr::kernels::linear_backward_bias", block_policy(exec, teams, 32), Functor{diff_dst, diff_bias});
}

template <class Exec, class T>
void scale_rows(const Exec& exec, ConstVector<T, Exec> factor, ConstMatrix<T, Exec> src, Matrix<T, Exec> dst) {
  require_shape("scale_rows", "factor", factor, {src.extent(0)});
  require_shape("scale_rows", "dst", dst, shape(src));
  if (src.extent(0) == 0) return;
  Kokkos::parallel_for("bcr::kernels::scale_rows", block_policy(exec, src.extent_int(0)),
                       ScaleRows<Exec, T>{factor, src, dst});
}

template <class Exec, class T>
void fill_rows(const Exec& exec, ConstVector<T, Exec> row, Matrix<T, Exec> dst) {
  require_shape("fill_rows", "row", row, {dst.extent(1)});
  if (dst.extent(0) == 0) return;
  Kokkos::parallel_for("bcr::kernels::fill_rows", block_policy(exec, dst.extent_int(0)), FillRows<Exec, T>{row, dst});
}

#define BCR_INSTANCE(Exec, T)                                                                                     \
  template void fill_rows<Exec, T>(const Exec&, ConstVector<T, Exec>, Matrix<T, Exec>);                           \
  template void linear_backward_bias<Exec, T>(const Exec&, ConstMatrix<T, Exec>, Vector<T, Exec>);                \
  template void scale_rows<Exec, T>(const Exec&, ConstVector<T, Exec>, ConstMatrix<T, Exec>, Matrix<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
