// Writes sound files of every format to a directory, one folder for each fuzzer: what libFuzzer starts from.
#include "io/hdf5/image_file.hpp"
#include "io/hdf5/text_file.hpp"
#include "tests/support/format_samples.hpp"

#include <fmt/format.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bcr_fuzz_corpus DIRECTORY\n");
    return 2;
  }
  using bcr::test::format_sample;
  const std::filesystem::path root = argv[1];
  const auto put = [&root](const std::string& fuzzer, const std::string& sample, const std::size_t file) {
    bcr::test::write_bytes(root / fuzzer / sample, format_sample(sample).files[file].bytes);
  };
  for (const char* sample : {"idx", "idx_gzip"}) put("idx_images", sample, 0);
  for (const char* sample : {"idx", "idx_gzip"}) put("idx_labels", sample, 1);
  put("cifar10", "cifar10", 0);
  put("cifar100", "cifar100", 0);
  for (const char* sample : {"svhn_mat5", "svhn_mat5_compressed"}) put("mat5", sample, 0);
  put("mat73", "svhn_mat73", 0);
  put("npy", "npy", 0);
  for (const char* sample : {"npz", "npz_deflated"}) put("npz", sample, 0);
  put("png", "folder", 0);
  put("jpeg", "folder", 1);
  put("bmp", "folder", 3);
  put("val_annotations", "tiny_imagenet", 6);
  for (const char* sample : {"text_lines_gzip", "wikitext", "newsgroups_lines"}) put("text_lines", sample, 0);
  put("text_csv", "text_csv", 0);
  put("newsgroups", "newsgroups", 0);
  std::filesystem::create_directories(root / "text_file");
  bcr::io::write_text_file(root / "text_file" / "set", std::get<bcr::io::TextSet>(format_sample("text_csv").expected));
  std::filesystem::create_directories(root / "image_file");
  bcr::io::write_image_file(root / "image_file" / "set", bcr::test::patterned_set(5, 4, 4, 3, 3));
}
