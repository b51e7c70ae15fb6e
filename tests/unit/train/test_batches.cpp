#include "src/train/batches/open_data.hpp"
#include "tests/reference/augment.hpp"
#include "tests/support/data_directory.hpp"
#include "tests/support/exec_spaces.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace bcr::train {
namespace {

/// What one step drew, on the host.
struct HostBatch {
  std::vector<float> known;
  std::vector<std::int32_t> labels;
  std::vector<float> background;

  bool operator==(const HostBatch&) const = default;
};

template <class View>
auto host_copy(const View& view) {
  using T = typename View::non_const_value_type;
  std::vector<T> values(view.size());
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  if (!values.empty()) std::copy(mirror.data(), mirror.data() + mirror.size(), values.begin());
  return values;
}

void append(HostBatch& batch, const HostBatch& part) {
  batch.known.insert(batch.known.end(), part.known.begin(), part.known.end());
  batch.labels.insert(batch.labels.end(), part.labels.begin(), part.labels.end());
  batch.background.insert(batch.background.end(), part.background.begin(), part.background.end());
}

template <class Exec>
class Batches : public ::testing::Test {
 protected:
  using Source = BatchSource<Exec, float>;

  Source source(const DataOptions& options, const std::uint64_t seed = 5, const Shard shard = {}) const {
    Context<Exec> context;
    context.seed = seed;
    return make_batch_source<Exec, float>(context, open_data(options, DataUse::train), options, {shard});
  }

  DataOptions streamed() const {
    DataOptions options = data_.options();
    options.device_budget_mib = 0;
    return options;
  }

  static HostBatch draw(Source& from, const std::uint64_t step) {
    const StepBatch<Exec, float> batch = from.load(Exec{}, step);
    return {host_copy(batch.known.images()), host_copy(batch.labels), host_copy(batch.background.images())};
  }

  static std::vector<HostBatch> draw_all(Source from, const std::uint64_t first, const std::uint64_t last) {
    std::vector<HostBatch> batches;
    for (std::uint64_t step = first; step < last; ++step) batches.push_back(draw(from, step));
    return batches;
  }

