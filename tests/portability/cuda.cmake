# The audit of the strict rooms: their PTX, made with the flags of this build.
foreach(room IN ITEMS kernels losses)
  bcr_script_test(portability.audit.${room} portability
    ${CMAKE_COMMAND} -D ROOM=${room} -D SOURCE_DIR=${PROJECT_SOURCE_DIR} -D BUILD_DIR=${PROJECT_BINARY_DIR}
    -D PYTHON=$<TARGET_FILE:Python3::Interpreter> -D LINK_ALL=$<TARGET_FILE:bcr_ptx_link_all>
    -P ${CMAKE_CURRENT_SOURCE_DIR}/audit_room.cmake)
  set_tests_properties(portability.audit.${room} PROPERTIES RESOURCE_LOCK ptx TIMEOUT 1800)
endforeach()

# Compiles or does not; there is nothing to run.
add_library(bcr_memory_spaces OBJECT memory_spaces.cpp)
target_link_libraries(bcr_memory_spaces PRIVATE bcr::kernels bcr_own_flags)

# A kernel that calls the host is refused, with the flags of this build.
add_library(bcr_host_call OBJECT EXCLUDE_FROM_ALL host_call.cpp)
target_link_libraries(bcr_host_call PRIVATE bcr::kernels bcr_own_flags)
bcr_script_test(portability.host_call_in_a_kernel portability
  ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target bcr_host_call)
set_tests_properties(portability.host_call_in_a_kernel PROPERTIES
  PASS_REGULAR_EXPRESSION "error: calling a __host__ function.*change_on_the_host")
