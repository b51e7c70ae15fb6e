#include "io/hdf5/image_file.hpp"
#include "io/hdf5/writer.hpp"
#include "io/images/picture_file.hpp"
#include "src/core/error.hpp"
#include "tests/support/data_folder.hpp"
#include "tests/support/hdf5_forgery.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace {

using namespace bcr::io;
using bcr::IoError;
using bcr::test::Bytes;
using bcr::test::patterned_set;
using ::testing::HasSubstr;

class ImageFiles : public ::testing::Test {
 protected:
  bcr::test::ScratchDirectory directory_;
  std::filesystem::path path_ = directory_.path() / "set.h5";
};

TEST_F(ImageFiles, GiveBackTheSet) {
  for (const auto& [count, side] : {std::pair<std::size_t, std::size_t>{1, 1}, {255, 3}, {256, 2}, {600, 5}}) {
    ImageSet set = patterned_set(count, side, side + 1, 3, 7);
    set.source = "a test";
    set.licence = "none";
    write_image_file(path_, set);

    const ImageFile file(path_);
    const ImageSet back = file.read_all();

    EXPECT_EQ(back.images, set.images);
    EXPECT_EQ(back.labels, set.labels);
    EXPECT_EQ(back.class_names, set.class_names);
    EXPECT_EQ(back.name, "pattern");
    EXPECT_EQ(back.source, "a test");
    EXPECT_EQ(back.licence, "none");
    EXPECT_NO_THROW(file.verify());
  }
}

TEST_F(ImageFiles, ReadAnyRangeOfImages) {
  const ImageSet set = patterned_set(600, 3, 4, 1, 2);
  write_image_file(path_, set);
  const ImageFile file(path_);
  for (const auto& [first, count] :
       {std::pair<std::size_t, std::size_t>{0, 0}, {0, 1}, {250, 10}, {511, 2}, {0, 600}}) {
    std::vector<std::uint8_t> images(count * 12);

    file.read_images(first, count, images);

    EXPECT_TRUE(std::equal(images.begin(), images.end(), set.images.begin() + static_cast<std::ptrdiff_t>(first * 12)));
  }
  std::vector<std::uint8_t> beyond(24);
  EXPECT_THROW(file.read_images(599, 2, beyond), IoError);
  EXPECT_THROW(file.read_images(0, 1, beyond), IoError);
}

TEST_F(ImageFiles, HashSizesNamesLabelsAndImages) {
  ImageSet set = patterned_set(1, 1, 1, 1, 2);
  set.images = {'a'};
  set.labels = {1};
  set.class_names = {"cat", "Fü"};
  // printf 'a\1\0\0\0' | sha256sum
  EXPECT_EQ(content_sha256(set), "51ef7e9175c880b3a4e9b15c84dbc849d9d4c76c550bff77d118a94463870c17");
  // (printf 'bcr-images 2\nuint8[1, 1, 1, 1]\n3:cat\n3:Fü\nint32[1]\n\1\0\0\0'; printf a | openssl dgst -sha256
  // -binary) | sha256sum
  EXPECT_EQ(write_image_file(path_, set), "beb4d7c5bc4b7217e143c5b8d65f83510ae89f9e5f3808813a461d9ab5823e68");
  EXPECT_EQ(ImageFile(path_).info().sha256, "beb4d7c5bc4b7217e143c5b8d65f83510ae89f9e5f3808813a461d9ab5823e68");
}

TEST_F(ImageFiles, HaveOneDigestWhereverTheyComeFrom) {
  ImageSet set = patterned_set(300, 2, 3, 3, 4);
  const std::string sha256 = write_image_file(path_, set);
  const auto digest_with = [&](const std::function<void(ImageSet&)>& change) {
    ImageSet changed = set;
    change(changed);
    return write_image_file(path_, changed);
  };

  EXPECT_EQ(digest_with([](ImageSet& s) { s.name = "another"; }), sha256);
  EXPECT_EQ(digest_with([](ImageSet& s) { s.source = "elsewhere"; }), sha256);
  EXPECT_NE(digest_with([](ImageSet& s) { s.images.back() ^= 1; }), sha256);
  EXPECT_NE(digest_with([](ImageSet& s) { std::swap(s.labels[0], s.labels[1]); }), sha256);
  EXPECT_NE(digest_with([](ImageSet& s) { std::swap(s.class_names[0], s.class_names[1]); }), sha256);
  EXPECT_NE(digest_with([](ImageSet& s) { std::swap(s.height, s.width); }), sha256);
}

TEST_F(ImageFiles, KnowMeanAndDeviationOfEachChannel) {
  ImageSet set = patterned_set(2, 1, 1, 3, 1);
  set.images = {0, 51, 255, 255, 51, 0};

  const ChannelStatistics statistics = channel_statistics(set);

  EXPECT_EQ(statistics.mean, (std::vector<double>{0.5, 0.2, 0.5}));
  EXPECT_EQ(statistics.std, (std::vector<double>{0.5, 0.0, 0.5}));
}

TEST_F(ImageFiles, AreNotWrittenFromAnInconsistentSet) {
  const auto expect_refused = [this](const std::function<void(ImageSet&)>& spoil) {
    ImageSet set = patterned_set(3, 2, 2, 3, 3);
    spoil(set);
    EXPECT_THROW(write_image_file(path_, set), IoError);
    EXPECT_FALSE(std::filesystem::exists(path_));
  };

  expect_refused([](ImageSet& set) { set.count = 0; });
  expect_refused([](ImageSet& set) { set.channels = 2; });
  expect_refused([](ImageSet& set) { set.images.pop_back(); });
  expect_refused([](ImageSet& set) { set.labels.pop_back(); });
  expect_refused([](ImageSet& set) { set.labels[0] = 3; });
  expect_refused([](ImageSet& set) { set.labels[0] = -1; });
  expect_refused([](ImageSet& set) { set.class_names.clear(); });
}

