// MATLAB files from another hand: matio writes what our own reader reads.
#include "io/datasets/image_readers.hpp"
#include "tests/support/format_writers.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gtest/gtest.h>
#include <matio.h>

namespace {

using namespace bcr::io;

/// X and y of `set` as the library writes them. MATLAB's order: the first of [H, W, 3, N] fastest.
void write_with_matio(const std::filesystem::path& path, const mat_ft version, const matio_compression compression,
                      const ImageSet& set) {
  std::vector<std::uint8_t> pixels;
  for (std::size_t i = 0; i < set.images.size(); ++i) {
    const std::size_t y = i % set.height;
    const std::size_t x = i / set.height % set.width;
    const std::size_t c = i / (set.height * set.width) % 3;
    const std::size_t n = i / set.image_bytes();
    pixels.push_back(set.images[((n * set.height + y) * set.width + x) * 3 + c]);
  }
  std::vector<double> labels;
  for (const std::int32_t label : set.labels) labels.push_back(label == 0 ? 10 : label);
  std::size_t extents[4] = {set.height, set.width, 3, set.count};
  std::size_t label_extents[2] = {set.count, 1};
  mat_t* file = Mat_CreateVer(path.c_str(), nullptr, version);
  matvar_t* x = Mat_VarCreate("X", MAT_C_UINT8, MAT_T_UINT8, 4, extents, pixels.data(), 0);
  matvar_t* y = Mat_VarCreate("y", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, label_extents, labels.data(), 0);
  Mat_VarWrite(file, x, compression);
  Mat_VarWrite(file, y, compression);
  Mat_VarFree(x);
  Mat_VarFree(y);
  Mat_Close(file);
}

TEST(ImportMatio, ReadsWhatMatioWrites) {
  const bcr::test::ScratchDirectory directory;
  const ImageSet expected = bcr::test::patterned_set(13, 6, 5, 3, 10);
  for (const mat_ft version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
    for (const matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
      ImportRequest request;
      request.paths = {directory.path() / "digits.mat"};
      write_with_matio(request.paths[0], version, compression, expected);

      const ImageSet set = read_svhn(request);

      EXPECT_EQ(set.images, expected.images) << "version " << version << ", compression " << compression;
      EXPECT_EQ(set.labels, expected.labels);
    }
  }
}

}  // namespace
