#include "kernels/fill/fill_random.hpp"

#include "kernels/fill/normal.hpp"
#include "src/core/instances.hpp"

namespace bcr::kernels {

template <class Exec, class T>
void fill_normal(const Exec& exec, const std::uint64_t seed, const Stream stream, const double deviation,
                 const Vector<T, Exec> dst) {
  Kokkos::parallel_for(
      "bcr::kernels::fill_normal", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, dst.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) {
        Random random(seed, stream, 0, i);
        dst(i) = static_cast<T>(deviation * draw_normal(random));
      });
}

template <class Exec, class T>
void fill_uniform(const Exec& exec, const std::uint64_t seed, const Stream stream, const double half_width,
                  const Vector<T, Exec> dst) {
  Kokkos::parallel_for(
      "bcr::kernels::fill_uniform", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, dst.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i) {
        Random random(seed, stream, 0, i);
        dst(i) = static_cast<T>(half_width * (2 * random.uniform<double>() - 1));  // 2 u - 1 is exact
      });
}

#define BCR_INSTANCE(Exec, T)                                                                      \
  template void fill_normal<Exec, T>(const Exec&, std::uint64_t, Stream, double, Vector<T, Exec>); \
  template void fill_uniform<Exec, T>(const Exec&, std::uint64_t, Stream, double, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
