#ifndef BCR_IO_DATASETS_IDX_HPP
#define BCR_IO_DATASETS_IDX_HPP

#include "io/datasets/import_request.hpp"
#include "io/image_set.hpp"

namespace bcr::io {

/// IDX, the format of MNIST and its family, plain or gzipped: big-endian 32-bit magic 0x803, counts [N, H, W], then
/// N H W bytes; labels with magic 0x801, count N, then N bytes.
///
/// Paths: pairs of an image and a label file, or a directory with {train,t10k}-{images-idx3,labels-idx1}-ubyte[.gz].
/// Looks at part and class_names (default: ten classes "0" to "9").
ImageSet read_idx(const ImportRequest& request);

/// The same with the class names of Fashion-MNIST.
ImageSet read_fashion_mnist(const ImportRequest& request);

}  // namespace bcr::io

#endif
