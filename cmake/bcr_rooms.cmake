# nvcc, alone or behind nvcc_wrapper, and hipcc compile what sees Kokkos once for the host and once per architecture. What does
# not see it is compiled for the host alone: nvcc_wrapper hands it to the host compiler, hipcc takes it for plain C++.
set(BCR_WITH_NVCC OFF)
set(BCR_HOST_ONLY "")
set(BCR_FOR_DEVICE OFF)
if(Kokkos_DEVICES MATCHES "CUDA|HIP|SYCL")
  set(BCR_FOR_DEVICE ON)
endif()
if("CUDA" IN_LIST Kokkos_DEVICES AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(BCR_WITH_NVCC ON)
  set(BCR_HOST_ONLY --host-only)
elseif("HIP" IN_LIST Kokkos_DEVICES)
  set(BCR_HOST_ONLY -xc++ -Wno-unused-command-line-argument)
endif()

# Compilers for devices read a source twice or more, and most of it are Kokkos' headers: there, sources of a room or of a test
# binary are compiled several at a time. Not those whose device code is looked at file by file.
option(BCR_UNITY "Compile several sources at a time; default: for devices" ${BCR_FOR_DEVICE})
function(bcr_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${BCR_UNITY} UNITY_BUILD_BATCH_SIZE 8)
endfunction()

# bcr_room(<name> [DEPENDS target...] [PRIVATE target...])
#   One library per room: target bcr_<name>, alias bcr::<name>. DEPENDS are the rooms and libraries seen through its
#   headers, PRIVATE those that only its sources see.
function(bcr_room name)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;PRIVATE" ${ARGN})
  add_library(bcr_${name})
  add_library(bcr::${name} ALIAS bcr_${name})
  set_target_properties(bcr_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_compile_features(bcr_${name} PUBLIC cxx_std_20)
  target_include_directories(bcr_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<BUILD_INTERFACE:${BCR_GENERATED_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(bcr_${name} PUBLIC ${ROOM_DEPENDS} PRIVATE ${ROOM_PRIVATE} $<BUILD_INTERFACE:bcr_own_flags>)
  bcr_precompile(bcr_${name} REUSE_FROM bcr_room_headers)
  if(NOT name MATCHES "^(kernels|losses|identity)$")
    bcr_compile_together(bcr_${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY BCR_ROOMS ${name})
endfunction()

# bcr_sources(<room> [SOURCES file...] [HOST_SOURCES file...] [HEADERS file...])
#   Paths relative to the calling folder; headers are installed (cmake/bcr_install.cmake). HOST_SOURCES see nothing of Kokkos, not even through
#   their headers: compilers for devices are spared them, and stumble over none of their headers (nvcc over toml++); nor do
#   they get precompiled headers.
function(bcr_sources room)
  cmake_parse_arguments(FILES "" "" "SOURCES;HOST_SOURCES;HEADERS" ${ARGN})
  list(TRANSFORM FILES_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(TRANSFORM FILES_HOST_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(TRANSFORM FILES_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  target_sources(bcr_${room} PRIVATE ${FILES_SOURCES} ${FILES_HOST_SOURCES} ${FILES_HEADERS})
  set_property(TARGET bcr_${room} APPEND PROPERTY BCR_HEADERS ${FILES_HEADERS})
  if(FILES_HOST_SOURCES)
    get_target_property(room_folder bcr_${room} SOURCE_DIR)
    set_source_files_properties(${FILES_HOST_SOURCES} DIRECTORY ${room_folder} PROPERTIES
      SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON COMPILE_OPTIONS "${BCR_HOST_ONLY}")
  endif()
endfunction()

# Flags of our own code, never handed to users. Contraction off: an fma is written where it is meant (docs/numerics.md);
# icpx would also reorder sums unless told not to.
# BCR_FP_CONTRACT=fast is for scripts/identity alone, which shows that the strict kernels do not rely on the flag.
set(BCR_FP_CONTRACT off CACHE STRING "Whether the compiler may fuse a product and a sum: off or fast")
add_library(bcr_own_flags INTERFACE)
set(bcr_simd_flag -fopenmp-simd)
if("HIP" IN_LIST Kokkos_DEVICES)
  # For the host alone: with it, clang makes calls of an OpenMP runtime for devices, which is not there, of every loop.
  set(bcr_simd_flag "SHELL:-Xarch_host -fopenmp-simd")
endif()
target_compile_options(bcr_own_flags INTERFACE
  $<$<CXX_COMPILER_ID:IntelLLVM>:-fp-model=precise>
  $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang,IntelLLVM>:-Wall -Wextra -Wshadow -ffp-contract=${BCR_FP_CONTRACT} -fno-math-errno -fno-trapping-math>
  "$<$<CXX_COMPILER_ID:GNU,Clang,AppleClang,IntelLLVM>:${bcr_simd_flag}>"
  $<$<BOOL:${BCR_WARNINGS_AS_ERRORS}>:-Werror>)
if(BCR_WITH_NVCC)
  # A kernel that calls a host function is an error: nvcc warns of it and leaves the call out.
  target_compile_options(bcr_own_flags INTERFACE --fmad=false --Werror=cross-execution-space-call)
  # 1675: nvcc's front end does not know `GCC unroll`, the host compiler behind it does. 186: a loop over the extents of
  # a View without any compares an unsigned number with zero.
  foreach(number IN ITEMS 186 1675)
    target_compile_options(bcr_own_flags INTERFACE "SHELL:-Xcudafe --diag_suppress=${number}")
  endforeach()
endif()
