// Must not compile: a kernel calls a function of the host. nvcc by itself warns and leaves the call out.
#include "src/core/views.hpp"

namespace bcr::test {

using Device = Kokkos::DefaultExecutionSpace;

void change_on_the_host(double& value);

struct CallsTheHost {
  Vector<double, Device> dst;

  KOKKOS_FUNCTION void operator()(const int i) const { change_on_the_host(dst(i)); }
};

void launch(const Vector<double, Device>& dst) {
  Kokkos::parallel_for("bcr::tests::host_call", Kokkos::RangePolicy<Device>(0, dst.extent_int(0)), CallsTheHost{dst});
}

}  // namespace bcr::test
