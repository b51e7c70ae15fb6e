#include "io/datasets/registry.hpp"

#include "io/datasets/cifar.hpp"
#include "io/datasets/idx.hpp"
#include "io/datasets/image_folder.hpp"
#include "io/datasets/numpy_images.hpp"
#include "io/datasets/svhn.hpp"
#include "io/datasets/synthetic.hpp"
#include "io/datasets/tiny_imagenet.hpp"
#include "src/core/error.hpp"

#include <array>

namespace bcr::io {

namespace {

// The one place to add a format to.
constexpr std::array formats = {
    ImportFormat{"idx", "IMAGES LABELS... | DIR", "MNIST and its family, plain or gzip", read_idx},
    ImportFormat{"fashion-mnist", "IMAGES LABELS... | DIR", "IDX with the class names of Fashion-MNIST",
                 read_fashion_mnist},
    ImportFormat{"cifar10", "FILE.bin... | DIR", "CIFAR-10, binary version", read_cifar10},
    ImportFormat{"cifar100", "FILE.bin... | DIR", "CIFAR-100, binary version (--labels fine|coarse)", read_cifar100},
    ImportFormat{"svhn", "FILE.mat... | DIR", "SVHN cropped digits, MATLAB 5 or 7.3; digit zero is label 0", read_svhn},
    ImportFormat{"tiny-imagenet", "DIR", "tiny-imagenet-200 as unpacked (--part test is val)", read_tiny_imagenet},
    ImportFormat{"folder", "DIR...", "PNG and JPEG files, a folder per class (--size)", read_image_folder},
    ImportFormat{"npy", "FILE.npy|.npz...", "u8 arrays [N, H, W(, C)] and labels [N]: 300K Random Images, ...",
                 read_numpy},
    ImportFormat{"imagenet-batches", "FILE.npz...", "ImageNet-32/64 batches: planar data, labels from 1",
                 read_imagenet_batches},
    ImportFormat{"synthetic", "", "background made by code (--count, --size, --seed)", make_synthetic},
};

}  // namespace

std::span<const ImportFormat> import_formats() {
  return formats;
}

ImageSet import_images(const std::string_view format, const ImportRequest& request) {
  for (const ImportFormat& known : formats) {
    if (known.name != format) continue;
    ImageSet set = known.read(request);
    require_consistent(set, std::string(format));
    return set;
  }
  std::string names;
  for (const ImportFormat& known : formats) names += (names.empty() ? "" : ", ") + std::string(known.name);
  throw ConfigError("import", "one of the formats " + names, format);
}

}  // namespace bcr::io
