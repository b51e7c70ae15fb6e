# bcr-identity as nvcc compiled it, with its kernels run by the executor: the CUDA runtime it is linked with is
# tests/ptx/runtime. Nothing else of the program is changed.
find_package(CUDAToolkit REQUIRED)

add_library(bcr_ptx_runtime OBJECT runtime/device_calls.cpp runtime/launch_calls.cpp runtime/loaded_program.cpp
  runtime/memory_calls.cpp)
target_link_libraries(bcr_ptx_runtime PUBLIC bcr_ptx PRIVATE $<BUILD_INTERFACE:bcr_own_flags>)
target_include_directories(bcr_ptx_runtime SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
target_compile_options(bcr_ptx_runtime PRIVATE ${BCR_HOST_ONLY})

# The objects of bcr-identity, linked so that no libcuda is asked for.
add_executable(bcr-identity-ptx $<TARGET_OBJECTS:bcr_ptx_runtime> $<TARGET_OBJECTS:bcr-identity>)
target_link_libraries(bcr-identity-ptx PRIVATE bcr::app bcr::identity bcr_ptx)
target_link_options(bcr-identity-ptx PRIVATE "SHELL:-cudart none" LINKER:--as-needed)

set(ptx_dir ${PROJECT_BINARY_DIR}/ptx)
bcr_script_test(portability.ptx.make portability Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/device_ptx.py
  ${PROJECT_BINARY_DIR} ${ptx_dir} kernels/ losses/ models/ io/ src/)
set_tests_properties(portability.ptx.make PROPERTIES FIXTURES_SETUP ptx RESOURCE_LOCK ptx TIMEOUT 3600)

# The networks take the executor two minutes, all others seconds.
foreach(family IN ITEMS
    network layer math gamma distance reduce softmax convolution winograd linear loss scores norm pool optim augment random
    embedding gru)
  bcr_script_test(portability.ptx.${family} portability
    bcr-identity-ptx --golden ${PROJECT_SOURCE_DIR}/tests/identity/golden.txt --subjects ${family}.)
  set_tests_properties(portability.ptx.${family} PROPERTIES
    FIXTURES_REQUIRED ptx ENVIRONMENT BCR_PTX_DIR=${ptx_dir}
    PASS_REGULAR_EXPRESSION "\nCuda,[0-9]+,${family}\\.[^,]*,[0-9a-f]+,yes\n"
    FAIL_REGULAR_EXPRESSION ",no\n")
endforeach()