TEST_F(ImageFiles, FromAnotherProgramAreRefusedInPlainWords) {
  {
    Hdf5Writer writer(path_);
    writer.create_group("/something");
    writer.commit();
  }
  try {
    const ImageFile file(path_);
    FAIL() << "a foreign file was accepted";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("set.h5:/@format] expected bcr-images, received none"));
  }
}

TEST_F(ImageFiles, FromALaterVersionAreRefused) {
  {
    Hdf5Writer writer(path_);
    writer.set_attribute("/", "format", std::string("bcr-images"));
    writer.set_attribute("/", "format_version", std::int64_t{3});
    writer.commit();
  }
  EXPECT_THROW(ImageFile{path_}, IoError);
}

TEST_F(ImageFiles, WithAFlippedBitInAnyImageAreNoticed) {
  ImageSet set = patterned_set(4, 8, 8, 1, 2);
  for (std::size_t i = 0; i < set.images.size(); ++i) set.images[i] = static_cast<std::uint8_t>(i ^ 0x5a);
  write_image_file(path_, set);
  bcr::test::Bytes bytes = bcr::test::read_bytes(path_);
  const auto found = std::search(bytes.begin(), bytes.end(), set.images.begin(), set.images.end());
  ASSERT_NE(found, bytes.end()) << "the pixels lie in the file as they are";
  *(found + 100) ^= 1;
  bcr::test::write_bytes(path_, bytes);

  const ImageFile file(path_);

  EXPECT_THROW(file.read_all(), IoError);
  EXPECT_THROW(file.verify(), IoError);
}

TEST_F(ImageFiles, WithForgedPixelsAreNoticedInAnyRange) {
  ImageSet set = patterned_set(4, 8, 8, 1, 2);
  write_image_file(path_, set);
  Bytes inverted = set.images;
  for (std::uint8_t& pixel : inverted) pixel = static_cast<std::uint8_t>(255 - pixel);
  bcr::test::forge_chunk(path_, set.images, inverted);
  const ImageFile file(path_);
  Bytes one(64);

  EXPECT_THROW(file.read_images(2, 1, one), IoError);
  EXPECT_THROW(file.read_all(), IoError);
  EXPECT_THROW(file.verify(), IoError);
}

TEST_F(ImageFiles, WithAWhitePageTurnedBlackAreNoticed) {
  ImageSet set = patterned_set(2, 8, 8, 1, 2);
  std::fill(set.images.begin(), set.images.end(), std::uint8_t{255});
  write_image_file(path_, set);
  const Bytes black(set.images.size(), 0);
  ASSERT_EQ(bcr::test::fletcher32(set.images), bcr::test::fletcher32(black)) << "HDF5 itself cannot tell them apart";
  bcr::test::forge_chunk(path_, set.images, black);

  EXPECT_THROW(ImageFile(path_).read_all(), IoError);
}

TEST_F(ImageFiles, WithForgedClassNamesAreRefused) {
  ImageSet set = patterned_set(4, 2, 2, 1, 2);
  set.class_names = {"cat", "dog"};
  write_image_file(path_, set);
  bcr::test::forge_chunk(path_, {'c', 'a', 't', 'd', 'o', 'g'}, {'d', 'o', 'g', 'c', 'a', 't'});

  EXPECT_THROW(ImageFile{path_}, IoError);
}

/// Written by the first release.
TEST_F(ImageFiles, OfVersion1AreReadAndVerifiedButNotChecked) {
  const auto old = std::filesystem::path(bcr::test::data_folder + "images_v1.h5");
  const ImageFile file(old);

  EXPECT_FALSE(file.is_checked());
  EXPECT_EQ(file.info().version, 1);
  EXPECT_EQ(file.info().count, 6U);
  EXPECT_NO_THROW(file.verify());
  EXPECT_EQ(file.info().sha256, content_sha256(file.read_all()));

  std::filesystem::copy_file(old, path_);
  const Bytes pixels = file.read_all().images;
  Bytes forged = pixels;
  forged[0] ^= 1;
  bcr::test::forge_chunk(path_, pixels, forged);
  EXPECT_THROW(ImageFile(path_).verify(), IoError);
}

TEST_F(ImageFiles, WithAWrongHashAreNoticed) {
  const ImageSet set = patterned_set(4, 2, 2, 1, 2);
  const std::string sha256 = write_image_file(path_, set);
  bcr::test::Bytes bytes = bcr::test::read_bytes(path_);
  const auto found = std::search(bytes.begin(), bytes.end(), sha256.begin(), sha256.end());
  ASSERT_NE(found, bytes.end());
  *found = *found == '0' ? '1' : '0';
  bcr::test::write_bytes(path_, bytes);

  EXPECT_THROW(ImageFile(path_).verify(), IoError);
}

TEST_F(ImageFiles, AreShownOnAContactSheet) {
  const ImageSet set = patterned_set(5, 4, 6, 1, 2);
  write_image_file(path_, set);

  const Picture sheet = contact_sheet(ImageFile(path_), 2, 9);

  EXPECT_EQ(sheet.height, 2 + 2 * 6U);
  EXPECT_EQ(sheet.width, 2 + 2 * 8U);
  EXPECT_EQ(sheet.rgb[0], 128);
  EXPECT_EQ(sheet.rgb[(2 * sheet.width + 2) * 3], set.images[0]);
  EXPECT_EQ(sheet.rgb[((8 + 3) * sheet.width + 10 + 5) * 3 + 2], set.images[3 * 24 + 23]) << "image 3, last pixel";
}

}  // namespace
