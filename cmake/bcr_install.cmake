# Install rules and the package `bcr`: find_package(bcr) gives bcr::<room> for every room of this build.
include(CMakePackageConfigHelpers)

set(bcr_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bcr)
set(bcr_include_dir ${CMAKE_INSTALL_INCLUDEDIR}/bcr)

get_property(bcr_rooms GLOBAL PROPERTY BCR_ROOMS)
list(TRANSFORM bcr_rooms PREPEND bcr_ OUTPUT_VARIABLE bcr_targets)
install(TARGETS ${bcr_targets} EXPORT bcrTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  FILE_SET HEADERS DESTINATION ${bcr_include_dir})
install(DIRECTORY ${BCR_GENERATED_DIR}/src DESTINATION ${bcr_include_dir} FILES_MATCHING PATTERN "*.hpp")
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
