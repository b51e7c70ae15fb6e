// What bcr-predict reads: a checkpoint, and pictures, texts and data files by the ways it takes them.
#include "io/hdf5/image_file.hpp"
#include "src/core/error.hpp"
#include "src/predict/picture_source.hpp"
#include "src/predict/saved_checkpoint.hpp"
#include "src/predict/text_source.hpp"
#include "tests/fuzz/target_lists.hpp"
#include "tests/support/data_folder.hpp"
#include "tests/support/format_samples.hpp"
#include "tests/support/scratch_directory.hpp"

#include <charconv>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace bcr::fuzz {
namespace {

using test::Bytes;
using test::format_sample;

Bytes bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

/// The images behind a file, as the network and as people want to see them. One that cannot be read has an error; if
/// none can be, the file was refused.
void read_images(const std::filesystem::path& path, const std::vector<predict::ImagePlan>& plans) {
  std::istringstream nothing;
  std::string error;
  std::size_t read = 0;
  predict::PictureSource source({path.string()}, nothing);
  while (const auto picture = source.next()) {
    for (const predict::ImagePlan& plan : plans) {
      const predict::ReadImage image = predict::read_image(*picture, plan);
      if (image.error.empty() && image.pixels.size() != plan.height * plan.width * plan.channels)
        throw std::logic_error("an image of another size than the network wants");
      if (image.error.empty())
        ++read;
      else
        error = image.error;
    }
  }
  if (read == 0) throw IoError("predict", "an image", error);
}

const std::vector<predict::ImagePlan>& plans_of_pictures() {
  static const std::vector<predict::ImagePlan> plans{
      {.fit = io::Fit::area_crop, .height = 8, .width = 8, .channels = 3, .thumbnail = 192},
      {.fit = io::Fit::exact, .height = 4, .width = 4, .channels = 1, .thumbnail = 0}};
  return plans;
}

void read_texts(const std::filesystem::path& path) {
  static const io::Vocabulary vocabulary = io::Vocabulary::parse("the\na\nlaunch", "vocabulary");
  for (const bool lines : {false, true})
    for (const io::WordRule rule : {io::WordRule::spaces, io::WordRule::letters}) {
      std::istringstream nothing;
      predict::TextSource source({path.string()}, nothing, {rule, lines}, vocabulary);
      while (const auto text = source.next()) {
        std::vector<std::int32_t> row(6);
        predict::pad_in_front(text->tokens, row);
        for (const std::int32_t token : row)
          if (token < 0 || std::size_t(token) >= vocabulary.size()) throw std::logic_error("a token that is no word");
      }
    }
}

/// Words of a line behind its key; numbers that are none count as nothing.
template <class T>
std::vector<T> numbers_in(std::istringstream& line) {
  std::vector<T> numbers;
  for (std::string word; line >> word;) {
    T number{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc()) numbers.push_back(number);
  }
  return numbers;
}

constexpr const char* facts =
    "classes cat dog\nsample 8 8 1\nmean 0.5\nstd 0.25\nfit area-crop\nscores -1 -2\nguesses 0 1\nlabels 0 1\n";

/// A checkpoint that says of itself what these lines do, with digests that are right: what lies behind them is reached.
io::Checkpoint checkpoint_of(const Bytes& bytes) {
  io::Checkpoint checkpoint;
  std::istringstream text(std::string(bytes.begin(), bytes.end()));
  for (std::string words; std::getline(text, words);) {
    std::istringstream line(words);
    std::string key;
    line >> key;
    if (key == "classes")
      for (std::string name; line >> name;) checkpoint.class_names.push_back(name);
    if (key == "sample") checkpoint.sample = numbers_in<double>(line);
    if (key == "mean") checkpoint.mean = numbers_in<double>(line);
    if (key == "std") checkpoint.std = numbers_in<double>(line);
    if (key == "fit") line >> checkpoint.fit;
    if (key == "words") line >> checkpoint.vocabulary;
    if (key == "scores") checkpoint.calibration.scores = numbers_in<double>(line);
    if (key == "guesses") checkpoint.calibration.predictions = numbers_in<std::int32_t>(line);
    if (key == "labels") checkpoint.calibration.labels = numbers_in<std::int32_t>(line);
  }
  checkpoint.calibration.score = "min_distance";
  checkpoint.model = "wrn-10-1";
  checkpoint.mode = "strict";
  checkpoint.optimizer = "sgd";
  checkpoint.tensors = {{"parameters/a", {2, 3}, {1, 2, 3, 4, 5, 6}}};
  return checkpoint;
}

/// Whatever is taken is one that pictures can be fitted to and guesses be named for.
void require_usable(const io::Checkpoint& checkpoint) {
  for (const std::int32_t guess : checkpoint.calibration.predictions)
    if (guess < 0 || std::size_t(guess) >= checkpoint.class_names.size())
      throw std::logic_error("a guess without a name");
  if (checkpoint.class_names.empty() || checkpoint.sample.size() != 3) throw std::logic_error("a checkpoint with gaps");
}

}  // namespace

void add_inputs_of_predict(std::vector<Target>& list) {
  const auto folder = std::make_shared<test::ScratchDirectory>();
  const auto of_file = [folder](const std::string& name, const auto& read) {
    return [path = folder->path() / name, folder, read](const Bytes& bytes) {
      test::write_bytes(path, bytes);
      read(path);
    };
  };
  const auto picture = [](const std::size_t i) { return format_sample("folder").files[i].bytes; };
  list.push_back(
      {"predict_picture", "png", {picture(0), picture(1), picture(3)}, of_file("picture.png", [](const auto& path) {
         read_images(path, plans_of_pictures());
       })});
  io::write_image_file(folder->path() / "seed.h5", test::patterned_set(5, 4, 4, 3, 3));
  list.push_back(
      {"predict_data_file",
       "hdf5",
       {test::read_bytes(folder->path() / "seed.h5"), test::read_bytes(test::data_folder + "images_v1.h5")},
       of_file("images.h5", [](const auto& path) {
         const io::ImageFileInfo info = io::ImageFile(path).info();
         read_images(path, {{.height = info.height, .width = info.width, .channels = info.channels, .thumbnail = 16}});
       })});
  list.push_back({"predict_text",
                  "text",
                  {bytes_of("the launch\n\nof a rocket\n"), bytes_of("launch")},
                  of_file("text.txt", [](const auto& path) { read_texts(path); })});
  list.push_back({"predict_checkpoint", "checkpoint", {bytes_of(facts)}, [folder](const Bytes& bytes) {
                    const std::filesystem::path path = folder->path() / "checkpoint.h5";
                    io::write_checkpoint(path, checkpoint_of(bytes));
                    require_usable(predict::read_complete_checkpoint(path));
                  }});
}

}  // namespace bcr::fuzz
