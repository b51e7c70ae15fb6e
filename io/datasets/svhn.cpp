#include "io/datasets/image_readers.hpp"

#include "io/datasets/mat5.hpp"
#include "io/hdf5/reader.hpp"
#include "src/core/error.hpp"
#include "src/core/finite.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace bcr::io {

namespace {

constexpr std::array<std::uint8_t, 8> hdf5_magic = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

/// X and y of either version. X has the first of [H, W, 3, N] fastest.
struct DigitArrays {
  std::vector<std::size_t> extents;
  std::vector<std::uint8_t> pixels;
  std::vector<std::int64_t> labels;
};

/// MATLAB 7.3 files are HDF5 behind a block of 512 bytes.
bool is_hdf5(const InputFile& file) {
  for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{512}}) {
    std::array<std::uint8_t, 8> magic{};
    if (file.size() < offset + magic.size()) return false;
    file.read_at(offset, magic, "magic number");
    if (magic == hdf5_magic) return true;
  }
  return false;
}

DigitArrays read_version_5(const SharedFile& file) {
  std::vector<MatArray> arrays = read_mat5(file);
  const auto named = [&arrays, &file](const std::string_view name) -> MatArray& {
    const auto found = std::find_if(arrays.begin(), arrays.end(), [name](const auto& a) { return a.name == name; });
    if (found == arrays.end()) refuse(file->name(), file->size(), fmt::format("an array {}", name), "none");
    return *found;
  };
  MatArray& pixels = named("X");
  if (pixels.stored_as != mat_u8) refuse(pixels.stream_name, pixels.data_offset, "X of type uint8", "another type");
  return {pixels.extents, std::move(pixels.data), integers_of(named("y"))};
}

DigitArrays read_version_73(const std::filesystem::path& path) {
  const Hdf5Reader reader(path);
  DigitArrays digits;
  // HDF5 lists the slowest dimension first.
  digits.extents = reader.shape("/X").extents;
  std::reverse(digits.extents.begin(), digits.extents.end());
  digits.pixels = reader.read<std::uint8_t>("/X");
  if (reader.shape("/y").element == Element::u8) {
    const auto labels = reader.read<std::uint8_t>("/y");
    digits.labels.assign(labels.begin(), labels.end());
    return digits;
  }
  for (const double label : reader.read<double>("/y")) {
    // Not a number and fractions become a label that no digit has.
    const bool whole =
        is_finite(label) && label >= 0 && label <= 255 && static_cast<double>(static_cast<int>(label)) == label;
    digits.labels.push_back(whole ? static_cast<std::int64_t>(label) : -1);
  }
  return digits;
}

void require_shape(DigitArrays& digits, const std::string& file) {
  if (digits.extents.size() == 3) digits.extents.push_back(1);  // MATLAB drops a last dimension of one
  const auto& extents = digits.extents;
  const bool ok = extents.size() == 4 && extents[0] > 0 && extents[0] <= largest_side && extents[1] > 0 &&
                  extents[1] <= largest_side && extents[2] == 3 && extents[3] > 0 && extents[3] <= largest_count;
  if (!ok) throw IoError("read " + file, "X of shape [H, W, 3, N]", fmt::format("[{}]", fmt::join(extents, ", ")));
  if (digits.labels.size() != extents[3]) {
    throw IoError("read " + file, fmt::format("{} labels in y, one for each image", extents[3]),
                  fmt::format("{}", digits.labels.size()));
  }
}

ImageSet arrange(const DigitArrays& digits, const std::string& file) {
  ImageSet set;
  set.height = digits.extents[0];
  set.width = digits.extents[1];
  set.channels = 3;
  set.count = digits.extents[3];
  set.images.resize(digits.pixels.size());
  const std::size_t plane = set.height * set.width;
  for (std::size_t n = 0; n < set.count; ++n) {
    const std::uint8_t* src = digits.pixels.data() + n * 3 * plane;
    std::uint8_t* dst = set.images.data() + n * 3 * plane;
    for (std::size_t y = 0; y < set.height; ++y) {
      for (std::size_t x = 0; x < set.width; ++x) {
        for (std::size_t c = 0; c < 3; ++c) *dst++ = src[c * plane + x * set.height + y];
      }
    }
    const std::int64_t label = digits.labels[n];
    if (label < 1 || label > 10) {
      throw IoError("read " + file, "labels of 1 to 10 in y", fmt::format("label {} of image {}", label, n));
    }
    set.labels.push_back(static_cast<std::int32_t>(label % 10));
  }
  return set;
}

}  // namespace

ImageSet read_svhn(const ImportRequest& request) {
  require_paths(request, "svhn", ".mat files, or their directory");
  auto files = request.paths;
  if (is_published_layout(request)) {
    files = published_files(request.paths[0], request.part, {"train_32x32.mat"}, {"test_32x32.mat"});
  }
  ImageSet set;
  for (const auto& path : files) {
    const SharedFile file = open_input(path);
    DigitArrays digits = is_hdf5(*file) ? read_version_73(path) : read_version_5(file);
    require_shape(digits, file->name());
    append(set, arrange(digits, file->name()), file->name());
    request.progress(set.count, 0);
  }
  set.class_names = numbered_classes(10);
  set.source = source_text("svhn", files);
  return set;
}

}  // namespace bcr::io
