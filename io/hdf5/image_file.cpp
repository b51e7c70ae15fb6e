#include "io/hdf5/image_file.hpp"

#include "io/images/fit.hpp"
#include "src/core/error.hpp"
#include "src/core/finite.hpp"
#include "src/core/sha256.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bcr::io {

namespace {

std::string sizes_text(const std::size_t count, const std::size_t height, const std::size_t width,
                       const std::size_t channels) {
  return fmt::format("uint8[{}, {}, {}, {}]", count, height, width, channels);
}

}  // namespace

std::string write_image_file(const std::filesystem::path& path, const ImageSet& set) {
  require_consistent(set, path.string());
  Hdf5Writer writer(path);
  writer.create<std::uint8_t>("/images", {set.count, set.height, set.width, set.channels}, images_per_chunk);
  const std::size_t piece = images_per_chunk * set.image_bytes();
  for (std::size_t first = 0; first < set.count; first += images_per_chunk) {
    const auto rest = std::span(set.images).subspan(first * set.image_bytes());
    writer.write_rows("/images", first, rest.first(std::min(piece, rest.size())));
  }
  const ChannelStatistics statistics = channel_statistics(set);
  const std::string sizes = sizes_text(set.count, set.height, set.width, set.channels);
  const std::string sha256 = data_sha256(image_format, sizes, set.class_names, set.labels, {writer.leaves("/images")});
  write_common(writer, image_format, {set.count, set.class_names, set.name, set.source, set.licence, sha256},
               set.labels);
  writer.set_attribute("/", "mean", statistics.mean);
  writer.set_attribute("/", "std", statistics.std);
  if (!set.fit.empty()) writer.set_attribute("/", "fit", set.fit);
  if (!set.files.empty()) writer.write_strings("/files", set.files);
  writer.commit();
  return sha256;
}

ImageFile::ImageFile(const std::filesystem::path& path) : DataFile(path, image_format) {
  const Hdf5Shape images = reader_.shape("/images");
  const std::string extents = fmt::format("{} [{}]", element_name(images.element), fmt::join(images.extents, ", "));
  check(images.element == Element::u8 && images.extents.size() == 4, "/images", "u8 [N, H, W, C]", extents);
  info_.count = images.extents[0];
  info_.height = images.extents[1];
  info_.width = images.extents[2];
  info_.channels = images.extents[3];
  const bool sensible = info_.count > 0 && info_.count <= largest_count && info_.height > 0 &&
                        info_.height <= largest_side && info_.width > 0 && info_.width <= largest_side &&
                        (info_.channels == 1 || info_.channels == 3);
  check(sensible, "/images", "images with 1 or 3 channels of sensible size", extents);
  read_common(info_);
  info_.statistics = {reader_.numbers_attribute("/", "mean"), reader_.numbers_attribute("/", "std")};
  for (const auto* numbers : {&info_.statistics.mean, &info_.statistics.std}) {
    const bool ok =
        numbers->size() == info_.channels &&
        std::all_of(numbers->begin(), numbers->end(), [](const double x) { return is_finite(x) && x >= 0 && x <= 1; });
    check(ok, "/@mean, std", "a number in [0, 1] for each channel", fmt::format("[{}]", fmt::join(*numbers, ", ")));
  }
  if (reader_.has_attribute("/", "fit")) info_.fit = reader_.text_attribute("/", "fit");
  check(info_.fit.empty() || fit_of_name(info_.fit), "/@fit", "a way to fit pictures, as area-crop", info_.fit);
  const std::string sizes = sizes_text(info_.count, info_.height, info_.width, info_.channels);
  if (is_checked())
    check_sha256(info_, data_sha256(image_format, sizes, info_.class_names, labels_, {reader_.leaves("/images")}));
}

void ImageFile::read_images(const std::size_t first, const std::size_t count, const std::span<std::uint8_t> dst) const {
  reader_.read_rows("/images", first, count, dst);
}

std::vector<std::string> ImageFile::read_file_names() const {
  if (!reader_.has("/files")) return {};
  std::vector<std::string> files = reader_.read_strings("/files");
  check(files.size() == info_.count, "/files", fmt::format("{} names", info_.count), std::to_string(files.size()));
  return files;
}

ImageSet ImageFile::read_all() const {
  ImageSet set;
  set.count = info_.count;
  set.height = info_.height;
  set.width = info_.width;
  set.channels = info_.channels;
  set.class_names = info_.class_names;
  set.name = info_.name;
  set.source = info_.source;
  set.licence = info_.licence;
  set.fit = info_.fit;
  set.labels = labels_;
  set.files = read_file_names();
  set.images.resize(info_.count * info_.image_bytes());
  read_images(0, info_.count, set.images);
  return set;
}

void ImageFile::verify() const {
  Sha256 hash;
  ChannelSums sums(info_.channels);
  std::vector<std::uint8_t> piece;
  for (std::size_t first = 0; first < info_.count; first += images_per_chunk) {
    const std::size_t count = std::min(images_per_chunk, info_.count - first);
    piece.resize(count * info_.image_bytes());
    read_images(first, count, piece);
    if (!is_checked()) hash.update(std::as_bytes(std::span(piece)));
    sums.add(piece);
  }
  if (!is_checked()) check_sha256(info_, to_hex(hash.update(std::as_bytes(std::span(labels_))).digest()));
  const ChannelStatistics statistics = sums.statistics();
  const bool same = statistics.mean == info_.statistics.mean && statistics.std == info_.statistics.std;
  check(same, "/@mean, std", "the statistics of the pixels", "others");
}

}  // namespace bcr::io
