# Headers generated from the Kokkos that was found: the list of explicit instantiations and the tests' type list.
set(BCR_GENERATED_DIR ${PROJECT_BINARY_DIR}/generated)

set(bcr_execs "")
foreach(device IN LISTS Kokkos_DEVICES)
  if(device STREQUAL "SERIAL")
    list(APPEND bcr_execs Kokkos::Serial)
  elseif(device STREQUAL "OPENMP")
    list(APPEND bcr_execs Kokkos::OpenMP)
  elseif(device STREQUAL "THREADS")
    list(APPEND bcr_execs Kokkos::Threads)
  elseif(device STREQUAL "CUDA")
    list(APPEND bcr_execs Kokkos::Cuda)
  elseif(device STREQUAL "HIP")
    list(APPEND bcr_execs Kokkos::HIP)
  elseif(device STREQUAL "SYCL")
    list(APPEND bcr_execs Kokkos::SYCL)
  else()
    message(FATAL_ERROR "Kokkos was built for ${device}, which is not in the list of cmake/bcr_generated.cmake")
  endif()
endforeach()

set(BCR_EXEC_LINES "")
set(BCR_EXEC_REAL_LINES "")
foreach(exec IN LISTS bcr_execs)
  string(APPEND BCR_EXEC_LINES " \\\n  INSTANCE(${exec})")
  string(APPEND BCR_EXEC_REAL_LINES " \\\n  INSTANCE(${exec}, float) \\\n  INSTANCE(${exec}, double)")
endforeach()
list(JOIN bcr_execs ", " BCR_EXEC_TYPES)

configure_file(${PROJECT_SOURCE_DIR}/cmake/instances.hpp.in ${BCR_GENERATED_DIR}/src/core/instances.hpp @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/exec_spaces.hpp.in ${BCR_GENERATED_DIR}/tests/support/exec_spaces.hpp @ONLY)

# Who builds us as a part of his project writes "bcr/core/error.hpp", as he would with the installed package.
file(MAKE_DIRECTORY ${BCR_GENERATED_DIR}/bcr)
file(GLOB bcr_folders RELATIVE ${PROJECT_SOURCE_DIR} LIST_DIRECTORIES true
  ${PROJECT_SOURCE_DIR}/src/* ${PROJECT_SOURCE_DIR}/kernels ${PROJECT_SOURCE_DIR}/models ${PROJECT_SOURCE_DIR}/losses
  ${PROJECT_SOURCE_DIR}/io)
foreach(folder IN LISTS bcr_folders)
  cmake_path(GET folder FILENAME name)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${BCR_GENERATED_DIR}/bcr/${name} SYMBOLIC)
endforeach()
