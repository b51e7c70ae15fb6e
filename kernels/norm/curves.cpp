#include "kernels/norm/curves.hpp"

#include "kernels/math/tanh.hpp"
#include "kernels/norm/channel_map.hpp"
#include "kernels/norm/norm_shapes.hpp"
#include "kernels/reduce/fixed_sum.hpp"
#include "src/core/instances.hpp"

namespace bcr::kernels {
namespace {

template <class T>
struct LeakyReluMap {
  static constexpr int coefficients = 0;
  const T* src;
  const T* slope;
  T* dst;
  template <class Coefficient>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const std::size_t e, const Coefficient&, bool) const {
    const T x = src[e];
    const T bent = *slope * x;
    dst[e] = x <= T(0) ? bent : x;
  }
};

template <class T>
struct LeakyReluBackwardMap {
  static constexpr int coefficients = 0;
  const T* src;
  const T* slope;
  const T* diff_dst;
  T* diff_src;
  template <class Coefficient>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const std::size_t e, const Coefficient&, bool) const {
    const T diff = diff_dst[e];
    const T bent = *slope * diff;
    diff_src[e] = src[e] <= T(0) ? bent : diff;
  }
};

template <class T>
struct TanhMap {
  static constexpr int coefficients = 0;
  const T* src;
  T* dst;
  template <class Coefficient>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const std::size_t e, const Coefficient&, bool) const {
    dst[e] = strict::tanh(src[e]);
  }
};

template <class T>
struct TanhBackwardMap {
  static constexpr int coefficients = 0;
  const T* dst;
  const T* diff_dst;
  T* diff_src;
  template <class Coefficient>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const std::size_t e, const Coefficient&, bool) const {
    const T y = dst[e];
    diff_src[e] = diff_dst[e] * Kokkos::fma(-y, y, T(1));
  }
};

/// The sum of one chunk of the list.
template <class Exec, class T>
struct SlopeChunk {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  const T* src;
  const T* diff_dst;
  Vector<double, Exec> partials;
  std::size_t length;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t begin = std::size_t(team.league_rank()) * sum_chunk;
    const int count = length - begin < std::size_t(sum_chunk) ? int(length - begin) : sum_chunk;
    const T* const x = src + begin;
    const T* const diff = diff_dst + begin;
    const auto accumulate = [&](const int i, const double sum) {
      return x[i] <= T(0) ? Kokkos::fma(double(diff[i]), double(x[i]), sum) : sum;
    };
    const double sum = chunk_sum(team, sum_scratch(team), 0, count, accumulate);
    Kokkos::single(Kokkos::PerTeam(team), [&] { partials(team.league_rank()) = sum; });
  }
};

template <class Exec, class T>
struct SlopeSum {
  Vector<double, Exec> partials;
  int chunks;
  Vector<T, Exec> diff_slope;

  KOKKOS_FUNCTION void operator()(const int) const {
    NeighbourTree tree;
    for (int k = 0; k < chunks; ++k) tree.push(partials(k));
    diff_slope(0) = T(tree.result());
  }
};

template <class T, class Exec, class Map>
void flat_map(const char* const label, const Exec& exec, const Map& map, const std::size_t size) {
  const Kokkos::Array<const T*, 1> none{};
  impl::channel_map<T>(label, exec, map, none, Dropout{}, DropoutMask::batch, size);
}

}  // namespace

template <class Exec, class T>
void leaky_relu_forward(const Exec& exec, ConstVector<T, Exec> src, ConstVector<T, Exec> slope, Vector<T, Exec> dst) {
  require_shape("leaky_relu_forward", "dst", dst, shape(src));
  require_shape("leaky_relu_forward", "slope", slope, {1});
  flat_map<T>("bcr::kernels::leaky_relu_forward", exec, LeakyReluMap<T>{src.data(), slope.data(), dst.data()},
              src.size());
}

template <class Exec, class T>
void leaky_relu_backward(const Exec& exec, ConstVector<T, Exec> src, ConstVector<T, Exec> slope,
                         ConstVector<T, Exec> diff_dst, Vector<T, Exec> diff_src) {
  require_shape("leaky_relu_backward", "diff_dst", diff_dst, shape(src));
  require_shape("leaky_relu_backward", "diff_src", diff_src, shape(src));
  require_shape("leaky_relu_backward", "slope", slope, {1});
  flat_map<T>("bcr::kernels::leaky_relu_backward", exec,
              LeakyReluBackwardMap<T>{src.data(), slope.data(), diff_dst.data(), diff_src.data()}, src.size());
}

std::size_t leaky_relu_partials(const std::size_t length) {
  return (length + sum_chunk - 1) / sum_chunk;
}

template <class Exec, class T>
void leaky_relu_slope_gradient(const Exec& exec, ConstVector<T, Exec> src, ConstVector<T, Exec> diff_dst,
                               Vector<double, Exec> partials, Vector<T, Exec> diff_slope) {
  require_shape("leaky_relu_slope_gradient", "diff_dst", diff_dst, shape(src));
  require_shape("leaky_relu_slope_gradient", "diff_slope", diff_slope, {1});
  const std::size_t chunks = leaky_relu_partials(src.size());
  impl::require_partials("leaky_relu_slope_gradient", partials, chunks);
  if (chunks > 0)
    Kokkos::parallel_for("bcr::kernels::leaky_relu_slope_chunks",
                         block_policy(exec, int(chunks), 64).set_scratch_size(0, Kokkos::PerTeam(sum_scratch_bytes)),
                         SlopeChunk<Exec, T>{src.data(), diff_dst.data(), partials, src.size()});
  Kokkos::parallel_for("bcr::kernels::leaky_relu_slope_sum", Kokkos::RangePolicy<Exec>(exec, 0, 1),
                       SlopeSum<Exec, T>{partials, int(chunks), diff_slope});
}

template <class Exec, class T>
void tanh_forward(const Exec& exec, ConstVector<T, Exec> src, Vector<T, Exec> dst) {
  require_shape("tanh_forward", "dst", dst, shape(src));
  flat_map<T>("bcr::kernels::tanh_forward", exec, TanhMap<T>{src.data(), dst.data()}, src.size());
}

template <class Exec, class T>
void tanh_backward(const Exec& exec, ConstVector<T, Exec> dst, ConstVector<T, Exec> diff_dst,
                   Vector<T, Exec> diff_src) {
  require_shape("tanh_backward", "diff_dst", diff_dst, shape(dst));
  require_shape("tanh_backward", "diff_src", diff_src, shape(dst));
  flat_map<T>("bcr::kernels::tanh_backward", exec, TanhBackwardMap<T>{dst.data(), diff_dst.data(), diff_src.data()},
              dst.size());
}

#define BCR_INSTANCE(Exec, T)                                                                                         \
  template void leaky_relu_forward<Exec, T>(const Exec&, ConstVector<T, Exec>, ConstVector<T, Exec>,                  \
                                            Vector<T, Exec>);                                                         \
  template void leaky_relu_backward<Exec, T>(const Exec&, ConstVector<T, Exec>, ConstVector<T, Exec>,                 \
                                             ConstVector<T, Exec>, Vector<T, Exec>);                                  \
  template void leaky_relu_slope_gradient<Exec, T>(const Exec&, ConstVector<T, Exec>, ConstVector<T, Exec>,           \
                                                   Vector<double, Exec>, Vector<T, Exec>);                            \
  template void tanh_forward<Exec, T>(const Exec&, ConstVector<T, Exec>, Vector<T, Exec>);                            \
  template void tanh_backward<Exec, T>(const Exec&, ConstVector<T, Exec>, ConstVector<T, Exec>, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
