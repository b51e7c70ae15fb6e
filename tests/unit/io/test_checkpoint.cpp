#include "io/hdf5/checkpoint.hpp"
#include "io/hdf5/writer.hpp"
#include "src/core/error.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>

namespace bcr::io {
namespace {

using ::testing::HasSubstr;

class CheckpointFile : public ::testing::Test {
 protected:
  static Checkpoint example() {
    Checkpoint checkpoint;
    checkpoint.model = "wrn-10-1 on 28x28x1, 64 features, distance head, 6 outputs";
    checkpoint.mode = "strict";
    checkpoint.config = "seed = 7\n\n[train]\nlr = 0.1\n";
    checkpoint.split_hash = "abc";
    checkpoint.split = "name = \"letters\"\n";
    checkpoint.mean = {0.1, 1.0 / 3};
    checkpoint.std = {0.5, 0.25};
    checkpoint.vocabulary = "the\nwren";
    checkpoint.class_names = {"wren", "zaunkönig, klein"};
    checkpoint.sample = {28, 28, 1};
    checkpoint.calibration = {"min_distance", {-3.5, -1e-300, -7}, {0, 1, 1}, {0, 0, 1}};
    checkpoint.thresholds = {
        {"class-conformal", "min_distance", 0.05, {-7, -std::numeric_limits<double>::infinity()}, "of each class"},
        {"inclusion", "min_distance", std::nullopt, {-63.25}, "P_I = 1/2"}};
    checkpoint.seed = 7;
    checkpoint.optimizer = "sgd";
    checkpoint.optimizer_steps = 41;
    checkpoint.step = 41;
    checkpoint.epoch_sums = {0.1, -0.0, 1e300, std::numeric_limits<double>::denorm_min()};
    checkpoint.best = {0.9, 3};
    checkpoint.tensors = {
        {"parameters/conv1.weights", {1, 1, 2, 3}, {1, -2, 3.5f, -0.0f, 1e-45f, 3e38f}},
        {"parameters/head.anchors", {2, 2}, {0.1f, 0.2f, 0.3f, 0.4f}},
        {"statistics/norm.mean", {3}, {7, 8, 9}},
        {"optimizer/velocity/conv1.weights", {6}, {1, 2, 3, 4, 5, 6}},
    };
    return checkpoint;
  }

  std::string refusal(const std::filesystem::path& path) const {
    try {
      read_checkpoint(path);
    } catch (const IoError& error) {
      return error.what();
    }
    return "no error";
  }

