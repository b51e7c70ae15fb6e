# Install rules and the package `bcr`: find_package(bcr) gives bcr::<room> for every room of this build.
include(CMakePackageConfigHelpers)

set(bcr_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bcr)

get_property(bcr_rooms GLOBAL PROPERTY BCR_ROOMS)
list(TRANSFORM bcr_rooms PREPEND bcr_ OUTPUT_VARIABLE bcr_targets)
install(TARGETS ${bcr_targets} EXPORT bcrTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# Installed, a header lies under bcr/ and the name of its room, and so do the headers it includes: what is "src/core/error.hpp"
# and "kernels/gamma/inclusion.hpp" here is "bcr/core/error.hpp" and "bcr/kernels/gamma/inclusion.hpp" there.
set(bcr_headers ${BCR_GENERATED_DIR}/src/core/instances.hpp)
foreach(target IN LISTS bcr_targets)
  get_target_property(headers ${target} BCR_HEADERS)
  list(APPEND bcr_headers ${headers})
endforeach()
set(bcr_installed_headers ${PROJECT_BINARY_DIR}/installed_headers)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/rename_headers.cmake @ONLY CONTENT [[
file(REMOVE_RECURSE "@bcr_installed_headers@")
foreach(header IN ITEMS @bcr_headers@)
  string(REGEX REPLACE "^(@BCR_GENERATED_DIR@|@PROJECT_SOURCE_DIR@)/(src/)?" "" name "${header}")
  file(READ "${header}" text)
  string(REGEX REPLACE "(#include \")(src/)?([a-z]+/)" "\\1bcr/\\3" text "${text}")
  file(WRITE "@bcr_installed_headers@/bcr/${name}" "${text}")
endforeach()
]])
install(SCRIPT ${PROJECT_BINARY_DIR}/rename_headers.cmake)
install(DIRECTORY ${bcr_installed_headers}/bcr DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

install(EXPORT bcrTargets NAMESPACE bcr:: DESTINATION ${bcr_package_dir})

get_property(bcr_programs GLOBAL PROPERTY BCR_PROGRAMS)
if(bcr_programs)
  install(TARGETS ${bcr_programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# What a user without the checkout needs: the recipes, and the digests `bcr-identity --golden` compares with.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs DESTINATION ${CMAKE_INSTALL_DATADIR}/bcr)
install(FILES ${PROJECT_SOURCE_DIR}/tests/identity/golden.txt DESTINATION ${CMAKE_INSTALL_DATADIR}/bcr)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/bcrConfig.cmake.in ${PROJECT_BINARY_DIR}/bcrConfig.cmake
  INSTALL_DESTINATION ${bcr_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/bcrConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bcrConfig.cmake ${PROJECT_BINARY_DIR}/bcrConfigVersion.cmake
  DESTINATION ${bcr_package_dir})
