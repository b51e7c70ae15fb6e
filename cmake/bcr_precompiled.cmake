# Headers that most sources read are parsed once per build and kept. Compilers of devices read a source more than once and
# cannot take them. BCR_PRECOMPILE=OFF shows a source that forgot an include of its own.
option(BCR_PRECOMPILE "Parse the headers of Kokkos, fmt and GoogleTest once" ON)
foreach(device IN ITEMS CUDA HIP SYCL)
  if("${device}" IN_LIST Kokkos_DEVICES)
    set(BCR_PRECOMPILE OFF)
  endif()
endforeach()

# bcr_precompile(<target> header...)           the target parses these headers
# bcr_precompile(<target> REUSE_FROM <other>)  the target uses what the other one has parsed; it may have more definitions,
#                                              but else is compiled alike (rooms are position-independent, programs are not)
function(bcr_precompile target)
  if(BCR_PRECOMPILE)
    if(NOT ARGV1 STREQUAL "REUSE_FROM")
      list(PREPEND ARGN PRIVATE)
    endif()
    target_precompile_headers(${target} ${ARGN})
  endif()
endfunction()

# Those of the rooms.
function(bcr_precompile_for_rooms)
  file(WRITE ${BCR_GENERATED_DIR}/room_headers.cpp "")
  add_library(bcr_room_headers OBJECT ${BCR_GENERATED_DIR}/room_headers.cpp)
  set_target_properties(bcr_room_headers PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_features(bcr_room_headers PUBLIC cxx_std_20)
  target_link_libraries(bcr_room_headers PRIVATE Kokkos::kokkos spdlog::spdlog fmt::fmt bcr_own_flags)
  bcr_precompile(bcr_room_headers <Kokkos_Core.hpp> <fmt/format.h>)
endfunction()