  test::ScratchDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "checkpoint-latest.h5";
};

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST_F(CheckpointFile, ReadsBackBitByBit) {
  const Checkpoint written = example();
  write_checkpoint(path_, written);

  const Checkpoint read = read_checkpoint(path_);

  EXPECT_EQ(read.model, written.model);
  EXPECT_EQ(read.mode, written.mode);
  EXPECT_EQ(read.config, written.config);
  EXPECT_EQ(read.split_hash, written.split_hash);
  EXPECT_EQ(read.seed, written.seed);
  EXPECT_EQ(read.optimizer, written.optimizer);
  EXPECT_EQ(read.optimizer_steps, written.optimizer_steps);
  EXPECT_EQ(read.step, written.step);
  EXPECT_EQ(read.best, written.best);
  EXPECT_EQ(read.class_names, written.class_names);
  EXPECT_EQ(read.sample, written.sample);
  EXPECT_EQ(read.calibration.score, written.calibration.score);
  EXPECT_EQ(read.calibration.scores, written.calibration.scores);
  EXPECT_EQ(read.calibration.predictions, written.calibration.predictions);
  EXPECT_EQ(read.calibration.labels, written.calibration.labels);
  ASSERT_EQ(read.thresholds.size(), written.thresholds.size());
  for (std::size_t i = 0; i < written.thresholds.size(); ++i) {
    EXPECT_EQ(read.thresholds[i].rule, written.thresholds[i].rule);
    EXPECT_EQ(read.thresholds[i].score, written.thresholds[i].score);
    EXPECT_EQ(read.thresholds[i].alpha, written.thresholds[i].alpha);
    EXPECT_EQ(read.thresholds[i].values, written.thresholds[i].values);
    EXPECT_EQ(read.thresholds[i].found, written.thresholds[i].found);
  }
  EXPECT_EQ(read.split, written.split);
  EXPECT_EQ(read.mean, written.mean);
  EXPECT_EQ(read.vocabulary, written.vocabulary);
  EXPECT_EQ(read.std, written.std);
  EXPECT_TRUE(read.is_checked);
  ASSERT_EQ(read.epoch_sums.size(), written.epoch_sums.size());
  const auto bits = [](const double value) { return std::bit_cast<std::uint64_t>(value); };
  for (std::size_t i = 0; i < written.epoch_sums.size(); ++i)
    EXPECT_EQ(bits(read.epoch_sums[i]), bits(written.epoch_sums[i])) << i;
  ASSERT_EQ(read.tensors.size(), written.tensors.size());
  for (const NamedTensor& tensor : written.tensors) {
    const NamedTensor& found = read.tensor(tensor.name, tensor.extents, "file");
    EXPECT_TRUE(same_bits(found.values, tensor.values)) << tensor.name;
  }
}

TEST_F(CheckpointFile, OfEarlierProgramsHasNoThresholds) {
  Checkpoint early = example();
  early.thresholds.clear();
  write_checkpoint(path_, early);

  EXPECT_TRUE(read_checkpoint(path_).thresholds.empty());
}

TEST_F(CheckpointFile, IsRefusedIfAThresholdIsNoNumber) {
  Checkpoint odd = example();
  odd.thresholds[1].values = {std::numeric_limits<double>::quiet_NaN()};
  write_checkpoint(path_, odd);

  EXPECT_THAT(refusal(path_), HasSubstr("/thresholds/inclusion"));
}

TEST_F(CheckpointFile, HasADigestThatDependsOnNamesShapesAndBitsButNotOnOrder) {
  const std::array<std::string_view, 1> all{""};
  const Checkpoint original = example();
  const auto digest = [&](const Checkpoint& c) { return sha256_of(c.tensors, all); };

  Checkpoint reordered = example();
  std::swap(reordered.tensors[0], reordered.tensors[3]);
  Checkpoint renamed = example();
  renamed.tensors[1].name = "parameters/head.weights";
  Checkpoint reshaped = example();
  reshaped.tensors[1].extents = {4, 1};
  Checkpoint flipped = example();
  flipped.tensors[0].values[3] = 0.0f;  // was -0

  EXPECT_EQ(digest(reordered), digest(original));
  EXPECT_NE(digest(renamed), digest(original));
  EXPECT_NE(digest(reshaped), digest(original));
  EXPECT_NE(digest(flipped), digest(original));
}

TEST_F(CheckpointFile, HasADigestOfChosenTensors) {
  const std::array<std::string_view, 2> weights{"parameters/", "statistics/"};
  Checkpoint other_velocity = example();
  other_velocity.tensors[3].values[0] = 17;

  EXPECT_EQ(sha256_of(other_velocity.tensors, weights), sha256_of(example().tensors, weights));
}

TEST_F(CheckpointFile, IsRefusedByNameWhereverABitIsFlippedInItsTensors) {
  Checkpoint large = example();
  large.tensors.push_back({"parameters/big", {64, 64}, std::vector<float>(4096, 1.25f)});
  write_checkpoint(path_, large);
  std::string bytes;
  {
    std::ifstream file(path_, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  const std::string pattern(reinterpret_cast<const char*>(large.tensors.back().values.data()), 64);
  const std::size_t begin = bytes.find(pattern);
  ASSERT_NE(begin, std::string::npos);

  for (const std::size_t offset : {std::size_t{0}, std::size_t{5000}, std::size_t{16383}}) {
    std::string damaged = bytes;
    damaged[begin + offset] = static_cast<char>(damaged[begin + offset] ^ 1);
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << damaged;

    EXPECT_THAT(refusal(path_), HasSubstr("checkpoint-latest.h5")) << offset;
  }
}

TEST_F(CheckpointFile, IsRefusedByNameWhenCutShort) {
  write_checkpoint(path_, example());
  const auto size = std::filesystem::file_size(path_);
  for (const std::uintmax_t keep : {std::uintmax_t{0}, std::uintmax_t{100}, size / 2, size - 1}) {
    std::filesystem::resize_file(path_, keep);

    EXPECT_THAT(refusal(path_), HasSubstr("checkpoint-latest.h5")) << keep;

    write_checkpoint(path_, example());
  }
}

TEST_F(CheckpointFile, IsRefusedIfItIsSomethingElse) {
  {
    Hdf5Writer writer(path_);
    writer.create_group("/images");
    writer.commit();
  }
  EXPECT_THAT(refusal(path_), HasSubstr("bcr checkpoint"));
  EXPECT_THAT(refusal(directory_.path() / "absent.h5"), HasSubstr("absent.h5"));
}

TEST_F(CheckpointFile, SaysWhichTensorIsMissingOrHasAnotherShape) {
  const Checkpoint checkpoint = example();
  const std::array<std::size_t, 2> extents{2, 3};
  const auto message = [&](const std::string_view name) -> std::string {
    try {
      checkpoint.tensor(name, extents, "run/checkpoint-best.h5");
    } catch (const IoError& error) {
      return error.what();
    }
    return "no error";
  };

  EXPECT_THAT(message("parameters/head.anchors"), HasSubstr("[2, 2]"));
  EXPECT_THAT(message("parameters/head.weights"), HasSubstr("no such tensor"));
  EXPECT_THAT(message("parameters/head.weights"), HasSubstr("checkpoint-best.h5"));
}

}  // namespace
}  // namespace bcr::io
