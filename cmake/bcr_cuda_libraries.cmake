# cuBLAS comes with the toolkit; cuDNN is a package of its own, in the toolkit's directory or elsewhere.
find_package(CUDAToolkit REQUIRED)
set(BCR_ENABLE_CUBLAS ON)

find_path(CUDNN_INCLUDE_DIR cudnn.h HINTS ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES include)
find_library(CUDNN_LIBRARY cudnn HINTS ${CUDAToolkit_LIBRARY_DIR} PATH_SUFFIXES lib lib64)
mark_as_advanced(CUDNN_INCLUDE_DIR CUDNN_LIBRARY)
if(CUDNN_INCLUDE_DIR AND CUDNN_LIBRARY)
  set(BCR_ENABLE_CUDNN ON)
else()
  message(STATUS "cuDNN was not found: convolutions of fast mode on CUDA run by our own kernels. "
    "-DCUDNN_INCLUDE_DIR=, -DCUDNN_LIBRARY= lead to it.")
endif()

# CMake does not recognise what nvcc_wrapper makes, and must know it to set the search path of an installed program.
if(CMAKE_EXECUTABLE_FORMAT STREQUAL "Unknown" AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(CMAKE_EXECUTABLE_FORMAT ELF)
endif()