  test::DataDirectory data_;
};
TYPED_TEST_SUITE(Batches, test::ExecSpaces);

TYPED_TEST(Batches, AreThoseOfThePlainLoop) {
  const OpenData data = open_data(this->data_.options());
  std::vector<std::uint8_t> known(data.known_train.bytes());
  std::vector<std::uint8_t> background(data.background.bytes());
  data.known_train.read(known);
  data.background.read(background);
  const reference::ImageExtents image{5, 6, 3};
  const auto normalisation = kernels::make_normalisation<float>(data.mean, data.std);
  const kernels::Augmentation augmentation{4, kernels::Flip::half, kernels::Border::mean};
  DataOptions options = this->data_.options();
  options.border = augmentation.border;
  auto source = this->source(options);
  const std::uint64_t steps = source.plan().steps_per_epoch();

  for (const std::uint64_t step : {std::uint64_t{0}, steps - 1, steps, 3 * steps + 2}) {
    const HostBatch batch = this->draw(source, step);

    std::vector<float> expected_known, expected_background;
    for (std::size_t i = 0; i < batch.labels.size(); ++i) {
      const auto pixels = reference::augmented_position(known, image, data.known_train.count(), 5, Stream("data/known"),
                                                        step / steps * data.known_train.count() + step % steps * 33 + i,
                                                        augmentation, normalisation);
      expected_known.insert(expected_known.end(), pixels.begin(), pixels.end());
    }
    for (std::size_t i = 0; i < 29; ++i) {
      const auto pixels =
          reference::augmented_position(background, image, data.background.count(), 5, Stream("data/background"),
                                        step * 29 + i, augmentation, normalisation);
      expected_background.insert(expected_background.end(), pixels.begin(), pixels.end());
    }
    EXPECT_EQ(batch.known, expected_known);
    EXPECT_EQ(batch.background, expected_background);
  }
}

TYPED_TEST(Batches, LieOneBehindTheOtherAlsoWhereTheLastIsSmaller) {
  auto source = this->source(this->data_.options());
  const std::uint64_t last = source.plan().steps_per_epoch() - 1;

  for (const std::uint64_t step : {std::uint64_t{0}, last}) {
    const auto batch = source.load(TypeParam{}, step);

    const auto images = batch.inputs.images("images");
    EXPECT_EQ(batch.rows, images.extent(0));
    EXPECT_EQ(batch.rows, batch.known.rows() + batch.background.rows());
    EXPECT_EQ(images.data(), batch.known.images().data());
    EXPECT_EQ(images.data() + batch.known.images().size(), batch.background.images().data());
    EXPECT_LE(batch.rows, source.most_samples());
  }
  EXPECT_LT(source.plan().known_range(last).count, source.plan().known_batch);
}

TYPED_TEST(Batches, AreTheSameStreamedAsResident) {
  const auto resident = this->draw_all(this->source(this->data_.options()), 0, 40);
  const auto streamed = this->draw_all(this->source(this->streamed()), 0, 40);

  EXPECT_TRUE(resident == streamed);
}

TYPED_TEST(Batches, AreTheSameWhereverOneResumes) {
  const auto all = this->draw_all(this->source(this->data_.options()), 0, 30);
  for (const std::uint64_t step : {1u, 11u, 29u}) {
    const auto rest = std::vector(all.begin() + static_cast<std::ptrdiff_t>(step), all.end());
    EXPECT_TRUE(this->draw_all(this->source(this->data_.options()), step, 30) == rest);
    EXPECT_TRUE(this->draw_all(this->source(this->streamed()), step, 30) == rest);
  }
}

TYPED_TEST(Batches, AreTheSameInAnyOrderOfSteps) {
  auto resident = this->source(this->data_.options());
  auto streamed = this->source(this->streamed());
  for (const std::uint64_t step : {7u, 3u, 4u, 4u, 20u, 0u}) {
    EXPECT_TRUE(this->draw(resident, step) == this->draw(streamed, step)) << step;
  }
}

TYPED_TEST(Batches, OfAllRanksTogetherAreTheGlobalBatch) {
  const auto whole = this->draw_all(this->source(this->data_.options()), 0, 15);
  for (const int ranks : {2, 3, 8}) {
    std::vector<HostBatch> joined(whole.size());
    for (int rank = 0; rank < ranks; ++rank) {
      const DataOptions options = rank % 2 == 0 ? this->data_.options() : this->streamed();
      const auto parts = this->draw_all(this->source(options, 5, {rank, ranks}), 0, 15);
      for (std::size_t step = 0; step < parts.size(); ++step) append(joined[step], parts[step]);
    }
    EXPECT_TRUE(joined == whole) << ranks;
  }
}

TYPED_TEST(Batches, OfOneRankWithSeveralShardsAreTheGlobalBatchOneAtATimeOrAllAtOnce) {
  for (const DataOptions& options : {this->data_.options(), this->streamed()})
    for (const int held : {1, 3}) {
      Context<TypeParam> context;
      context.seed = 5;
      auto whole = this->source(options);
      auto cut = make_batch_source<TypeParam, float>(context, open_data(options, DataUse::train), options,
                                                     {.first = {0, 3}, .own = 3, .held_at_once = held});
      const std::uint64_t last = whole.plan().steps_per_epoch();
      for (std::uint64_t step = last - 2; step < last + 1; ++step) {
        HostBatch together, still_there;
        std::vector<StepBatch<TypeParam, float>> shards;
        const auto add = [](HostBatch& to, const StepBatch<TypeParam, float>& shard) {
          append(to, {host_copy(shard.known.images()), host_copy(shard.labels), host_copy(shard.background.images())});
        };
        for (int own = 0; own < 3; ++own) {
          shards.push_back(cut.load(TypeParam{}, step, own));
          EXPECT_EQ(shards.back().place.known_first, together.labels.size());
          EXPECT_EQ(shards.back().place.background_first * 90, together.background.size());  // 5 x 6 x 3 numbers each
          add(together, shards.back());
        }
        for (const auto& shard : shards) add(still_there, shard);
        EXPECT_EQ(still_there == together, held == 3);
        EXPECT_EQ(together, this->draw(whole, step));
      }
    }
}

TYPED_TEST(Batches, DifferBySeedAndEpoch) {
  const auto batches = this->draw_all(this->source(this->data_.options(), 5), 0, 12);
  EXPECT_FALSE(batches == this->draw_all(this->source(this->data_.options(), 6), 0, 12));
  auto source = this->source(this->data_.options());
  EXPECT_FALSE(this->draw(source, 0) == this->draw(source, source.plan().steps_per_epoch()));
}

/// Without augmentation and normalisation an image is recognised by its pixels.
TYPED_TEST(Batches, ShowEveryKnownImageOnceInAnEpochWithItsLabel) {
  DataOptions options = this->data_.options();
  options.known.pad = 0;
  options.known.flip = kernels::Flip::never;
  options.mean = {0, 0, 0};
  options.std = {1, 1, 1};
  const OpenData data = open_data(options);
  std::vector<std::uint8_t> pixels(data.known_train.bytes());
  data.known_train.read(pixels);
  const auto labels = data.known_train.labels();
  const std::size_t length = data.known_train.image_bytes();
  std::map<std::vector<std::uint8_t>, std::size_t> rows;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    rows[{pixels.begin() + static_cast<std::ptrdiff_t>(row * length),
          pixels.begin() + static_cast<std::ptrdiff_t>((row + 1) * length)}] = row;
  }
  ASSERT_EQ(rows.size(), labels.size());
  auto source = this->source(options);

