# The target bcr_headers_alone compiles every public header as a user of its room would, in a source that includes nothing else.
# (CMake's VERIFY_INTERFACE_HEADER_SETS does the same, but parses Kokkos anew for each of them: 20 core-minutes.)
# A header that includes Kokkos_Core.hpp, itself or through others, finds it parsed: our includes come first and under no
# condition, so that hides nothing which it would lack without. The list of these is made when CMake runs.
execute_process(
  COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/headers_with_kokkos.py ${PROJECT_SOURCE_DIR}
  OUTPUT_VARIABLE headers_with_kokkos COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" headers_with_kokkos "${headers_with_kokkos}")

function(bcr_headers_library name)
  add_library(${name} OBJECT EXCLUDE_FROM_ALL)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_link_libraries(${name} PRIVATE ${ARGN})
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
endfunction()

set(alone_folder ${CMAKE_CURRENT_BINARY_DIR}/alone)
file(CONFIGURE OUTPUT ${alone_folder}/kokkos.cpp CONTENT "")
bcr_headers_library(bcr_headers_of_kokkos Kokkos::kokkos)
target_sources(bcr_headers_of_kokkos PRIVATE ${alone_folder}/kokkos.cpp)
bcr_precompile(bcr_headers_of_kokkos <Kokkos_Core.hpp>)

add_custom_target(bcr_headers_alone)
get_property(rooms GLOBAL PROPERTY BCR_ROOMS)
foreach(room IN LISTS rooms)
  bcr_headers_library(bcr_headers_of_${room} bcr::${room})
  bcr_precompile(bcr_headers_of_${room} REUSE_FROM bcr_headers_of_kokkos)
  get_target_property(headers bcr_${room} BCR_HEADERS)
  foreach(header IN LISTS headers)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    set(source ${alone_folder}/${header}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include <${header}>\n")
    target_sources(bcr_headers_of_${room} PRIVATE ${source})
    if(NOT header IN_LIST headers_with_kokkos)
      set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
  endforeach()
  add_dependencies(bcr_headers_alone bcr_headers_of_${room})
endforeach()
