# The audit of the strict rooms: the PTX in their libraries, as this build compiled them.
foreach(room IN ITEMS kernels losses)
  bcr_script_test(portability.audit.${room} portability
    ${CMAKE_COMMAND} -D LIBRARY=$<TARGET_FILE:bcr_${room}> -D SOURCE_DIR=${PROJECT_SOURCE_DIR}
    -D WORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/audit_${room} -D PYTHON=$<TARGET_FILE:Python3::Interpreter>
    -P ${CMAKE_CURRENT_SOURCE_DIR}/audit_library.cmake)
endforeach()

# Compiles or does not; there is nothing to run.
add_library(bcr_memory_spaces OBJECT memory_spaces.cpp)
target_link_libraries(bcr_memory_spaces PRIVATE bcr::kernels bcr_own_flags)