  for (std::uint64_t epoch = 0; epoch < 2; ++epoch) {
    std::set<std::size_t> seen;
    const std::uint64_t steps = source.plan().steps_per_epoch();
    for (std::uint64_t step = epoch * steps; step < (epoch + 1) * steps; ++step) {
      const HostBatch batch = this->draw(source, step);
      for (std::size_t i = 0; i < batch.labels.size(); ++i) {
        std::vector<std::uint8_t> image;
        for (std::size_t p = 0; p < length; ++p) {
          image.push_back(static_cast<std::uint8_t>(std::lround(255 * batch.known[i * length + p])));
        }
        const auto found = rows.find(image);
        ASSERT_NE(found, rows.end());
        EXPECT_EQ(batch.labels[i], labels[found->second]);
        seen.insert(found->second);
      }
    }
    EXPECT_EQ(seen.size(), labels.size());
  }
}

TYPED_TEST(Batches, ForTestsKeepTheOrderOfTheFile) {
  const DataOptions options = this->data_.options();
  const OpenData data = open_data(options);
  std::vector<std::uint8_t> pixels(data.known_test.bytes());
  data.known_test.read(pixels);
  const auto normalisation = kernels::make_normalisation<float>(data.mean, data.std);
  const Context<TypeParam> context;
  auto loader = make_test_loader<TypeParam, float>(context, data.known_test, data, options, 16);
  const Tensor4<float, TypeParam> dst("bcr::tests::dst", 7, 5, 6, 3);
  const Labels<TypeParam> labels("bcr::tests::labels", 7);

  loader.load(context.exec, {.range = {9, 7}}, dst, labels);

  const auto got = host_copy(dst);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::size_t c = i % 3;
    ASSERT_EQ(got[i], std::fma(float(pixels[9 * 90 + i]), normalisation.scale[c], normalisation.shift[c]));
  }
  const auto expected = data.known_test.labels();
  EXPECT_EQ(host_copy(labels), std::vector(expected.begin() + 9, expected.begin() + 16));
}

TYPED_TEST(Batches, AreRefusedWhereThereIsNoRoomForScratch) {
  DataOptions options = this->streamed();
  options.scratch = this->data_.directory.path() / "nowhere";

  EXPECT_THROW(this->source(options), IoError);
}

TYPED_TEST(Batches, LeaveNothingInTheScratchDirectory) {
  const auto entries = [this] {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(this->data_.directory.path())) {
      names.insert(entry.path().filename().string());
    }
    return names;
  };
  const auto before = entries();

  auto source = this->source(this->streamed());
  this->draw(source, 0);

  EXPECT_EQ(entries(), before);
}

}  // namespace
}  // namespace bcr::train
