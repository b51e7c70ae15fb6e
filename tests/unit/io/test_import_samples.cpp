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

TEST_P(ImportSamples, GiveBackTheImagesThatWereWritten) {
  sample().write(directory_.path());

  const auto set = sample().read(directory_.path());

  EXPECT_EQ(set.count, sample().expected.count);
  EXPECT_EQ(set.height, sample().expected.height);
  EXPECT_EQ(set.width, sample().expected.width);
  EXPECT_EQ(set.channels, sample().expected.channels);
  EXPECT_EQ(set.images, sample().expected.images);
  EXPECT_EQ(set.labels, sample().expected.labels);
  EXPECT_EQ(set.class_names, sample().expected.class_names);
  EXPECT_FALSE(set.source.empty());
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
  sample().write(directory_.path());
  for (const FormatSample::File& file : sample().files) {
    Bytes longer = file.bytes;
    longer.push_back('\0');
    expect_refused(file, longer, "a trailing byte");
    bcr::test::write_bytes(directory_.path() / file.name, file.bytes);
  }
}

TEST_P(ImportSamples, AreRefusedWithAWrongFirstByte) {
  sample().write(directory_.path());
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
    const bool last_of_class = GetParam() == "folder" && file.name.starts_with("cat");

    if (last_of_class) {
      EXPECT_EQ(sample().read(directory_.path()).count, sample().expected.count - 1);
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
