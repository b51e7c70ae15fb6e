#include "kernels/fill/fill_random.hpp"

#include "src/core/instances.hpp"

namespace bcr::kernels {
namespace {

template <class Exec, class T>
struct FillNormal {
  std::uint64_t seed;
  Stream stream;
  double deviation;
  Vector<T, Exec> dst;

  KOKKOS_FUNCTION void operator()(const std::size_t i) const {
    Random random(seed, stream, 0, i);
    dst(i) = static_cast<T>(deviation * draw_normal(random));
  }
};

template <class Exec, class T>
struct FillUniform {
  std::uint64_t seed;
  Stream stream;
  double half_width;
  Vector<T, Exec> dst;

  KOKKOS_FUNCTION void operator()(const std::size_t i) const {
    Random random(seed, stream, 0, i);
    dst(i) = static_cast<T>(half_width * (2 * random.uniform<double>() - 1));  // 2 u - 1 is exact
  }
};

template <class Exec>
using Elements = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;

}  // namespace

template <class Exec, class T>
void fill_normal(const Exec& exec, const std::uint64_t seed, const Stream stream, const double deviation,
                 const Vector<T, Exec> dst) {
  Kokkos::parallel_for("bcr::kernels::fill_normal", Elements<Exec>(exec, 0, dst.extent(0)),
                       FillNormal<Exec, T>{seed, stream, deviation, dst});
}

template <class Exec, class T>
void fill_uniform(const Exec& exec, const std::uint64_t seed, const Stream stream, const double half_width,
                  const Vector<T, Exec> dst) {
  Kokkos::parallel_for("bcr::kernels::fill_uniform", Elements<Exec>(exec, 0, dst.extent(0)),
                       FillUniform<Exec, T>{seed, stream, half_width, dst});
}

#define BCR_INSTANCE(Exec, T)                                                                      \
  template void fill_normal<Exec, T>(const Exec&, std::uint64_t, Stream, double, Vector<T, Exec>); \
  template void fill_uniform<Exec, T>(const Exec&, std::uint64_t, Stream, double, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
