// Host and device memory are different types, so mixing them up does not compile. What compiles all the same, reading
// an element of a device View on the host, Kokkos stops at run time: device memory is not mapped there (no UVM).
#include "kernels/math/map.hpp"
#include "src/core/launch.hpp"
#include "src/core/views.hpp"

#include <concepts>

namespace bcr::test {
namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using Device = Kokkos::DefaultExecutionSpace;

static_assert(!is_host_exec<Device>, "this file is for builds whose default execution space is a device");
static_assert(!Kokkos::SpaceAccessibility<Kokkos::HostSpace, Device::memory_space>::accessible,
              "device memory that the host can touch hides copies");

static_assert(!std::convertible_to<Vector<float, Device>, Vector<float, Host>>);
static_assert(!std::convertible_to<Vector<float, Host>, Vector<float, Device>>);
static_assert(!std::constructible_from<Matrix<float, Host>, Matrix<float, Device>>);
static_assert(!std::assignable_from<Vector<float, Host>&, Vector<float, Device>>);
static_assert(std::convertible_to<Vector<float, Device>, RightView<const float*, Device>>);

template <class Exec, class Src, class Dst>
concept ExpTakes = requires(const Exec& exec, Src src, Dst dst) {
  kernels::strict::exp<Exec, float>(exec, src, dst);
};
static_assert(ExpTakes<Device, Vector<float, Device>, Vector<float, Device>>);
static_assert(!ExpTakes<Device, Vector<float, Host>, Vector<float, Device>>, "a kernel took host memory as its input");
static_assert(!ExpTakes<Device, Vector<float, Device>, Vector<float, Host>>, "a kernel took host memory as its output");
static_assert(!ExpTakes<Host, Vector<float, Device>, Vector<float, Host>>, "the host took device memory");

}  // namespace
}  // namespace bcr::test
