# Programs as nvcc compiled them, with their kernels run by the executor: the CUDA runtime they are linked with is
# tests/ptx/runtime, and the PTX is what their objects carry. For that it must not be compressed (scripts/check-cuda).
find_package(CUDAToolkit REQUIRED)

add_library(bcr_ptx_runtime OBJECT runtime/cost_ledger.cpp runtime/device_calls.cpp runtime/fat_binary.cpp
  runtime/launch_calls.cpp runtime/loaded_program.cpp runtime/memory_calls.cpp)
target_link_libraries(bcr_ptx_runtime PUBLIC bcr_ptx PRIVATE $<BUILD_INTERFACE:bcr_own_flags>)
target_include_directories(bcr_ptx_runtime SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
target_compile_options(bcr_ptx_runtime PRIVATE ${BCR_HOST_ONLY})

# bcr_ptx_program(<name> source or objects... LINK library...)   linked so that no libcuda is asked for
function(bcr_ptx_program name)
  cmake_parse_arguments(PROGRAM "" "" "LINK" ${ARGN})
  add_executable(${name} ${PROGRAM_UNPARSED_ARGUMENTS} $<TARGET_OBJECTS:bcr_ptx_runtime>)
  target_link_libraries(${name} PRIVATE ${PROGRAM_LINK} bcr_ptx bcr_own_flags)
  target_link_options(${name} PRIVATE "SHELL:-cudart none" LINKER:--as-needed)
endfunction()

# The objects of bcr-identity, and nothing else of it changed.
bcr_ptx_program(bcr-identity-ptx $<TARGET_OBJECTS:bcr-identity> LINK bcr::app bcr::identity)
# What a training step costs (docs/gpu_cost.md).
bcr_ptx_program(bcr-cost-ptx cost/training_step.cpp LINK bcr::models)
bcr_ptx_program(bcr_tests_cost cost/test_kernel_costs.cpp LINK bcr::kernels GTest::gtest)
gtest_discover_tests(bcr_tests_cost DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_PREFIX portability.
  PROPERTIES LABELS portability)

# The networks take the executor two minutes, all others seconds.
foreach(family IN ITEMS
    network layer math gamma distance reduce softmax convolution winograd linear loss scores norm pool optim augment random
    embedding gru)
  bcr_script_test(portability.ptx.${family} portability
    bcr-identity-ptx --golden ${PROJECT_SOURCE_DIR}/tests/identity/golden.txt --subjects ${family}.)
  set_tests_properties(portability.ptx.${family} PROPERTIES
    PASS_REGULAR_EXPRESSION "\nCuda,[0-9]+,${family}\\.[^,]*,[0-9a-f]+,yes\n"
    FAIL_REGULAR_EXPRESSION ",no\n")
endforeach()
