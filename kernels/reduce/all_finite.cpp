#include "kernels/reduce/all_finite.hpp"

#include "src/core/instances.hpp"

#include <cstdint>
#include <limits>

namespace bcr::kernels {

template <class Exec, class T>
bool all_finite(const Exec& exec, const ConstVector<T, Exec> src) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const Bits infinity = Kokkos::bit_cast<Bits>(std::numeric_limits<T>::infinity());  // all exponent bits, nothing else
  std::size_t others = 0;
  Kokkos::parallel_reduce(
      "bcr::kernels::all_finite", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, src.extent(0)),
      KOKKOS_LAMBDA(const std::size_t i, std::size_t& count) {
        count += (Kokkos::bit_cast<Bits>(src(i)) & infinity) == infinity ? 1 : 0;
      },
      others);
  return others == 0;
}

#define BCR_INSTANCE(Exec, T) template bool all_finite<Exec, T>(const Exec&, ConstVector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
