#ifndef BCR_IO_DATASETS_IMAGENET_CLASSES_HPP
#define BCR_IO_DATASETS_IMAGENET_CLASSES_HPP

#include <string>
#include <string_view>
#include <vector>

namespace bcr::io {

/// The 1000 classes in the order of the labels 1, 2, ... of the downsampled batches, which is not that of the sorted
/// WordNet ids: "n02119789 kit_fox", ... Two short names occur twice; ids do not.
std::vector<std::string> imagenet_classes();

/// The file imagenet_classes.txt, built into the program.
std::string_view imagenet_classes_text();

}  // namespace bcr::io

#endif
