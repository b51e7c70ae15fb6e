#ifndef BCR_IO_DATASETS_SYNTHETIC_HPP
#define BCR_IO_DATASETS_SYNTHETIC_HPP

#include "io/datasets/import_request.hpp"
#include "io/image_set.hpp"

namespace bcr::io {

/// Background images made by code, for those who have no background set: five kinds with the statistics that natural
/// images share (power falling as 1/f^2, occlusion, edges, oriented texture, shading, correlated colours) and no object
/// of any class. Image i is of kind i mod 5 and a function of (seed, i) alone, in integers only, so every machine makes
/// the same bytes; sets of different count share their beginning.
///
/// No paths. Looks at count (default 50,000), size (default 32, at most 256) and seed.
ImageSet make_synthetic(const ImportRequest& request);

}  // namespace bcr::io

#endif
