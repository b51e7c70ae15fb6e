#ifndef BCR_TESTS_SYCL_KOKKOS_NAMES_HPP
#define BCR_TESTS_SYCL_KOKKOS_NAMES_HPP

// Included before anything of Kokkos, on both sides: names that Kokkos 5.0 takes from an extension which newer SYCL
// headers have dropped, and a macro that only a SYCL compiler defines and that Kokkos' host code asks for too.
#include <sycl/sycl.hpp>

#if !__has_include(<sycl/ext/intel/usm_pointers.hpp>)
#undef SYCL_EXT_INTEL_USM_ADDRESS_SPACES
#define SYCL_EXT_INTEL_USM_ADDRESS_SPACES 2
namespace sycl::ext::intel {
/// As much of it as Kokkos uses.
template <class T>
class usm_pointer {
 public:
  usm_pointer(T* const pointer = nullptr) : pointer_(pointer) {}
  template <class U>
  usm_pointer(const usm_pointer<U>& other) : pointer_(other.get()) {}
  operator T*() const { return pointer_; }
  T* get() const { return pointer_; }

 private:
  T* pointer_;
};
#ifdef __SYCL_DEVICE_ONLY__
template <class T>
using device_ptr = usm_pointer<T>;
#else
template <class T>
using device_ptr = T*;
#endif
template <class T>
using host_ptr = T*;
}  // namespace sycl::ext::intel
#endif

#ifndef SYCL_LANGUAGE_VERSION
#define SYCL_LANGUAGE_VERSION 202012L
#endif

#endif
