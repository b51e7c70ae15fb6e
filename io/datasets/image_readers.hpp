#ifndef BCR_IO_DATASETS_IMAGE_READERS_HPP
#define BCR_IO_DATASETS_IMAGE_READERS_HPP

#include "io/datasets/import_request.hpp"
#include "io/image_set.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bcr::io {

/// The binary version of CIFAR-10: records of one label byte and 3,072 pixels in planes. Nothing in a file says how
/// many records it has, so single files may have any number, while in the published layout (a directory with
/// data_batch_{1..5}.bin and test_batch.bin) every file must have 10,000.
///
/// Paths: .bin files or that directory. Looks at part and size (default 32; others by area averaging).
ImageSet read_cifar10(const ImportRequest& request);

/// The binary version of CIFAR-100: a coarse and a fine label byte, then 3,072 pixels. Published: train.bin (50,000
/// records) and test.bin (10,000). Looks at part, label_kind and size.
ImageSet read_cifar100(const ImportRequest& request);

/// The class names in the order of the published labels.
std::vector<std::string> cifar10_class_names();
std::vector<std::string> cifar100_fine_class_names();
std::vector<std::string> cifar100_coarse_class_names();

/// IDX, the format of MNIST and its family, plain or gzipped: big-endian 32-bit magic 0x803, counts [N, H, W], then
/// N H W bytes; labels with magic 0x801, count N, then N bytes.
///
/// Paths: pairs of an image and a label file, or a directory with {train,t10k}-{images-idx3,labels-idx1}-ubyte[.gz].
/// Looks at part and class_names (default: ten classes "0" to "9").
ImageSet read_idx(const ImportRequest& request);

/// The same with the class names of Fashion-MNIST.
ImageSet read_fashion_mnist(const ImportRequest& request);

/// Picture files in folders: each folder under a path is a class named after it, in the order of the names; a path that
/// has pictures and no folders is one class (LSUN, iSUN, Places as unpacked). Pictures become images by request.fit.
/// Those that cannot be read are left out and told of, up to the share skip_at_most, beyond which the import fails;
/// files whose names are not those of pictures are left out and told of, and hidden ones left out.
///
/// Paths: directories. Looks at size (required), fit, channels, skip_at_most, skipped.
ImageSet read_image_folder(const ImportRequest& request);

/// Images in numpy files: u8 arrays [N, H, W, C] or [N, H, W] (300K Random Images, Kuzushiji), in .npy files or .npz
/// archives, with or without integer arrays [N] of labels from 0. Several files are joined in the order given; labels
/// must be given for all images or for none, which makes one class "unlabelled".
///
/// Looks at class_names (default: "0", "1", ... up to the largest label).
ImageSet read_numpy(const ImportRequest& request);

/// Downsampled ImageNet as published: .npz batches with data u8 [N, 3 S S] in planes and labels [N] of 1 to 1000
/// (or two .npy files, data and labels). Looks at class_names (default: "1" to "1000").
ImageSet read_imagenet_batches(const ImportRequest& request);

/// SVHN's cropped digits: MATLAB files (5 or 7.3) with X u8 [H, W, 3, N] and y [N, 1] of 1 to 10, where 10 is the
/// digit zero. The label here is the digit (10 becomes 0), as torchvision has it; lists of classes that were written
/// for "label - 1" name other digits.
///
/// Paths: .mat files, or a directory with train_32x32.mat and test_32x32.mat. Looks at part.
ImageSet read_svhn(const ImportRequest& request);

/// Background images made by code, for those who have no background set: five kinds with the statistics that natural
/// images share (power falling as 1/f^2, occlusion, edges, oriented texture, shading, correlated colours) and no object
/// of any class. Image i is of kind i mod 5 and a function of (seed, i) alone, in integers only, so every machine makes
/// the same bytes; sets of different count share their beginning.
///
/// No paths. Looks at count (default 50,000), size (default 32, at most 256) and seed.
ImageSet make_synthetic(const ImportRequest& request);

/// Tiny ImageNet's directory tree: wnids.txt lists the classes, words.txt their names, train/<wnid>/images/*.JPEG,
/// val/images/*.JPEG with val/val_annotations.txt (file, wnid, box, separated by tabs). Labels are the places of the
/// WordNet ids in alphabetical order, as in torchvision's ImageFolder; classes are named "n01443537 goldfish".
/// Every annotated picture must exist and every picture must be annotated; every class needs pictures in train.
///
/// Path: the directory tiny-imagenet-200. Looks at part (test means val) and size (default 64).
ImageSet read_tiny_imagenet(const ImportRequest& request);

/// A picture file and the class it belongs to.
struct LabelledPicture {
  std::filesystem::path path;
  std::string name;  ///< for the record: the path from the directory that the user gave
  std::int32_t label = 0;
};

/// Directories under `directory`, sorted by name, byte by byte (not by the user's language).
std::vector<std::filesystem::path> sorted_directories(const std::filesystem::path& directory);

/// Picture files (is_picture_name) directly in `directory`, sorted likewise; other files are passed over.
std::vector<std::filesystem::path> sorted_pictures(const std::filesystem::path& directory);

/// Decodes the pictures to images of side `size`, by as many threads as the machine has, as fit, channels,
/// skip_at_most, skipped and progress of the request say. An IoError, after all were tried, if more were unreadable
/// than that share: it counts them and has the reason of the first.
ImageSet decode_pictures(const std::vector<LabelledPicture>& pictures, std::size_t size, const ImportRequest& request);

/// dst(p, c) = src(c, p): one image of `pixels` pixels from planes (all red, all green, all blue) to RGB RGB ...
inline void interleave_planes(const std::uint8_t* src, const std::size_t pixels, std::uint8_t* dst) {
  for (std::size_t p = 0; p < pixels; ++p) {
    dst[3 * p] = src[p];
    dst[3 * p + 1] = src[pixels + p];
    dst[3 * p + 2] = src[2 * pixels + p];
  }
}

}  // namespace bcr::io

#endif
