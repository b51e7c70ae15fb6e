#ifndef BCR_TESTS_SYCL_SHIPMENT_HPP
#define BCR_TESTS_SYCL_SHIPMENT_HPP

#include <sycl/sycl.hpp>

#include <cstddef>
#include <string>
#include <typeinfo>

namespace bcr::sycl_check {

/// How many threads run a functor, and how much scratch memory a team has; the figures Kokkos itself computes.
struct Launch {
  bool teams = false;
  std::size_t begin = 0;  ///< of a range
  std::size_t count = 0;  ///< of a range, or of teams
  std::size_t team_size = 1;
  std::size_t reduction_bytes = 0;  ///< in front of the scratch of level 0
  std::size_t scratch_bytes[2] = {0, 0};
};

/// A functor on its way to the device: its bytes, the name of its type, and the source that defines it.
struct Shipment {
  const char* source;
  const std::type_info& type;
  const void* bytes;
  std::size_t size;
  Launch launch;
};

/// Runs it there, and returns when it is done. The first call for a type only notes it, see DeviceCode.
void ship(sycl::queue& queue, const Shipment& shipment);

}  // namespace bcr::sycl_check

#endif
