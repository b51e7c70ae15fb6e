# bcr-identity linked with one kernel that was changed on purpose: the golden digests must notice.
include(${PROJECT_SOURCE_DIR}/tests/support/mutant_text.cmake)
set(sum_kernel kernels/reduce/sum.cpp)
set(sum_subject reduce.sums.float64)

# bcr_mutant(<name> EXPECT yes|no FILE path FIND text REPLACE text [OPTIONS flag...])
#   EXPECT: whether the digests of the subject shall equal the golden ones.
function(bcr_mutant name)
  cmake_parse_arguments(MUTANT "" "EXPECT;FILE;FIND;REPLACE" "OPTIONS" ${ARGN})
  bcr_mutant_text(${name} FILE ${MUTANT_FILE} FIND "${MUTANT_FIND}" REPLACE "${MUTANT_REPLACE}")
  set(source ${PROJECT_SOURCE_DIR}/${sum_kernel})
  if(MUTANT_FILE STREQUAL sum_kernel)
    set(source ${overlay}/${sum_kernel})
  endif()
  # An object of the program wins over the member of the same name in the archive bcr_kernels.
  add_executable(bcr_mutant_${name} ${source} $<TARGET_OBJECTS:bcr-identity>)
  target_include_directories(bcr_mutant_${name} BEFORE PRIVATE ${overlay})
  target_link_libraries(bcr_mutant_${name} PRIVATE bcr::app bcr::identity bcr_own_flags)
  # Of the source, since those of a target come before those of the libraries it links (bcr_own_flags).
  set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${MUTANT_OPTIONS}")

  set(other yes)
  if(MUTANT_EXPECT)
    set(other no)
  endif()
  bcr_script_test(identity.mutant.${name} identity bcr_mutant_${name} --subjects ${sum_subject}
    --golden ${CMAKE_CURRENT_SOURCE_DIR}/golden.txt --kokkos-num-threads=2)
  set_tests_properties(identity.mutant.${name} PROPERTIES
    PASS_REGULAR_EXPRESSION ",${sum_subject},[0-9a-f]+,${MUTANT_EXPECT}\n"
    FAIL_REGULAR_EXPRESSION ",${other}\n|missing")
endfunction()

# The construction itself changes nothing.
bcr_mutant(unchanged EXPECT yes FILE kernels/reduce/fixed_sum.hpp FIND "half[l + width]" REPLACE "half[l + width]")

# Neighbours are joined first, instead of lanes 16 apart.
bcr_mutant(reordered EXPECT no FILE kernels/reduce/fixed_sum.hpp
  FIND "lanes[l] + lanes[l + sum_lanes / 2]" REPLACE "lanes[2 * l] + lanes[2 * l + 1]")

# The fma is left to the compiler, which must not fuse here ...
set(written_fma "return Kokkos::fma(double(a(i)), double(b(i)), sum)")
set(hoped_fma "return double(a(i)) * double(b(i)) + sum")
bcr_mutant(not_fused EXPECT no FILE ${sum_kernel} FIND "${written_fma}" REPLACE "${hoped_fma}" OPTIONS -ffp-contract=off)

# ... and may here. Only then are the bits the golden ones again: contraction is what the digests see.
include(CheckCXXSourceCompiles)
check_cxx_source_compiles("
  #if !defined(__FMA__) && !defined(__ARM_FEATURE_FMA)
  #error
  #endif
  int main() {}" BCR_HAS_FMA_INSTRUCTION)
if(BCR_HAS_FMA_INSTRUCTION AND NOT BCR_WITH_NVCC)
  bcr_mutant(fused EXPECT yes FILE ${sum_kernel} FIND "${written_fma}" REPLACE "${hoped_fma}"
    OPTIONS -O2 -ffp-contract=fast)
endif()
