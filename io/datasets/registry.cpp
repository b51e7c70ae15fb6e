#include "io/datasets/registry.hpp"

#include "io/datasets/image_readers.hpp"
#include "io/datasets/text_readers.hpp"

namespace bcr::io {

Registry<ImportFormat>& import_formats() {
  static Registry<ImportFormat> formats(
      "format of a data set",
      {
          {"idx", "IMAGES LABELS... | DIR", "MNIST and its family, plain or gzip", read_idx},
          {"fashion-mnist", "IMAGES LABELS... | DIR", "IDX with the class names of Fashion-MNIST", read_fashion_mnist},
          {"cifar10", "FILE.bin... | DIR", "CIFAR-10, binary version", read_cifar10},
          {"cifar100", "FILE.bin... | DIR", "CIFAR-100, binary version (--labels fine|coarse)", read_cifar100},
          {"svhn", "FILE.mat... | DIR", "SVHN cropped digits, MATLAB 5 or 7.3; digit zero is label 0", read_svhn},
          {"tiny-imagenet", "DIR", "tiny-imagenet-200 as unpacked (--part test is val)", read_tiny_imagenet},
          {"folder", "DIR...", "pictures, a folder per class (--size, --fit, --colours)", read_image_folder},
          {"npy", "FILE.npy|.npz...", "u8 arrays [N, H, W(, C)] and labels [N]: 300K Random Images, ...", read_numpy},
          {"imagenet-batches", "FILE.npz...", "ImageNet-32/64 batches: planar data, labels from 1",
           read_imagenet_batches},
          {"synthetic", "", "background made by code (--count, --size, --seed)", make_synthetic},
          {"20newsgroups", "DIR | FILE...", "20 Newsgroups by date, or one document a line", read_newsgroups},
          {"wikitext", "FILE... | DIR", "sentences of WikiText-2 or -103", read_wikitext},
          {"imdb", "DIR | FILE...", "aclImdb as unpacked, or one review a line", read_imdb},
          {"text-lines", "FILE...", "one document a line, no labels: Multi30K, WMT16, ...", read_text_lines},
          {"text-folder", "DIR...", "UTF-8 files, a folder per class (--words)", read_text_folder},
          {"text-csv", "FILE.csv...", "a text and a label in each row (--text-column, --label-column, --words)",
           read_text_table},
      });
  return formats;
}

ImportedSet import_set(const std::string_view format, const ImportRequest& request) {
  ImportedSet set = import_formats().find(format).read(request);
  std::visit([&](const auto& samples) { require_consistent(samples, std::string(format)); }, set);
  return set;
}

}  // namespace bcr::io
