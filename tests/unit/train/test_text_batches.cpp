#include "kernels/embedding/embedding.hpp"
#include "src/train/batches/open_data.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/text_directory.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

namespace bcr::train {
namespace {

using Tokens = std::vector<std::int32_t>;

/// The words that occur most often, ties alphabetical, by the plainest of means.
std::map<std::string, std::int32_t> most_frequent_words(const io::TextSet& set, const std::size_t most) {
  std::map<std::string, int> counts;
  for (const std::int32_t token : set.tokens) ++counts[std::string(set.vocabulary.text(token))];
  std::vector<std::pair<int, std::string>> order;
  for (const auto& [word, count] : counts) order.emplace_back(-count, word);
  std::sort(order.begin(), order.end());
  std::map<std::string, std::int32_t> tokens;
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i)
    tokens[order[i].second] = static_cast<std::int32_t>(i) + 2;
  return tokens;
}

/// Document `row` of a set with these words: its first `most` tokens, padded in front to `width`, and not begun before
/// the last of `steps`.
Tokens expected_row(const io::TextSet& set, const std::map<std::string, std::int32_t>& words, const std::size_t row,
                    const std::size_t most, const std::size_t width, const std::size_t steps) {
  Tokens document;
  for (std::uint64_t t = set.offsets[row]; t < set.offsets[row + 1] && document.size() < most; ++t) {
    const auto found = words.find(std::string(set.vocabulary.text(set.tokens[t])));
    document.push_back(found == words.end() ? 0 : found->second);
  }
  while (document.size() < width) document.insert(document.begin(), 1);
  while (document.size() < steps) document.insert(document.begin(), kernels::no_token);
  return document;
}

template <class Exec>
class TextBatches : public ::testing::Test {
 protected:
  BatchSource<Exec, float> source(const DataOptions& options, const Shard shard = {}) const {
    Context<Exec> context;
    context.seed = 5;
    return make_batch_source<Exec, float>(context, open_data(options, DataUse::train), options, {shard});
  }

