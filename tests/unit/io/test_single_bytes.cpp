// One changed byte, anywhere in a file: either it is found, or what is read is the same. BCR_BYTE_CHANGES sets the number
// of changes per file (default 150).
#include "io/hdf5/checkpoint.hpp"
#include "io/hdf5/image_file.hpp"
#include "io/hdf5/scores_file.hpp"
#include "src/core/error.hpp"
#include "src/core/random.hpp"
#include "tests/support/format_writers.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

namespace {

using namespace bcr::io;
using bcr::test::Bytes;

std::size_t change_count() {
  const char* text = std::getenv("BCR_BYTE_CHANGES");
  return text == nullptr ? 150 : static_cast<std::size_t>(std::strtoull(text, nullptr, 10));
}

class SingleBytes : public ::testing::Test {
 protected:
  /// `is_same` reads the file and compares; it throws an IoError if the reader finds something wrong.
  void change(const std::function<bool()>& is_same) {
    const Bytes original = bcr::test::read_bytes(path_);
    ASSERT_TRUE(is_same());
    int found = 0, harmless = 0;
    for (std::size_t i = 0; i < change_count(); ++i) {
      bcr::Random random(20261118, bcr::Stream("single bytes"), 0, i);
      Bytes bytes = original;
      const std::size_t at = random.below(bytes.size());
      bytes[at] ^= static_cast<std::uint8_t>(1 + random.below(255));
      bcr::test::write_bytes(path_, bytes);
      try {
        ASSERT_TRUE(is_same()) << "byte " << at << " of " << bytes.size() << " changed in silence";
        ++harmless;
      } catch (const bcr::IoError&) {
        ++found;
      }
    }
    RecordProperty("found", found);
    RecordProperty("harmless", harmless);
    std::cout << found << " found, " << harmless << " harmless, 0 silent of " << change_count() << " in a file of "
              << original.size() << " bytes\n";
    EXPECT_GT(found, harmless);
  }

  bcr::test::ScratchDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "file.h5";
};

TEST_F(SingleBytes, OfADataFileAreFoundOrHarmless) {
  ImageSet set = bcr::test::patterned_set(300, 4, 4, 3, 3);
  set.source = "a test";
  const std::string sha256 = write_image_file(path_, set);
  const ChannelStatistics statistics = channel_statistics(set);

  change([&] {
    const ImageFile file(path_);
    const ImageSet read = file.read_all();
    return file.is_checked() && file.info().sha256 == sha256 && read.images == set.images && read.labels == set.labels &&
           read.class_names == set.class_names && read.source == set.source && read.name == set.name &&
           file.info().statistics.mean == statistics.mean && file.info().statistics.std == statistics.std;
  });
}

TEST_F(SingleBytes, OfACheckpointAreFoundOrHarmless) {
  Checkpoint checkpoint;
  checkpoint.model = "wrn-10-1";
  checkpoint.mode = "strict";
  checkpoint.config = "seed = 7\n";
  checkpoint.split_hash = "abc";
  checkpoint.split = "name = \"x\"\n";
  checkpoint.data = "known_train 0123\n";
  checkpoint.mean = {0.1};
  checkpoint.std = {0.5};
  checkpoint.seed = 7;
  checkpoint.optimizer = "sgd";
  checkpoint.optimizer_steps = checkpoint.step = 41;
  checkpoint.epoch_sums = {0.1, 2};
  checkpoint.best = {0.9, 3};
  for (const char* const name : {"parameters/a", "parameters/b", "statistics/c", "optimizer/velocity/a"}) {
    std::vector<float> values(600);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = float(i) * 0.37f;
    checkpoint.tensors.push_back({name, {20, 30}, values});
  }
  write_checkpoint(path_, checkpoint);

  change([&] {
    const Checkpoint read = read_checkpoint(path_);
    bool same = read.is_checked && read.model == checkpoint.model && read.mode == checkpoint.mode &&
                read.config == checkpoint.config && read.split == checkpoint.split &&
                read.split_hash == checkpoint.split_hash && read.data == checkpoint.data &&
                read.mean == checkpoint.mean && read.std == checkpoint.std && read.seed == checkpoint.seed &&
                read.optimizer == checkpoint.optimizer && read.optimizer_steps == checkpoint.optimizer_steps &&
                read.step == checkpoint.step && read.epoch_sums == checkpoint.epoch_sums &&
                read.best == checkpoint.best && read.tensors.size() == checkpoint.tensors.size();
    for (const NamedTensor& tensor : checkpoint.tensors)
      same = same && read.tensor(tensor.name, tensor.extents, "file").values == tensor.values;
    return same;
  });
}

ScoresFile example_scores() {
  const auto set = [](const std::size_t count, const float first) {
    SetScores scores;
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) {
      scores.labels.push_back(std::int32_t(i % 2));
      scores.predictions.push_back(std::int32_t(i % 3));
      values[i] = -double(i) - first;
      for (int k = 0; k < 4; ++k) scores.features.push_back(first + float(k));
      for (int k = 0; k < 3; ++k) scores.outputs.push_back(first * float(k));
    }
    scores.scores = {{"energy", values}, {"min_distance", values}};
    scores.decisions = {{"energy.recall", scores.predictions}};
    return scores;
  };
  ScoresFile file;
  file.default_score = "min_distance";
  file.model = "wrn-10-1";
  file.checkpoint_sha256 = "0123";
  file.class_names = {"cat", "dog", "Füchse"};
  file.known = set(30, 1.5f);
  file.unknown = {{"first", set(20, 2.5f)}, {"second", set(7, 3.5f)}};
  file.unknown[0].second.class_names = {"car", "tree"};
  file.validation = set(5, 4.5f);
  file.validation->features.clear();
  file.validation->outputs.clear();
  file.train_known.scores = {{"energy", {1, 2, 3}}};
  file.anchors = std::vector<float>(12, 0.25f);
  const std::vector<std::uint8_t> pixels{1, 2, 3, 4, 5, 6, 7, 8};
  file.examples = {{"best_known", 2, 2, 1, pixels, {}, {4, 9}, {0, 1}, {"cat", "dog"}, {0, 2}, {3, -1}}};
  return file;
}

TEST_F(SingleBytes, OfScoresAreFoundOrHarmless) {
  const ScoresFile file = example_scores();
  write_scores_file(path_, file);

  change([&] { return read_scores_file(path_) == file; });
}

}  // namespace
