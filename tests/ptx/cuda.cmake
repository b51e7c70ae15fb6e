# bcr-identity as nvcc compiled it, with its kernels run by the executor: the CUDA runtime it is linked with is
# tests/ptx/runtime. Nothing else of the program is changed.
find_package(CUDAToolkit REQUIRED)
find_program(BCR_CUOBJDUMP cuobjdump HINTS ${CUDAToolkit_BIN_DIR} REQUIRED)
mark_as_advanced(BCR_CUOBJDUMP)

add_library(bcr_ptx_runtime OBJECT runtime/device_calls.cpp runtime/launch_calls.cpp runtime/loaded_program.cpp
  runtime/memory_calls.cpp)
target_link_libraries(bcr_ptx_runtime PUBLIC bcr_ptx PRIVATE $<BUILD_INTERFACE:bcr_own_flags>)
target_include_directories(bcr_ptx_runtime SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
target_compile_options(bcr_ptx_runtime PRIVATE --host-only)

# bcr_emulated_program(<name> <program> room...): the objects of a program, linked so that no libcuda is asked for.
function(bcr_emulated_program name program)
  add_executable(${name} $<TARGET_OBJECTS:bcr_ptx_runtime> $<TARGET_OBJECTS:${program}>)
  target_link_libraries(${name} PRIVATE ${ARGN} bcr_ptx)
  target_link_options(${name} PRIVATE "SHELL:-cudart none" LINKER:--as-needed)
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${CMAKE_CURRENT_BINARY_DIR}/${name}.ptx
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/${name}.ptx
    COMMAND ${CMAKE_COMMAND} -E chdir ${CMAKE_CURRENT_BINARY_DIR}/${name}.ptx ${BCR_CUOBJDUMP} -xptx all $<TARGET_FILE:${name}>
    VERBATIM)
endfunction()

bcr_emulated_program(bcr-identity-ptx bcr-identity bcr::app bcr::identity)
# Without a golden file every digest is compared with that of the first execution space, Serial: the host's bits. A
# training of ten steps takes the executor minutes.
set(families math gamma distance reduce softmax convolution winograd linear loss scores norm pool optim augment random)
foreach(family IN LISTS families ITEMS network)
  bcr_script_test(portability.ptx.${family} portability bcr-identity-ptx --subjects ${family}.)
  set_tests_properties(portability.ptx.${family} PROPERTIES
    ENVIRONMENT BCR_PTX_DIR=${CMAKE_CURRENT_BINARY_DIR}/bcr-identity-ptx.ptx
    PASS_REGULAR_EXPRESSION "\nCuda,[0-9]+,${family}\\.[^,]*,[0-9a-f]+,yes\n"
    FAIL_REGULAR_EXPRESSION ",no\n")
endforeach()
set_tests_properties(portability.ptx.network PROPERTIES LABELS "portability;slow" TIMEOUT 7200)
