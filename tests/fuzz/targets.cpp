#include "tests/fuzz/target_lists.hpp"

#include "io/hdf5/checkpoint.hpp"
#include "io/hdf5/image_file.hpp"
#include "io/hdf5/scores_file.hpp"
#include "io/hdf5/text_file.hpp"
#include "io/images/fit.hpp"
#include "io/images/picture_file.hpp"
#include "io/splits/split.hpp"
#include "io/text/vocabulary.hpp"
#include "src/core/config/toml.hpp"
#include "src/core/error.hpp"
#include "tests/support/data_folder.hpp"
#include "tests/support/format_samples.hpp"
#include "tests/support/scratch_directory.hpp"

#include <memory>
#include <stdexcept>
#include <string_view>

namespace bcr::fuzz {
namespace {

using test::Bytes;
using test::format_sample;

/// A directory that is made when the first file comes.
class Folder {
 public:
  std::filesystem::path path() {
    if (!directory_) directory_ = std::make_shared<test::ScratchDirectory>();
    return directory_->path();
  }

 private:
  std::shared_ptr<test::ScratchDirectory> directory_;
};

/// Imports a sample again and again, one of its files replaced. Every sample of `names` has it in the same place.
Target import_target(const std::string& name, const std::string& dictionary, const std::vector<std::string>& names,
                     const std::size_t file) {
  Target target{name, dictionary, {}, {}};
  for (const std::string& sample : names) target.seeds.push_back(format_sample(sample).files[file].bytes);
  target.read = [sample = format_sample(names.front()), file, folder = std::make_shared<Folder>(),
                 is_written = std::make_shared<bool>(false)](const Bytes& bytes) {
    if (!*is_written) sample.write(folder->path());
    *is_written = true;
    test::write_bytes(folder->path() / sample.files[file].name, bytes);
    sample.read(folder->path());
  };
  return target;
}

/// What `read` makes of a file with these bytes.
template <class Read>
std::function<void(const Bytes&)> of_file(const Read& read) {
  return [read, folder = std::make_shared<Folder>()](const Bytes& bytes) {
    const std::filesystem::path path = folder->path() / "file";
    test::write_bytes(path, bytes);
    read(path);
  };
}

template <class Read>
std::function<void(const Bytes&)> of_text(const Read& read) {
  return [read](const Bytes& bytes) { read(std::string(bytes.begin(), bytes.end())); };
}

Bytes bytes_of(const std::string_view text) {
  return {text.begin(), text.end()};
}

template <class Write>
Bytes written(const Write& write) {
  const test::ScratchDirectory directory;
  write(directory.path() / "file");
  return test::read_bytes(directory.path() / "file");
}

io::Split example_split() {
  using enum io::ClassChoice::Rule;
  return {.name = "random", .trial = 1, .known = {"cifar10", only, {"cat", "dog"}},
          .background = {{"cifar10", only, {"ship"}}}, .unknown = {{"cifar10", without, {"cat", "dog", "ship"}}}};
}

io::Checkpoint example_checkpoint() {
  io::Checkpoint checkpoint;
  checkpoint.model = "wrn-10-1";
  checkpoint.mode = "strict";
  checkpoint.config = "seed = 7\n[train]\nlr = 0.1\n";
  checkpoint.split = io::split_text(example_split());
  checkpoint.split_hash = io::split_hash(example_split());
  checkpoint.data = "known_train 0123\n";
  checkpoint.mean = checkpoint.std = {0.5};
  checkpoint.class_names = {"cat", "dog"};
  checkpoint.sample = {8, 8, 1};
  checkpoint.calibration = {"min_distance", {-1, -2}, {0, 1}, {0, 1}};
  checkpoint.thresholds = {{"conformal", "min_distance", 0.05, {-2}, "by 2 validation images"}};
  checkpoint.optimizer = "sgd";
  checkpoint.step = checkpoint.optimizer_steps = 4;
  checkpoint.epoch_sums = {0.1, 2};
  checkpoint.tensors = {{"parameters/a", {2, 3}, {1, 2, 3, 4, 5, 6}},
                        {"optimizer/velocity/a", {2, 3}, std::vector<float>(6)}};
  return checkpoint;
}

io::ScoresFile example_scores() {
  io::ScoresFile file;
  file.default_score = "min_distance";
  file.model = "wrn-10-1";
  file.checkpoint_sha256 = "0123";
  file.class_names = {"cat", "dog"};
  file.known.labels = file.known.predictions = {0, 1};
  file.known.files = {"a.png", "b.png"};
  file.known.scores = {{"min_distance", {-1, -2}}};
  file.known.decisions = {{"min_distance.recall", {0, 2}}};
  file.known.features = {1, 2, 3, 4};
  file.known.outputs = {1, 2, 3, 4};
  file.unknown = {{"tiny", file.known}};
  file.unknown[0].second.class_names = {"car", "tree"};
  file.anchors = {0, 1, 2, 3};
  file.examples = {
      {"best_known", 2, 2, 1, {1, 2, 3, 4, 5, 6, 7, 8}, {}, {0, 1}, {0, 1}, {"cat", "dog"}, {0, 1}, {3, -1}}};
  return file;
}

void add_pictures(std::vector<Target>& list) {
  const auto decode = [](const auto decoder) {
    return [decoder](const Bytes& bytes) { io::fit_picture(decoder(bytes, "picture"), io::Fit::area_crop, 8, 8); };
  };
  const auto file = [](const std::size_t i) { return format_sample("folder").files[i].bytes; };
  list.push_back({"png", "png", {file(0)}, decode(io::decode_png)});
  list.push_back({"jpeg", "jpeg", {file(1)}, decode([](const Bytes& bytes, const char* const name) {
                    io::decode_jpeg(bytes, name, {4, 4});
                    return io::decode_jpeg(bytes, name);
                  })});
  list.push_back({"bmp", "bmp", {file(3)}, decode(io::decode_bmp)});
}

void add_hdf5_files(std::vector<Target>& list) {
  const Bytes images = written([](const auto& path) { io::write_image_file(path, test::patterned_set(5, 4, 4, 3, 3)); });
  // The old one has no digests, which refuse nearly every change before much of a reader is reached.
  const Bytes old_images = test::read_bytes(test::data_folder + "images_v1.h5");
  list.push_back({"image_file", "hdf5", {images, old_images}, of_file([](const auto& path) {
                    const io::ImageFile file(path);
                    file.verify();
                    file.read_all();
                  })});
  const Bytes texts = written([](const auto& path) {
    io::write_text_file(path, std::get<io::TextSet>(format_sample("text_csv").expected));
  });
  list.push_back({"text_file", "hdf5", {texts}, of_file([](const auto& path) {
                    const io::TextFile file(path);
                    file.verify();
                    file.read_all();
                  })});
  const Bytes checkpoint = written([](const auto& path) { io::write_checkpoint(path, example_checkpoint()); });
  list.push_back({"checkpoint", "hdf5", {checkpoint}, of_file([](const auto& path) {
                    const io::Checkpoint read = io::read_checkpoint(path);
                    parse_toml(read.config, "configuration");
                    if (!read.split.empty()) io::parse_split(read.split, "split");
                  })});
  const Bytes scores = written([](const auto& path) { io::write_scores_file(path, example_scores()); });
  list.push_back({"scores", "hdf5", {scores}, of_file([](const auto& path) { io::read_scores_file(path); })});
}

void add_texts(std::vector<Target>& list) {
  const std::string split = io::split_text(example_split());
  list.push_back({"split", "toml", {bytes_of(split)}, of_text([](const std::string& text) {
                    const io::Split read = io::parse_split(text, "split");
                    if (io::parse_split(io::split_text(read), "split again") != read)
                      throw std::logic_error("a split that is another one when it was written and read again");
                  })});
  list.push_back({"toml", "toml", {bytes_of(example_checkpoint().config), bytes_of(split)},
                  of_text([](const std::string& text) { parse_toml(text, "configuration"); })});
  list.push_back({"override", "toml", {bytes_of("train.lr=0.1"), bytes_of("data.unknown_test=[\"a.h5\", \"b.h5\"]")},
                  of_text([](const std::string& text) { parse_override(text); })});
  list.push_back({"vocabulary", "", {bytes_of("the\na\nlaunch")},
                  of_text([](const std::string& text) { io::Vocabulary::parse(text, "vocabulary"); })});
}

std::vector<Target> make_targets() {
  std::vector<Target> list;
  list.push_back(import_target("idx_images", "idx", {"idx", "idx_gzip"}, 0));
  list.push_back(import_target("idx_labels", "idx", {"idx", "idx_gzip"}, 1));
  list.push_back(import_target("cifar10", "", {"cifar10"}, 0));
  list.push_back(import_target("cifar100", "", {"cifar100"}, 0));
  list.push_back(import_target("mat5", "mat5", {"svhn_mat5", "svhn_mat5_compressed"}, 0));
  list.push_back(import_target("mat73", "hdf5", {"svhn_mat73"}, 0));
  list.push_back(import_target("npy", "npy", {"npy"}, 0));
  list.push_back(import_target("npz", "npy", {"npz", "npz_deflated"}, 0));
  add_pictures(list);
  list.push_back(import_target("wnids", "", {"tiny_imagenet"}, 0));
  list.push_back(import_target("words", "", {"tiny_imagenet"}, 1));
  list.push_back(import_target("val_annotations", "", {"tiny_imagenet"}, 6));
  list.push_back(import_target("text_lines", "text", {"text_lines_gzip"}, 0));
  list.push_back(import_target("wikitext", "text", {"wikitext"}, 0));
  list.push_back(import_target("imdb", "text", {"imdb"}, 0));
  list.push_back(import_target("text_csv", "text", {"text_csv"}, 0));
  list.push_back(import_target("text_folder", "text", {"text_folder"}, 0));
  list.push_back(import_target("newsgroups", "text", {"newsgroups"}, 0));
  list.push_back(import_target("newsgroups_lines", "text", {"newsgroups_lines"}, 0));
  add_hdf5_files(list);
  add_texts(list);
  add_run_files(list);
  add_inputs_of_predict(list);
  return list;
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = make_targets();
  return all;
}

const Target& target(const std::string& name) {
  std::string names;
  for (const Target& one : targets()) {
    if (one.name == name) return one;
    names += " " + one.name;
  }
  throw std::invalid_argument("no reader is called '" + name + "'; there are:" + names);
}

Verdict run(const Target& target, const Bytes& bytes) {
  try {
    target.read(bytes);
    return Verdict::accepted;
  } catch (const Error&) {
    return Verdict::refused;
  }
}

}  // namespace bcr::fuzz
