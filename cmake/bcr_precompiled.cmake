# Headers that most sources read are parsed once for the rooms and once for the tests. For g++ on hosts alone: it passes over
# what does not fit a source's flags, where clang stops; and compilers of devices read a source more than once.
# BCR_PRECOMPILE=OFF shows a source that forgot an include of its own.
option(BCR_PRECOMPILE "Parse the headers of Kokkos, fmt and GoogleTest once (g++)" ON)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR BCR_FOR_DEVICE)
  set(BCR_PRECOMPILE OFF)
endif()

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
if(BCR_PRECOMPILE)
  file(CONFIGURE OUTPUT ${BCR_GENERATED_DIR}/room_headers.cpp CONTENT "")
  add_library(bcr_room_headers OBJECT ${BCR_GENERATED_DIR}/room_headers.cpp)
  set_target_properties(bcr_room_headers PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_features(bcr_room_headers PUBLIC cxx_std_20)
  target_link_libraries(bcr_room_headers PRIVATE Kokkos::kokkos spdlog::spdlog fmt::fmt bcr_own_flags)
  bcr_precompile(bcr_room_headers <Kokkos_Core.hpp> <fmt/format.h>)
endif()
