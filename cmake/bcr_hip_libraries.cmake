# Both are packages of their own in ROCm. MIOpen wants rocBLAS too: it turns the weights into MIOpen's order.
find_package(rocblas CONFIG HINTS ENV ROCM_PATH QUIET)
find_package(miopen CONFIG HINTS ENV ROCM_PATH QUIET)
if(rocblas_FOUND)
  set(BCR_ENABLE_ROCBLAS ON)
  set(BCR_ENABLE_MIOPEN ${miopen_FOUND})
endif()
if(NOT BCR_ENABLE_MIOPEN)
  message(STATUS "rocBLAS and MIOpen were not both found: convolutions of fast mode on HIP run by our own kernels. "
    "CMAKE_PREFIX_PATH or ROCM_PATH lead to them.")
endif()
