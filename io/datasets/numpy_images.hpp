#ifndef BCR_IO_DATASETS_NUMPY_IMAGES_HPP
#define BCR_IO_DATASETS_NUMPY_IMAGES_HPP

#include "io/datasets/import_request.hpp"
#include "io/image_set.hpp"

namespace bcr::io {

/// Images in numpy files: u8 arrays [N, H, W, C] or [N, H, W] (300K Random Images, Kuzushiji), in .npy files or .npz
/// archives, with or without integer arrays [N] of labels from 0. Several files are joined in the order given; labels
/// must be given for all images or for none, which makes one class "unlabelled".
///
/// Looks at class_names (default: "0", "1", ... up to the largest label).
ImageSet read_numpy(const ImportRequest& request);

/// Downsampled ImageNet as published: .npz batches with data u8 [N, 3 S S] in planes and labels [N] of 1 to 1000
/// (or two .npy files, data and labels). Looks at class_names (default: "1" to "1000").
ImageSet read_imagenet_batches(const ImportRequest& request);

}  // namespace bcr::io

#endif
