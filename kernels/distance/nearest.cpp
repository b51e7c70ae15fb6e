#include "kernels/distance/nearest.hpp"

#include "kernels/reduce/row_extreme.hpp"
#include "src/core/instances.hpp"

namespace bcr::kernels {

template <class Exec, class T>
void nearest(const Exec& exec, ConstMatrix<T, Exec> distances, Labels<Exec> index, Vector<T, Exec> value) {
  row_argmin<Exec, T>(exec, distances, index, value);
}

#define BCR_INSTANCE(Exec, T) \
  template void nearest<Exec, T>(const Exec&, ConstMatrix<T, Exec>, Labels<Exec>, Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
