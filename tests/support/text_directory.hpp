#ifndef BCR_TESTS_SUPPORT_TEXT_DIRECTORY_HPP
#define BCR_TESTS_SUPPORT_TEXT_DIRECTORY_HPP

#include "io/hdf5/text_file.hpp"
#include "io/splits/split.hpp"
#include "src/train/batches/data_options.hpp"
#include "tests/support/scratch_directory.hpp"

#include <random>
#include <string>

namespace bcr::test {

/// Documents of random words "w0", "w1", ..., 1 to `longest` of them, low numbers more often; labels in turn.
inline io::TextSet noise_texts(const std::string& name, const std::size_t count, const std::size_t longest,
                               const std::size_t words, const std::vector<std::string>& classes, const unsigned seed) {
  std::mt19937 engine(seed);
  io::TextSetBuilder builder;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::string> document(1 + engine() % longest);
    for (std::string& word : document) word = std::string("w").append(std::to_string(engine() % (1 + engine() % words)));
    builder.add(document, static_cast<std::int32_t>(i % classes.size()), {.file = "noise"});
  }
  io::TextSet set = builder.take();
  set.class_names = classes;
  set.name = name;
  return set;
}

/// A small open-set problem of texts on disk: two known topics, sentences as background, another set unknown.
class TextDirectory {
 public:
  TextDirectory() {
    known = noise_texts("topics train", 130, 12, 60, {"arts", "boats"}, 1);
    test = noise_texts("topics test", 50, 12, 70, {"arts", "boats"}, 2);
    background = noise_texts("sentences", 90, 7, 80, {"unlabelled"}, 3);
    unknown = noise_texts("captions", 40, 15, 80, {"unlabelled"}, 4);
    io::write_text_file(directory.path() / "known.h5", known);
    io::write_text_file(directory.path() / "test.h5", test);
    io::write_text_file(directory.path() / "background.h5", background);
    io::write_text_file(directory.path() / "unknown.h5", unknown);
    io::write_split(directory.path() / "split.toml",
                    {.name = "topics",
                     .trial = 0,
                     .known = {"topics", io::ClassChoice::Rule::only, {"arts", "boats"}},
                     .background = {{"sentences", io::ClassChoice::Rule::without, {}}},
                     .unknown = {{"captions", io::ClassChoice::Rule::without, {}}}});
  }

  train::DataOptions options() const {
    train::DataOptions options;
    options.split = directory.path() / "split.toml";
    options.known_train = directory.path() / "known.h5";
    options.background_train = {directory.path() / "background.h5"};
    options.known_test = directory.path() / "test.h5";
    options.unknown_test = {directory.path() / "unknown.h5"};
    options.known.batch = 17;
    options.background.batch = 11;
    options.text.words = 40;
    options.text.length = 10;
    return options;
  }

  ScratchDirectory directory;
  io::TextSet known, test, background, unknown;
};

}  // namespace bcr::test

#endif
