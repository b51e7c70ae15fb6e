#ifndef BCR_SRC_TRAIN_EXAMPLES_HPP
#define BCR_SRC_TRAIN_EXAMPLES_HPP

#include "src/train/open_set_test.hpp"

#include <cstddef>
#include <vector>

namespace bcr::train {

/// The same scores with the names of the files that the samples were, and with the unknown images labelled by the
/// classes of their data files, which they name: those of the split are places in its list.
TestScores label_by_file(TestScores scores, const OpenData& data);

/// The images that a model judged best and worst by its default score, at most `most` of each kind:
///   best_known     right and surest          worst_known    least sure, right or wrong
///   best_unknown   most surely unknown       worst_unknown  most surely taken for known (over all unknown sets)
/// `scores` have the labels of label_by_file.
std::vector<io::ExampleImages> pick_examples(const TestScores& scores, const OpenData& data, std::size_t most);

}  // namespace bcr::train

#endif
