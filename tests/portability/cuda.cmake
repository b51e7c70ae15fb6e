# The audit of the strict rooms: the PTX in their libraries, as this build compiled them.
foreach(room IN ITEMS kernels losses)
  bcr_script_test(portability.audit.${room} portability
    ${CMAKE_COMMAND} -D LIBRARY=$<TARGET_FILE:bcr_${room}> -D SOURCE_DIR=${PROJECT_SOURCE_DIR}
    -D WORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/audit_${room} -D PYTHON=$<TARGET_FILE:Python3::Interpreter>
    -P ${CMAKE_CURRENT_SOURCE_DIR}/audit_library.cmake)
endforeach()

# A host that touches a device View, and a device that is handed a host View, must not compile.
foreach(case IN ITEMS host_view_to_kernel device_view_as_host_view device_view_read_on_host nothing_wrong)
  bcr_script_test(portability.memory_space.${case} portability
    ${CMAKE_COMMAND} -D CASE=${case} -D SOURCE=${CMAKE_CURRENT_SOURCE_DIR}/memory_space_mutants.cpp
    -D SOURCE_DIR=${PROJECT_SOURCE_DIR} -D BINARY_DIR=${PROJECT_BINARY_DIR} -P ${CMAKE_CURRENT_SOURCE_DIR}/must_not_compile.cmake)
endforeach()
