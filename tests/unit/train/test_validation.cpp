#include "src/core/philox.hpp"
#include "src/train/batches/open_data.hpp"
#include "src/train/batches/validation_draw.hpp"
#include "src/train/best_epoch.hpp"
#include "src/train/examples.hpp"
#include "src/train/options.hpp"
#include "tests/support/data_directory.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

namespace bcr::train {
namespace {

io::Selection selection_of(const std::vector<std::int32_t>& labels, const std::size_t classes) {
  io::Selection selection{std::vector<std::uint32_t>(labels.size()), labels, {}};
  std::iota(selection.rows.begin(), selection.rows.end(), 5U);
  for (std::size_t i = 0; i < classes; ++i) selection.classes.push_back(std::to_string(i));
  return selection;
}

TEST(ValidationDraw, KeepsOutTheFractionOfEveryClass) {
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 300; ++i) labels.push_back(i % 7 == 0 ? 0 : i % 3 == 0 ? 1 : 2);
  const io::Selection known = selection_of(labels, 3);

  const ValidationDraw draw = draw_validation(known, 0.1, 7);

  for (int label = 0; label < 3; ++label) {
    const auto all = std::count(labels.begin(), labels.end(), label);
    const auto out = std::count(draw.validation.labels.begin(), draw.validation.labels.end(), label);
    EXPECT_EQ(out, static_cast<std::ptrdiff_t>(0.1 * double(all) + 0.5));
    EXPECT_EQ(out + std::count(draw.train.labels.begin(), draw.train.labels.end(), label), all);
  }
  std::vector<std::uint32_t> together = draw.train.rows;
  together.insert(together.end(), draw.validation.rows.begin(), draw.validation.rows.end());
  std::sort(together.begin(), together.end());
  EXPECT_EQ(together, known.rows) << "each image on one side";
  EXPECT_TRUE(std::is_sorted(draw.train.rows.begin(), draw.train.rows.end()));
  EXPECT_EQ(draw.validation.classes, known.classes);
}

/// The words written down from their definition: Philox of (seed; index of the image in its class, class, stream).
TEST(ValidationDraw, IsAFunctionOfSeedClassAndIndex) {
  const io::Selection known = selection_of({1, 0, 0, 1, 0, 0, 1}, 2);
  const std::vector<std::uint32_t> rows_of_class[2] = {{6, 7, 9, 10}, {5, 8, 11}};
  std::vector<std::uint32_t> lowest;
  for (std::uint32_t label = 0; label < 2; ++label) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> words;
    for (std::uint32_t i = 0; i < rows_of_class[label].size(); ++i) {
      const auto word = philox4x32({i, 0, label, Stream("data/validation").id}, {11, 0});
      words.emplace_back(word[0] | std::uint64_t{word[1]} << 32, rows_of_class[label][i]);
    }
    lowest.push_back(std::min_element(words.begin(), words.end())->second);
  }
  std::sort(lowest.begin(), lowest.end());

  EXPECT_EQ(draw_validation(known, 0.3, 11).validation.rows, lowest);
}

TEST(ValidationDraw, TakesAtLeastOneAndLeavesAtLeastOne) {
  const io::Selection known = selection_of({0, 0, 0, 1, 2, 2}, 3);

  const ValidationDraw little = draw_validation(known, 0.001, 1), much = draw_validation(known, 0.999, 1);

  EXPECT_THAT(little.validation.labels, ::testing::ElementsAre(0, 2)) << "a class of one image is trained on";
  EXPECT_THAT(much.train.labels, ::testing::UnorderedElementsAre(0, 1, 2));
  EXPECT_TRUE(draw_validation(known, 0, 1).validation.rows.empty());
  EXPECT_EQ(draw_validation(known, 0, 1).train.rows, known.rows);
}

TEST(ValidationDraw, CutsTheKnownImagesOfARun) {
  const test::DataDirectory directory;
  DataOptions options = directory.options();
  const OpenData without = open_data(options);
  options.validation = 0.2;
  const OpenData with = open_data(options, DataUse::both, 3), again = open_data(options, DataUse::train, 3);
  const OpenData other = open_data(options, DataUse::both, 4);
  const auto rows = [](const Dataset& pieces) { return pieces.pieces().front().selection.rows; };

  EXPECT_EQ(without.validation.count(), 0U);
  EXPECT_EQ(with.known_train.count() + with.validation.count(), without.known_train.count());
  EXPECT_NEAR(double(with.validation.count()), 0.2 * double(without.known_train.count()), 1.0);
  EXPECT_EQ(rows(with.validation), rows(again.validation));
  EXPECT_NE(rows(with.validation), rows(other.validation));
  EXPECT_EQ(with.known_test.count(), without.known_test.count());
}

TEST(BestEpochs, AreTheFirstOfEqualOnesAndEndPatience) {
  BestEpoch best;
  EXPECT_FALSE(best.is_out_of_patience(9, 1)) << "none yet";
  EXPECT_TRUE(best.take(0.5, 1));
  EXPECT_TRUE(best.take(0.75, 2));
  EXPECT_FALSE(best.take(0.75, 3));
  EXPECT_FALSE(best.take(std::nan(""), 4));

  EXPECT_EQ(best.epoch(), 2);
  EXPECT_FALSE(best.is_out_of_patience(4, 3));
  EXPECT_TRUE(best.is_out_of_patience(5, 3));
  EXPECT_FALSE(best.is_out_of_patience(1000, 0));
  BestEpoch restored;
  restored.restore(best.save());
  EXPECT_EQ(restored.save(), best.save());
  EXPECT_TRUE(BestEpoch().save().empty());
}

TEST(BestEpochs, NeedValidationImagesForPatience) {
  RunOptions options;
  options.train.patience = 2;
  EXPECT_THROW(require_consistent(options), ConfigError);
  options.data.validation = 0.1;
  EXPECT_NO_THROW(require_consistent(options));
  options.train.eval_every = 0;
  EXPECT_THROW(require_consistent(options), ConfigError);
}

TEST(TestLabels, OfUnknownImagesAreClassesOfTheirFile) {
  const test::DataDirectory directory;
  const OpenData data = open_data(directory.options());
  TestScores scores;
  scores.unknown.emplace_back("letters", io::SetScores{});
  scores.unknown[0].second.labels = data.unknown_test[0].labels();

  const TestScores labelled = label_by_file(scores, data);

  const io::SetScores& unknown = labelled.unknown[0].second;
  EXPECT_EQ(unknown.class_names, directory.test.class_names);
  ASSERT_FALSE(unknown.labels.empty());
  for (const std::int32_t label : unknown.labels) EXPECT_EQ(label, 3) << "d is the fourth class of its file";
}

}  // namespace
}  // namespace bcr::train
