#include "src/train/batches/open_data.hpp"
#include "tests/support/data_directory.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace bcr::train {
namespace {

using ::testing::HasSubstr;

class OpenedData : public ::testing::Test {
 protected:
  template <class Error>
  std::string refusal(const DataOptions& options) const {
    try {
      open_data(options);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  test::DataDirectory data_;
};

TEST_F(OpenedData, SelectsTheImagesOfEachSide) {
  const OpenData data = open_data(data_.options());

  const auto count = [](const io::ImageSet& set, const std::int32_t label) {
    return static_cast<std::size_t>(std::count(set.labels.begin(), set.labels.end(), label));
  };
  EXPECT_EQ(data.split_hash, io::split_hash(data_.split));
  EXPECT_EQ(data.known_train.count(), count(data_.known, 2) + count(data_.known, 0));
  EXPECT_EQ(data.background.count(), count(data_.known, 1) + count(data_.extra, 0) + count(data_.extra, 2));
  EXPECT_EQ(data.known_test.count(), count(data_.test, 2) + count(data_.test, 0));
  ASSERT_EQ(data.unknown_test.size(), 1u);
  EXPECT_EQ(data.unknown_test[0].count(), count(data_.test, 3));
  EXPECT_EQ(data.mean, io::channel_statistics(data_.known).mean);
}

TEST_F(OpenedData, ListsItsSides) {
  DataOptions options = data_.options();
  options.validation = 0.5;
  const OpenData data = open_data(options);

  std::vector<std::string> names;
  std::vector<std::string> tests;
  std::size_t samples = 0;
  for (const Side& side : sides(data)) {
    (side.is_test ? tests : names).push_back(side.name);
    samples += side.samples.count();
  }
  EXPECT_EQ(names, (std::vector<std::string>{"known_train", "validation", "background"}));
  EXPECT_EQ(tests, (std::vector<std::string>{"known_test", "unknown_" + unknown_set_names(data.split).at(0)}));
  const OpenData whole = open_data(data_.options());
  EXPECT_EQ(sides(whole).size(), 4u) << "no validation was asked for";
  EXPECT_EQ(samples, whole.known_train.count() + whole.background.count() + whole.known_test.count() +
                         whole.unknown_test[0].count());
}

TEST_F(OpenedData, GivesPixelsAndLabelsOfTheSelection) {
  const OpenData data = open_data(data_.options());

  std::vector<std::uint8_t> pixels(data.known_train.bytes());
  data.known_train.read(pixels);

  const auto labels = data.known_train.labels();
  const std::size_t bytes = data_.known.image_bytes();
  std::size_t at = 0;
  for (std::size_t row = 0; row < data_.known.count; ++row) {
    const std::int32_t label = data_.known.labels[row];
    if (label != 0 && label != 2) continue;
    EXPECT_EQ(labels[at], label == 2 ? 0 : 1) << "the split lists c before a";
    EXPECT_TRUE(std::equal(pixels.begin() + static_cast<std::ptrdiff_t>(at * bytes),
                           pixels.begin() + static_cast<std::ptrdiff_t>((at + 1) * bytes),
                           data_.known.images.begin() + static_cast<std::ptrdiff_t>(row * bytes)));
    ++at;
  }
  EXPECT_EQ(at, labels.size());
}

TEST_F(OpenedData, IsWholeInItsParts) {
  const Dataset whole = open_data(data_.options()).background;  // of two files
  std::vector<std::uint8_t> pixels(whole.bytes()), together;
  whole.read(pixels);
  std::vector<std::int32_t> labels;
  for (std::size_t first = 0; first < whole.count();) {
    const std::size_t count = std::min<std::size_t>(97, whole.count() - first);
    const Dataset part = whole.part(first, count);
    std::vector<std::uint8_t> here(part.bytes());
    part.read(here);
    together.insert(together.end(), here.begin(), here.end());
    for (const std::int32_t label : part.labels()) labels.push_back(label);
    EXPECT_EQ(part.count(), count);
    first += count;
  }
  EXPECT_EQ(together, pixels);
  EXPECT_EQ(labels, whole.labels());
  EXPECT_EQ(whole.part(0, 0).count(), 0u);
  EXPECT_THROW(whole.part(whole.count(), 1), ShapeError);
}

TEST_F(OpenedData, NeedsNoTestFilesForTraining) {
  DataOptions options = data_.options();
  options.known_test.clear();
  options.unknown_test.clear();

  EXPECT_EQ(open_data(options, DataUse::train).known_test.count(), 0u);
  EXPECT_THAT(refusal<ConfigError>(options), HasSubstr("data.known_test"));
}

TEST_F(OpenedData, IsRefusedWithTheNameOfTheFault) {
  const auto with = [this](const std::function<void(DataOptions&)>& spoil) {
    DataOptions options = data_.options();
    spoil(options);
    return options;
  };

  EXPECT_EQ(refusal<Error>(data_.options()), "no error");
  EXPECT_THAT(refusal<ConfigError>(with([](DataOptions& o) { o.split.clear(); })), HasSubstr("data.split"));
  EXPECT_THAT(refusal<ConfigError>(with([](DataOptions& o) { o.background_train.pop_back(); })),
              HasSubstr("data.background_train"));
  EXPECT_THAT(refusal<ConfigError>(with([](DataOptions& o) { o.mean = {0.5}; })), HasSubstr("data.mean"));
  EXPECT_THAT(refusal<IoError>(with([](DataOptions& o) { std::swap(o.background_train[0], o.background_train[1]); })),
              HasSubstr("extra.h5"));
}

TEST_F(OpenedData, RefusesClassesThatOverlapThroughTheRestOfAFile) {
  io::Split split = data_.split;
  split.background[1] = {"letters", io::ClassChoice::Rule::without, {"a"}};
  io::write_split(data_.directory.path() / "split.toml", split);
  DataOptions options = data_.options();
  options.background_train[1] = options.known_train;

  const std::string message = refusal<ConfigError>(options);

  EXPECT_THAT(message, HasSubstr("background class 'c' of letters is also known class 'c'"));
  EXPECT_THAT(message, HasSubstr("unknown class 'd' of letters is also background class 'd'"));
}

TEST_F(OpenedData, RefusesImagesOfAnotherSize) {
  io::ImageSet large = test::noise_set("extra", 10, 6, 3, 3, 2);
  large.class_names = data_.extra.class_names;
  io::write_image_file(data_.directory.path() / "extra.h5", large);

  EXPECT_THAT(refusal<IoError>(data_.options()), HasSubstr("extra.h5"));
}

TEST(DataOptionsSection, ReadsBackFromItsText) {
  DataOptions options;
  options.split = "s.toml";
  options.background_train = {"a.h5", "b.h5"};
  options.known.flip = kernels::Flip::never;
  options.last_batch = LastBatch::drop;

  EXPECT_EQ(Config::parse(to_toml(options)).read<DataOptions>(), options);
  EXPECT_THROW(Config::parse("[known]\npad = -1\n").read<DataOptions>(), ConfigError);
  EXPECT_THROW(Config::parse("[known]\nflip = \"often\"\n").read<DataOptions>(), ConfigError);
}

}  // namespace
}  // namespace bcr::train
