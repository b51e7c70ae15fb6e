// What must hold for every format alike: round trips, and refusals that name the file.
#include "io/bytes/input_file.hpp"
#include "src/core/error.hpp"
#include "tests/support/format_samples.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

namespace {

using bcr::IoError;
using bcr::test::Bytes;
using bcr::test::format_sample;
using bcr::test::FormatSample;
using bcr::test::ScratchDirectory;

class ImportSamples : public ::testing::TestWithParam<std::string> {
 protected:
  const FormatSample& sample() const { return format_sample(GetParam()); }

  /// Expects an IoError that names `file` when the sample is read with that file replaced.
  void expect_refused(const FormatSample::File& file, const Bytes& bytes, const std::string& why) {
    bcr::test::write_bytes(directory_.path() / file.name, bytes);
    try {
      sample().read(directory_.path());
      ADD_FAILURE() << why << " of " << file.name << " was accepted";
    } catch (const IoError& error) {
      EXPECT_FALSE(std::string(error.received()).empty());
      EXPECT_THAT(error.what(), ::testing::HasSubstr(directory_.path().string())) << why;
    }
  }

  ScratchDirectory directory_;
};

void expect_equal(const bcr::io::ImageSet& set, const bcr::io::ImageSet& expected) {
  EXPECT_EQ(set.count, expected.count);
  EXPECT_EQ(set.height, expected.height);
  EXPECT_EQ(set.width, expected.width);
  EXPECT_EQ(set.channels, expected.channels);
  EXPECT_EQ(set.images, expected.images);
}

void expect_equal(const bcr::io::TextSet& set, const bcr::io::TextSet& expected) {
  EXPECT_EQ(bcr::test::documents_of(set), bcr::test::documents_of(expected));
  EXPECT_EQ(set.tokens, expected.tokens);
  EXPECT_EQ(set.vocabulary, expected.vocabulary);
}

std::size_t count_of(const bcr::io::ImportedSet& imported) {
  const auto* const images = std::get_if<bcr::io::ImageSet>(&imported);
  return images != nullptr ? images->count : std::get<bcr::io::TextSet>(imported).count();
}

TEST_P(ImportSamples, GiveBackTheSamplesThatWereWritten) {
  sample().write(directory_.path());

  const auto imported = sample().read(directory_.path());

  std::visit(
      [&](const auto& set) {
        const auto& expected = std::get<std::decay_t<decltype(set)>>(sample().expected);
        expect_equal(set, expected);
        EXPECT_EQ(set.labels, expected.labels);
        EXPECT_EQ(set.class_names, expected.class_names);
        EXPECT_FALSE(set.source.empty());
      },
      imported);
}

TEST_P(ImportSamples, AreRefusedWhenCutAtAnyByte) {
  sample().write(directory_.path());
  for (const FormatSample::File& file : sample().files) {
    // Opening an HDF5 file takes a millisecond, so these are cut at every seventh byte only.
    const std::size_t step = GetParam() == "svhn_mat73" ? 7 : 1;
    for (std::size_t length = 0; length < file.bytes.size(); length += step) {
      if (sample().may_be_cut(file, length)) continue;
      const Bytes cut(file.bytes.begin(), file.bytes.begin() + static_cast<std::ptrdiff_t>(length));
      expect_refused(file, cut, "length " + std::to_string(length));
    }
    bcr::test::write_bytes(directory_.path() / file.name, file.bytes);
  }
}

TEST_P(ImportSamples, AreRefusedWithTrailingBytes) {
  if (GetParam() == "folder") return;  // telephones put films behind their pictures
  sample().write(directory_.path());
  for (const FormatSample::File& file : sample().files) {
    if (file.name.ends_with(".JPEG")) continue;
    Bytes longer = file.bytes;
    longer.push_back('\0');
    expect_refused(file, longer, "a trailing byte");
    bcr::test::write_bytes(directory_.path() / file.name, file.bytes);
  }
}

TEST_P(ImportSamples, AreRefusedWithAWrongFirstByte) {
  sample().write(directory_.path());
  if (GetParam() == "newsgroups") return;  // in which any byte but zero is text
  for (const FormatSample::File& file : sample().files) {
    Bytes wrong = file.bytes;
    wrong[GetParam().starts_with("svhn") ? 126 : 0] ^= 0x80;  // MATLAB files begin with text that may be anything
    if (GetParam() == "svhn_mat73") wrong[512] ^= 0x80;
    expect_refused(file, wrong, "a wrong magic number");
    bcr::test::write_bytes(directory_.path() / file.name, file.bytes);
  }
}

TEST_P(ImportSamples, AreRefusedWhenAFileIsMissing) {
  for (const FormatSample::File& file : sample().files) {
    sample().write(directory_.path());
    std::filesystem::remove(directory_.path() / file.name);
    const bool leaves_a_set = GetParam() == "folder";  // each class has another picture

    if (leaves_a_set) {
      EXPECT_EQ(count_of(sample().read(directory_.path())), count_of(sample().expected) - 1);
    } else {
      EXPECT_THROW(sample().read(directory_.path()), IoError) << file.name;
    }
  }
}

TEST_P(ImportSamples, AreRefusedWhenAFileIsADirectory) {
  for (const FormatSample::File& file : sample().files) {
    const ScratchDirectory directory;
    sample().write(directory.path());
    std::filesystem::remove(directory.path() / file.name);
    std::filesystem::create_directory(directory.path() / file.name);
    if (GetParam() == "folder") continue;  // there a directory is a class or nothing

    EXPECT_THROW(sample().read(directory.path()), bcr::Error) << file.name;
  }
}

INSTANTIATE_TEST_SUITE_P(AllFormats, ImportSamples, ::testing::ValuesIn(bcr::test::sample_names()),
                         [](const auto& test) { return test.param; });

TEST(ImportSamplesList, NamesEverySample) {
  std::vector<std::string> made;
  for (const FormatSample& sample : bcr::test::format_samples()) made.push_back(sample.name);

  EXPECT_EQ(made, bcr::test::sample_names());
}

TEST(InputFile, RefusesAPipeWithoutWaitingForIt) {
  EXPECT_THROW(bcr::io::InputFile("/dev/null"), IoError);
}

}  // namespace
