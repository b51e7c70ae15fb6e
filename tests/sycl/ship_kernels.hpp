#ifndef BCR_TESTS_SYCL_SHIP_KERNELS_HPP
#define BCR_TESTS_SYCL_SHIP_KERNELS_HPP

// Included by force in front of every source of this check, precompiled. g++ compiles the host side of Kokkos' SYCL
// backend but no device code; so where Kokkos would hand a functor to the SYCL compiler, it is shipped to the run-time
// compiler instead. Nothing else of Kokkos changes: memory, copies, queue, policies and, on the device, the team
// members are its own.
#include "tests/sycl/kokkos_names.hpp"
// The names must come first.
#include <Kokkos_Core.hpp>

#include "tests/sycl/shipment.hpp"

namespace {
extern const char* const bcr_source_of_this_object;  // source_of_object.hpp
}

namespace bcr::sycl_check {
template <class Functor>
concept Shippable = sizeof(Functor) > 0;  // all of them: being constrained, these specialisations win over Kokkos' own
}

namespace Kokkos::Impl {

template <class Functor, class... Properties>
requires bcr::sycl_check::Shippable<Functor>
class ParallelFor<Functor, Kokkos::TeamPolicy<Properties...>, Kokkos::SYCL> {
 public:
  using Policy = TeamPolicy<Properties...>;

  ParallelFor(const Functor& functor, const Policy& policy) : functor_(functor), policy_(policy) {}

  void execute() const {
    if (policy_.league_size() == 0) return;
    const int team_size = policy_.team_size();
    bcr::sycl_check::Launch launch;
    launch.teams = true;
    launch.count = policy_.league_size();
    launch.team_size = team_size;
    launch.reduction_bytes = sizeof(double) * (team_size + 2);
    for (int level : {0, 1}) launch.scratch_bytes[level] = policy_.scratch_size(level, team_size);
    bcr::sycl_check::ship(policy_.space().sycl_queue(),
                          {bcr_source_of_this_object, typeid(Functor), &functor_, sizeof(Functor), launch});
  }

 private:
  Functor functor_;
  Policy policy_;
};

template <class Functor, class... Traits>
requires bcr::sycl_check::Shippable<Functor>
class ParallelFor<Functor, Kokkos::RangePolicy<Traits...>, Kokkos::SYCL> {
 public:
  using Policy = RangePolicy<Traits...>;

  ParallelFor(const Functor& functor, const Policy& policy) : functor_(functor), policy_(policy) {}

  void execute() const {
    if (policy_.begin() == policy_.end()) return;
    bcr::sycl_check::Launch launch;
    launch.begin = policy_.begin();
    launch.count = policy_.end() - policy_.begin();
    bcr::sycl_check::ship(policy_.space().sycl_queue(),
                          {bcr_source_of_this_object, typeid(Functor), &functor_, sizeof(Functor), launch});
  }

 private:
  Functor functor_;
  Policy policy_;
};

}  // namespace Kokkos::Impl

#endif
