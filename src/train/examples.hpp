#ifndef BCR_SRC_TRAIN_EXAMPLES_HPP
#define BCR_SRC_TRAIN_EXAMPLES_HPP

#include "src/train/open_set_test.hpp"

#include <cstddef>
#include <vector>

namespace bcr::train {

/// The images that a model judged best and worst by its default score, at most `most` of each kind:
///   best_known     right and surest          worst_known    least sure, right or wrong
///   best_unknown   most surely unknown       worst_unknown  most surely taken for known (over all unknown sets)
std::vector<io::ExampleImages> pick_examples(const TestScores& scores, const OpenData& data, std::size_t most);

}  // namespace bcr::train

#endif
