#ifndef BCR_TESTS_PTX_RUNTIME_KOKKOS_KERNELS_HPP
#define BCR_TESTS_PTX_RUNTIME_KOKKOS_KERNELS_HPP

#include <string_view>

namespace bcr::test::ptx {

/// The two kernels inside the library of Kokkos, which it runs when it is initialised and whose PTX it does not show:
/// what they do, in our words. The second fills the locks of atomics that the device lacks; none of our kernels has
/// such.
struct KokkosKernel {
  std::string_view part_of_name;
  std::string_view name;
  std::string_view text;
};

inline constexpr KokkosKernel kokkos_kernels[] = {{"query_cuda_kernel_arch", "query_cuda_kernel_arch", R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry query_cuda_kernel_arch(.param .u64 query_cuda_kernel_arch_param_0)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [query_cuda_kernel_arch_param_0];
  st.global.u32 [%rd1], 800;
  ret;
}
)"},
                                                  {"init_lock_arrays_cuda_kernel", "init_lock_arrays_cuda_kernel", R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry init_lock_arrays_cuda_kernel()
{
  ret;
}
)"}};

}  // namespace bcr::test::ptx

#endif
