#ifndef BCR_TESTS_SUPPORT_DATA_DIRECTORY_HPP
#define BCR_TESTS_SUPPORT_DATA_DIRECTORY_HPP

#include "io/hdf5/image_file.hpp"
#include "io/splits/split.hpp"
#include "src/train/batches/data_options.hpp"
#include "tests/support/scratch_directory.hpp"

#include <random>
#include <string>

namespace bcr::test {

/// Noise with labels in turn and classes "a", "b", ...
inline io::ImageSet noise_set(const std::string& name, const std::size_t count, const std::size_t side,
                              const std::size_t channels, const std::size_t classes, const unsigned seed) {
  io::ImageSet set;
  set.name = name;
  set.count = count;
  set.height = side;
  set.width = side + 1;
  set.channels = channels;
  std::mt19937 engine(seed);
  set.images.resize(count * set.image_bytes());
  for (std::uint8_t& pixel : set.images) pixel = static_cast<std::uint8_t>(engine() >> 24);
  for (std::size_t i = 0; i < count; ++i) set.labels.push_back(static_cast<std::int32_t>(engine() % classes));
  for (std::size_t i = 0; i < classes; ++i) set.class_names.push_back(std::string(1, static_cast<char>('a' + i)));
  return set;
}

/// A small open-set problem on disk: classes c, a known; b and all of a second set background; d unknown.
class DataDirectory {
 public:
  DataDirectory() {
    known = noise_set("letters train", 700, 5, 3, 4, 1);
    extra = noise_set("extra", 300, 5, 3, 3, 2);
    extra.class_names = {"x", "y", "z"};
    test = noise_set("letters test", 90, 5, 3, 4, 3);
    io::write_image_file(directory.path() / "known.h5", known);
    io::write_image_file(directory.path() / "extra.h5", extra);
    io::write_image_file(directory.path() / "test.h5", test);
    split = {.name = "letters",
             .trial = 0,
             .known = {"letters", io::ClassChoice::Rule::only, {"c", "a"}},
             .background = {{"letters", io::ClassChoice::Rule::only, {"b"}},
                            {"extra", io::ClassChoice::Rule::without, {"y"}}},
             .unknown = {{"letters", io::ClassChoice::Rule::only, {"d"}}}};
    io::write_split(directory.path() / "split.toml", split);
  }

  train::DataOptions options() const {
    train::DataOptions options;
    options.split = directory.path() / "split.toml";
    options.known_train = directory.path() / "known.h5";
    options.background_train = {directory.path() / "known.h5", directory.path() / "extra.h5"};
    options.known_test = directory.path() / "test.h5";
    options.unknown_test = {directory.path() / "test.h5"};
    options.scratch = directory.path();
    options.known.batch = 33;
    options.background.batch = 29;
    return options;
  }

  ScratchDirectory directory;
  io::ImageSet known;
  io::ImageSet extra;
  io::ImageSet test;
  io::Split split;
};

}  // namespace bcr::test

#endif
