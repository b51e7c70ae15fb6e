#include "io/datasets/image_readers.hpp"
#include "io/images/picture_file.hpp"
#include "src/predict/picture_source.hpp"
#include "tests/support/format_writers.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace bcr::predict {
namespace {

/// JPEG files of several sizes and shapes in a folder of a class.
void make_pictures(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::uint64_t seed = 1;
  for (const auto& [height, width] : {std::pair<std::size_t, std::size_t>{64, 64}, {33, 200}, {129, 70}, {20, 21}}) {
    const io::Picture picture = test::picture_of(test::patterned_set(1, height, width, 3, seed), 0);
    const std::vector<std::uint8_t> bytes = io::encode_jpeg(picture, 80);
    std::ofstream(folder / (std::to_string(seed++) + ".jpg"), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
}

TEST(ReadImage, GivesThePixelsThatTheImportGave) {
  constexpr std::size_t size = 16;
  const test::ScratchDirectory scratch;
  make_pictures(scratch.path() / "things" / "wren");
  std::vector<std::vector<std::uint8_t>> of_fits;
  for (const auto& [name, fit] : io::enum_names(io::Fit())) {
    if (fit == io::Fit::exact) continue;
    io::ImportRequest request;
    request.paths = {scratch.path() / "things"};
    request.size = size;
    request.fit = fit;
    const io::ImageSet imported = io::read_image_folder(request);
    const ImagePlan plan{.fit = fit, .height = size, .width = size, .channels = 3, .thumbnail = 0};

    std::vector<std::uint8_t> predicted;
    for (const std::string& file : imported.files) {
      const ReadImage image = read_image({.name = (scratch.path() / file).string()}, plan);
      EXPECT_EQ(image.error, "") << name;
      predicted.insert(predicted.end(), image.pixels.begin(), image.pixels.end());
    }

    EXPECT_EQ(predicted, imported.images) << name;
    EXPECT_EQ(imported.fit, name);
    of_fits.push_back(predicted);
  }
  EXPECT_NE(of_fits[0], of_fits[1]) << "quick-crop has pixels of its own";
}

TEST(ReadImage, ShowsPeopleMoreThanTheNetworkSees) {
  const test::ScratchDirectory scratch;
  make_pictures(scratch.path());
  const std::string file = (scratch.path() / "3.jpg").string();  // 129 x 70
  const auto thumbnail = [&](const io::Fit fit) {
    return read_image({.name = file}, {.fit = fit, .height = 8, .width = 8, .channels = 3, .thumbnail = 96}).thumbnail;
  };

  EXPECT_THAT(thumbnail(io::Fit::quick_crop), ::testing::StartsWith("data:image/jpeg"));
  EXPECT_EQ(thumbnail(io::Fit::quick_crop), thumbnail(io::Fit::area_crop));
}

}  // namespace
}  // namespace bcr::predict