  static Tokens host_copy(const nn::Tokens<Exec>& tokens) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), tokens);
    return {host.data(), host.data() + host.size()};
  }

  /// All rows of a test set, in batches.
  Tokens rows_of(const Dataset& dataset, const OpenData& data, const std::size_t batch) const {
    const Context<Exec> context;
    auto loader = make_test_loader<Exec, float>(context, dataset, data, data_.options(), batch);
    Tokens all;
    for (std::size_t first = 0; first < loader.count(); first += batch) {
      const std::size_t count = std::min(batch, loader.count() - first);
      const auto rows = loader.make_batch(count);
      loader.load(context.exec, {.range = {first, count}}, rows, {});
      const Tokens some = host_copy(rows.tokens());
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

  test::TextDirectory data_;
};
TYPED_TEST_SUITE(TextBatches, test::ExecSpaces);

TYPED_TEST(TextBatches, AreThoseOfThePlainLoop) {
  const auto words = most_frequent_words(this->data_.known, 40);
  auto source = this->source(this->data_.options());
  const std::uint64_t steps = source.plan().steps_per_epoch();
  const kernels::BatchOrder known{130, 5, Stream("data/known"), kernels::Shuffle::every_pass};
  const kernels::BatchOrder background{90, 5, Stream("data/background"), kernels::Shuffle::every_pass};

  for (const std::uint64_t step : {std::uint64_t{0}, steps - 1, steps, 2 * steps + 3}) {
    const auto batch = source.load(TypeParam{}, step);
    const auto place = source.plan().known_range(step);

    Tokens expected;
    for (std::size_t i = 0; i < place.count; ++i) {
      const Tokens row = expected_row(this->data_.known, words, known(place.first + i).row, 10, 10, 10);
      expected.insert(expected.end(), row.begin(), row.end());
    }
    std::size_t longest = 0;
    const auto& offsets = this->data_.background.offsets;
    for (std::size_t i = 0; i < 11; ++i) {
      const std::uint32_t row = background(step * 11 + i).row;
      longest = std::max<std::size_t>(longest, offsets[row + 1] - offsets[row]);
    }
    for (std::size_t i = 0; i < 11; ++i) {
      const Tokens row = expected_row(this->data_.background, words, background(step * 11 + i).row, 10, longest, 10);
      expected.insert(expected.end(), row.begin(), row.end());
    }
    EXPECT_EQ(this->host_copy(batch.inputs.tokens("tokens")), expected) << step;
    EXPECT_EQ(batch.rows, place.count + 11);
    const auto is_word = [](const std::int32_t token) { return token != 1 && token != kernels::no_token; };
    EXPECT_EQ(source.tokens(step), std::count_if(expected.begin(), expected.end(), is_word)) << step;
  }
  EXPECT_EQ(source.plan().known_range(steps - 1).count, 130 % 17U);  // the last batch is kept
}

TYPED_TEST(TextBatches, OfAllRanksTogetherAreTheGlobalBatch) {
  auto whole = this->source(this->data_.options());
  for (const int ranks : {2, 4}) {
    for (const std::uint64_t step : {0U, 7U}) {
      Tokens known, background;
      for (int rank = 0; rank < ranks; ++rank) {
        auto part = this->source(this->data_.options(), {rank, ranks});
        EXPECT_EQ(part.tokens(step), whole.tokens(step));
        const auto batch = part.load(TypeParam{}, step);
        const Tokens front = this->host_copy(batch.known.tokens());
        const Tokens rest = this->host_copy(batch.background.tokens());
        known.insert(known.end(), front.begin(), front.end());
        background.insert(background.end(), rest.begin(), rest.end());
      }
      const auto batch = whole.load(TypeParam{}, step);
      EXPECT_EQ(known, this->host_copy(batch.known.tokens()));
      EXPECT_EQ(background, this->host_copy(batch.background.tokens()));
    }
  }
}

TYPED_TEST(TextBatches, OfUnknownTestsDependOnTheirNeighboursOnlyIfAsked) {
  DataOptions options = this->data_.options();
  options.text.longest = 15;
  const OpenData official = open_data(options);
  options.text.unknown_width = UnknownWidth::length;
  const OpenData alone = open_data(options);

  EXPECT_NE(this->rows_of(official.unknown_test[0], official, 40),
            this->rows_of(official.unknown_test[0], official, 4));
  EXPECT_EQ(this->rows_of(alone.unknown_test[0], alone, 40), this->rows_of(alone.unknown_test[0], alone, 4));
  EXPECT_EQ(this->rows_of(alone.known_test, alone, 50), this->rows_of(alone.known_test, alone, 7));
  const auto words = most_frequent_words(this->data_.known, 40);
  const Tokens rows = this->rows_of(alone.unknown_test[0], alone, 8);
  for (std::size_t i = 0; i < 40; ++i) {
    EXPECT_EQ(Tokens(rows.begin() + static_cast<std::ptrdiff_t>(15 * i),
                     rows.begin() + static_cast<std::ptrdiff_t>(15 * i + 15)),
              expected_row(this->data_.unknown, words, i, 15, 10, 15));
  }
}

TEST(TextData, HasTheWordsOfTheKnownTrainingDocumentsAlone) {
  const test::TextDirectory directory;
  const OpenData data = open_data(directory.options());

  EXPECT_EQ(data.vocabulary.words().size(), 40U);
  for (const auto& [word, token] : most_frequent_words(directory.known, 40))
    EXPECT_EQ(data.vocabulary.text(token), word);
  EXPECT_EQ(data.known_train.extents(), (std::array<std::size_t, 3>{1, 10, 1}));
}

TEST(TextData, IsNotMixedWithImages) {
  const test::TextDirectory directory;
  DataOptions options = directory.options();
  io::ImageSet images{.count = 2,
                      .height = 1,
                      .width = 10,
                      .channels = 1,
                      .images = std::vector<std::uint8_t>(20),
                      .labels = {0, 0},
                      .class_names = {"unlabelled"},
                      .name = "sentences",
                      .source = {},
                      .licence = {}};
  options.background_train = {directory.directory.path() / "images.h5"};
  io::write_image_file(options.background_train[0], images);

  try {
    open_data(options);
    FAIL() << "images beside texts were accepted";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("images.h5"));
    EXPECT_EQ(error.expected().substr(0, 5), "texts");
  }
}

TEST(TextData, BeyondTheBudgetIsRefused) {
  const test::TextDirectory directory;
  DataOptions options = directory.options();
  options.device_budget_mib = 0;
  const Context<Kokkos::DefaultHostExecutionSpace> context;
  const OpenData data = open_data(options, DataUse::train);

  EXPECT_THROW((make_batch_source<Kokkos::DefaultHostExecutionSpace, float>(context, data, options)), ConfigError);
}

}  // namespace
}  // namespace bcr::train
