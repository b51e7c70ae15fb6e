# The target Kokkos::kokkos with Serial and SYCL, its host side compiled by any C++20 compiler: Kokkos' own CMake files
# insist on a SYCL compiler. Wants KOKKOS_SOURCE (Kokkos 5.0) and SYCL_PREFIX; sets Kokkos_DEVICES and KOKKOS_FOLDERS.
set(Kokkos_DEVICES SERIAL SYCL)
set(kokkos_generated ${PROJECT_BINARY_DIR}/kokkos)

file(STRINGS ${KOKKOS_SOURCE}/CMakeLists.txt kokkos_version_lines REGEX "^set\\(Kokkos_VERSION_(MAJOR|MINOR|PATCH) ")
foreach(line IN LISTS kokkos_version_lines)
  string(REGEX MATCH "(MAJOR|MINOR|PATCH) ([0-9]+)" found "${line}")
  set(KOKKOS_VERSION_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
endforeach()
if(NOT KOKKOS_VERSION_MAJOR EQUAL 5)
  message(FATAL_ERROR "${KOKKOS_SOURCE} is not the source of Kokkos 5, whose SYCL backend this check compiles")
endif()
math(EXPR KOKKOS_VERSION "${KOKKOS_VERSION_MAJOR} * 10000 + ${KOKKOS_VERSION_MINOR} * 100 + ${KOKKOS_VERSION_PATCH}")

foreach(setting IN ITEMS SERIAL SYCL CXX20 COMPLEX_ALIGN IMPL_MDSPAN IMPL_REF_COUNT_BRANCH_UNLIKELY LIBDL)
  set(KOKKOS_ENABLE_${setting} ON)
endforeach()
configure_file(${KOKKOS_SOURCE}/cmake/KokkosCore_config.h.in ${kokkos_generated}/KokkosCore_config.h @ONLY)
file(CONFIGURE OUTPUT ${kokkos_generated}/KokkosCore_Config_DeclareBackend.hpp
  CONTENT "#include <decl/Kokkos_Declare_SYCL.hpp>\n#include <decl/Kokkos_Declare_SERIAL.hpp>\n")
file(CONFIGURE OUTPUT ${kokkos_generated}/KokkosCore_Config_FwdBackend.hpp
  CONTENT "#include <fwd/Kokkos_Fwd_SYCL.hpp>\n#include <fwd/Kokkos_Fwd_SERIAL.hpp>\n")
file(CONFIGURE OUTPUT ${kokkos_generated}/KokkosCore_Config_SetupBackend.hpp
  CONTENT "#include <setup/Kokkos_Setup_SYCL.hpp>\n")
set(DESUL_ATOMICS_ENABLE_SYCL ON)
configure_file(${KOKKOS_SOURCE}/tpls/desul/Config.hpp.cmake.in ${kokkos_generated}/desul/atomics/Config.hpp @ONLY)

set(KOKKOS_FOLDERS ${kokkos_generated} ${KOKKOS_SOURCE}/core/src ${KOKKOS_SOURCE}/tpls/desul/include
  ${KOKKOS_SOURCE}/tpls/mdspan/include)

file(GLOB kokkos_sources ${KOKKOS_SOURCE}/core/src/impl/*.cpp ${KOKKOS_SOURCE}/core/src/Serial/*.cpp
  ${KOKKOS_SOURCE}/core/src/SYCL/*.cpp)
add_library(kokkos_host STATIC ${kokkos_sources})
add_library(Kokkos::kokkos ALIAS kokkos_host)
target_compile_features(kokkos_host PUBLIC cxx_std_20)
target_include_directories(kokkos_host SYSTEM PUBLIC ${KOKKOS_FOLDERS} ${SYCL_PREFIX}/include)
target_compile_options(kokkos_host PUBLIC -DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING PRIVATE -w)
target_link_libraries(kokkos_host PUBLIC ${SYCL_PREFIX}/lib/libsycl.so ${CMAKE_DL_LIBS})
