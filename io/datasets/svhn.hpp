#ifndef BCR_IO_DATASETS_SVHN_HPP
#define BCR_IO_DATASETS_SVHN_HPP

#include "io/datasets/import_request.hpp"
#include "io/image_set.hpp"

namespace bcr::io {

/// SVHN's cropped digits: MATLAB files (5 or 7.3) with X u8 [H, W, 3, N] and y [N, 1] of 1 to 10, where 10 is the
/// digit zero. The label here is the digit (10 becomes 0), as torchvision has it; lists of classes that were written
/// for "label - 1" name other digits.
///
/// Paths: .mat files, or a directory with train_32x32.mat and test_32x32.mat. Looks at part.
ImageSet read_svhn(const ImportRequest& request);

}  // namespace bcr::io

#endif
