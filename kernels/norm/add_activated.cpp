#include "kernels/norm/elementwise.hpp"

#include "src/core/instances.hpp"

namespace bcr::kernels {
namespace {

template <Activation activation, class Exec, class T>
struct AddActivated {
  ConstVector<T, Exec> a;
  ConstVector<T, Exec> b;
  Vector<T, Exec> dst;

  KOKKOS_FUNCTION void operator()(const std::size_t i) const { dst(i) = activated<activation>(a(i) + b(i)); }
};

template <Activation activation, class Exec, class T>
void launch(const Exec& exec, const ConstVector<T, Exec>& a, const ConstVector<T, Exec>& b,
            const Vector<T, Exec>& dst) {
  Kokkos::parallel_for("bcr::kernels::add_activated",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, dst.extent(0)),
                       AddActivated<activation, Exec, T>{a, b, dst});
}

}  // namespace

template <class Exec, class T>
void add_activated(const Exec& exec, const ConstVector<T, Exec> a, const ConstVector<T, Exec> b,
                   const Activation activation, const Vector<T, Exec> dst) {
  require_shape("add_activated", "a", a, {dst.extent(0)});
  require_shape("add_activated", "b", b, {dst.extent(0)});
  if (activation == Activation::relu)
    launch<Activation::relu, Exec, T>(exec, a, b, dst);
  else
    launch<Activation::none, Exec, T>(exec, a, b, dst);
}

#define BCR_INSTANCE(Exec, T)                                                                               \
  template void add_activated<Exec, T>(const Exec&, ConstVector<T, Exec>, ConstVector<T, Exec>, Activation, \
                                       Vector<T, Exec>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::kernels
