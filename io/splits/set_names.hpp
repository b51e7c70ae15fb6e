#ifndef BCR_IO_SPLITS_SET_NAMES_HPP
#define BCR_IO_SPLITS_SET_NAMES_HPP

#include "io/splits/split.hpp"

namespace bcr::io {

/// Names of the unknown sets of a split, each once and fit for a path.
std::vector<std::string> unknown_set_names(const Split& split);

}  // namespace bcr::io

#endif
