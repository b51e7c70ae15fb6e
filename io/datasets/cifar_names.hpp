#ifndef BCR_IO_DATASETS_CIFAR_NAMES_HPP
#define BCR_IO_DATASETS_CIFAR_NAMES_HPP

#include <string>
#include <vector>

namespace bcr::io {

/// The class names in the order of the published labels.
std::vector<std::string> cifar10_class_names();
std::vector<std::string> cifar100_fine_class_names();
std::vector<std::string> cifar100_coarse_class_names();

}  // namespace bcr::io

#endif
