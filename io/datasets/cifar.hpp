#ifndef BCR_IO_DATASETS_CIFAR_HPP
#define BCR_IO_DATASETS_CIFAR_HPP

#include "io/datasets/import_request.hpp"
#include "io/image_set.hpp"

namespace bcr::io {

/// The binary version of CIFAR-10: records of one label byte and 3,072 pixels in planes. Nothing in a file says how
/// many records it has, so single files may have any number, while in the published layout (a directory with
/// data_batch_{1..5}.bin and test_batch.bin) every file must have 10,000.
///
/// Paths: .bin files or that directory. Looks at part.
ImageSet read_cifar10(const ImportRequest& request);

/// The binary version of CIFAR-100: a coarse and a fine label byte, then 3,072 pixels. Published: train.bin (50,000
/// records) and test.bin (10,000). Looks at part and label_kind.
ImageSet read_cifar100(const ImportRequest& request);

}  // namespace bcr::io

#endif
