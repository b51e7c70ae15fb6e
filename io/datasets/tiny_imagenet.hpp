#ifndef BCR_IO_DATASETS_TINY_IMAGENET_HPP
#define BCR_IO_DATASETS_TINY_IMAGENET_HPP

#include "io/datasets/import_request.hpp"
#include "io/image_set.hpp"

namespace bcr::io {

/// Tiny ImageNet's directory tree: wnids.txt lists the classes, words.txt their names, train/<wnid>/images/*.JPEG,
/// val/images/*.JPEG with val/val_annotations.txt (file, wnid, box, separated by tabs). Labels are the places of the
/// WordNet ids in alphabetical order, as in torchvision's ImageFolder; classes are named "n01443537 goldfish".
/// Every annotated picture must exist and every picture must be annotated; every class needs pictures in train.
///
/// Path: the directory tiny-imagenet-200. Looks at part (test means val) and size (default 64).
ImageSet read_tiny_imagenet(const ImportRequest& request);

}  // namespace bcr::io

#endif
