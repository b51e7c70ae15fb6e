#ifndef BCR_TESTS_FUZZ_TARGET_LISTS_HPP
#define BCR_TESTS_FUZZ_TARGET_LISTS_HPP

#include "tests/fuzz/targets.hpp"

namespace bcr::fuzz {

/// What targets() is made of, a list for each source.
void add_run_files(std::vector<Target>& list);
void add_inputs_of_predict(std::vector<Target>& list);

}  // namespace bcr::fuzz

#endif
