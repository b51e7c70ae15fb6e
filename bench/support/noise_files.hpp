#ifndef BCR_BENCH_SUPPORT_NOISE_FILES_HPP
#define BCR_BENCH_SUPPORT_NOISE_FILES_HPP

#include "src/core/random.hpp"
#include "src/train/batches/open_data.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bcr::bench {

/// Data files of noise as large as CIFAR-10's training set, and a split of them; gone at the end.
class NoiseFiles {
 public:
  NoiseFiles() : directory_(std::filesystem::temp_directory_path() / ("bcr-bench-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(directory_);
    write("known", {"a", "b"}, 1);
    write("background", {"x", "y"}, 2);
    io::write_split(directory_ / "split.toml", {.name = "bench",
                                                .trial = 0,
                                                .known = {"known", io::ClassChoice::Rule::only, {"a", "b"}},
                                                .background = {{"background", io::ClassChoice::Rule::without, {}}},
                                                .unknown = {}});
  }
  ~NoiseFiles() { std::filesystem::remove_all(directory_); }
  NoiseFiles(const NoiseFiles&) = delete;
  NoiseFiles& operator=(const NoiseFiles&) = delete;

  train::DataOptions options() const {
    train::DataOptions options;
    options.split = directory_ / "split.toml";
    options.known_train = directory_ / "known.h5";
    options.background_train = {directory_ / "background.h5"};
    return options;
  }

 private:
  static constexpr std::size_t images = 50000;

  void write(const std::string& name, const std::vector<std::string>& classes, const std::uint64_t seed) const {
    io::ImageSet set;
    set.name = name;
    set.count = images;
    set.height = set.width = 32;
    set.channels = 3;
    set.class_names = classes;
    set.images.resize(images * set.image_bytes());
    Random random(seed, Stream("bench"), 0, 0);
    for (std::size_t i = 0; i < set.images.size(); ++i) {
      if (i % (1 << 18) == 0) random = Random(seed, Stream("bench"), 0, i >> 18);
      set.images[i] = static_cast<std::uint8_t>(random.word());
    }
    for (std::size_t i = 0; i < images; ++i) set.labels.push_back(static_cast<std::int32_t>(i % classes.size()));
    io::write_image_file(directory_ / (name + ".h5"), set);
  }

  std::filesystem::path directory_;
};

}  // namespace bcr::bench

#endif
