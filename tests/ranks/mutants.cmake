# The tests of several ranks linked with one source of src/train/shards that was changed on purpose: those that compare
# the bits of ranks with the bits of one rank must notice.
include(${PROJECT_SOURCE_DIR}/tests/support/mutant_text.cmake)
set(shard_room src/train/shards)
set(bits_of_one_rank EndsInTheBitsOfOneRank)
set(bits_with_global_norm EndsInTheBitsOfOneRankWithGlobalBatchNorm)

# bcr_rank_mutant(<name> CAUGHT_BY test|nobody FILE source FIND text REPLACE text)
#   Two ranks run the tests of bits; the one named must fail.
function(bcr_rank_mutant name)
  cmake_parse_arguments(MUTANT "" "CAUGHT_BY;FILE;FIND;REPLACE" "" ${ARGN})
  bcr_mutant_text(${name} FILE ${MUTANT_FILE} FIND "${MUTANT_FIND}" REPLACE "${MUTANT_REPLACE}")
  # An object wins over the member of the same name in the archive bcr_train. Not so an inline function: the objects of
  # the tests have it too, and come first. So what a mutant changes must be in a source file.
  add_executable(bcr_rank_mutant_${name} ${overlay}/${MUTANT_FILE} $<TARGET_OBJECTS:bcr_tests_ranks>)
  target_link_libraries(bcr_rank_mutant_${name} PRIVATE GTest::gtest bcr::train bcr_own_flags)

  add_test(NAME ranks.mutant.${name} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2
    $<TARGET_FILE:bcr_rank_mutant_${name}> --kokkos-disable-warnings
    --gtest_color=no --gtest_filter=TrainingOnRanks/0.EndsInTheBitsOfOneRank*)
  set_tests_properties(ranks.mutant.${name} PROPERTIES LABELS identity TIMEOUT 600 ENVIRONMENT "${bcr_rank_environment}")
  if(NOT MUTANT_CAUGHT_BY STREQUAL nobody)
    set_tests_properties(ranks.mutant.${name} PROPERTIES
      PASS_REGULAR_EXPRESSION "FAILED  . TrainingOnRanks/0\\.${MUTANT_CAUGHT_BY},")
  endif()
endfunction()

# The construction itself changes nothing.
bcr_rank_mutant(unchanged CAUGHT_BY nobody FILE ${shard_room}/gradient_join.cpp
  FIND "from <= buckets_[started_].begin" REPLACE "from <= buckets_[started_].begin")

# A bucket of gradients leaves as soon as its first gradients are written, not its last.
bcr_rank_mutant(early CAUGHT_BY ${bits_of_one_rank} FILE ${shard_room}/gradient_join.cpp
  FIND "from <= buckets_[started_].begin" REPLACE "from < buckets_[started_].end")

# Batch norm of the global batch takes the sums of its own rank for those of all.
bcr_rank_mutant(local_norm CAUGHT_BY ${bits_with_global_norm} FILE ${shard_room}/statistics_join.cpp
  FIND "join_.run(exec, sums)" REPLACE "static_cast<void>(join_)")
