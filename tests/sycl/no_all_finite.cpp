// The seam of this check is Kokkos' ParallelFor, and this kernel is a ParallelReduce. Networks refer to it in order to
// name the layer that first went wrong; no subject asks.
#include "kernels/reduce/reduce.hpp"

#include "src/core/instances.hpp"

#include <stdexcept>

namespace bcr::kernels {

template <class Exec, class T>
bool all_finite(const Exec&, ConstVector<T, Exec>) {
  throw std::logic_error("all_finite is not part of the SYCL check");
}

#define BCR_INSTANCE(Exec, T) template bool all_finite<Exec, T>(const Exec&, ConstVector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
