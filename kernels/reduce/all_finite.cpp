#include "kernels/reduce/reduce.hpp"

#include "src/core/instances.hpp"

#include <cstdint>
#include <limits>

namespace bcr::kernels {
namespace {

template <class Exec, class T>
struct CountNotFinite {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  ConstVector<T, Exec> src;
  Bits infinity;  ///< all exponent bits, nothing else

  KOKKOS_FUNCTION void operator()(const std::size_t i, std::size_t& count) const {
    count += (Kokkos::bit_cast<Bits>(src(i)) & infinity) == infinity ? 1 : 0;
  }
};

}  // namespace

template <class Exec, class T>
bool all_finite(const Exec& exec, const ConstVector<T, Exec> src) {
  using Count = CountNotFinite<Exec, T>;
  const auto infinity = Kokkos::bit_cast<typename Count::Bits>(std::numeric_limits<T>::infinity());
  std::size_t others = 0;
  Kokkos::parallel_reduce("bcr::kernels::all_finite",
                          Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, src.extent(0)),
                          Count{src, infinity}, others);
  return others == 0;
}

#define BCR_INSTANCE(Exec, T) template bool all_finite<Exec, T>(const Exec&, ConstVector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
