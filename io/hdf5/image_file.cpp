#include "io/hdf5/image_file.hpp"

#include "io/bytes/finite_number.hpp"
#include "io/hdf5/writer.hpp"
#include "src/core/error.hpp"
#include "src/core/sha256.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bcr::io {

namespace {

constexpr const char* image_format = "bcr-images";

void require_file(const bool ok, const std::string& file, const std::string_view object,
                  const std::string_view expected, const std::string& received) {
  if (!ok) throw IoError(fmt::format("data file {}:{}", file, object), expected, received);
}

void require_version(const Hdf5Reader& reader) {
  const std::string format = reader.has_attribute("/", "format") ? reader.text_attribute("/", "format") : "none";
  require_file(format == image_format, reader.name(), "/@format", image_format, format);
  const std::int64_t version = reader.integer_attribute("/", "format_version");
  require_file(version == image_format_version, reader.name(), "/@format_version",
               fmt::format("version {}", image_format_version), fmt::format("{}", version));
}

ImageFileInfo read_info(const Hdf5Reader& reader) {
  ImageFileInfo info;
  const Hdf5Shape images = reader.shape("/images");
  const std::string extents = fmt::format("{} [{}]", element_name(images.element), fmt::join(images.extents, ", "));
  require_file(images.element == Element::u8 && images.extents.size() == 4, reader.name(), "/images", "u8 [N, H, W, C]",
               extents);
  info.count = images.extents[0];
  info.height = images.extents[1];
  info.width = images.extents[2];
  info.channels = images.extents[3];
  const bool sensible = info.count > 0 && info.count <= largest_count && info.height > 0 &&
                        info.height <= largest_side && info.width > 0 && info.width <= largest_side &&
                        (info.channels == 1 || info.channels == 3);
  require_file(sensible, reader.name(), "/images", "images with 1 or 3 channels of sensible size", extents);
  info.class_names = reader.read_strings("/class_names");
  info.statistics = {reader.numbers_attribute("/", "mean"), reader.numbers_attribute("/", "std")};
  info.name = reader.text_attribute("/", "name");
  info.source = reader.text_attribute("/", "source");
  info.licence = reader.text_attribute("/", "licence");
  info.sha256 = reader.text_attribute("/", "sha256");
  return info;
}

void require_sound(const ImageFileInfo& info, const std::vector<std::int32_t>& labels, const std::string& file) {
  require_file(labels.size() == info.count, file, "/labels", fmt::format("{} labels", info.count),
               fmt::format("{}", labels.size()));
  require_file(!info.class_names.empty(), file, "/class_names", "at least one class", "none");
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool ok = labels[i] >= 0 && static_cast<std::size_t>(labels[i]) < info.class_names.size();
    if (!ok) {
      require_file(ok, file, "/labels", fmt::format("labels of 0 to {}", info.class_names.size() - 1),
                   fmt::format("label {} of image {}", labels[i], i));
    }
  }
  for (const auto* numbers : {&info.statistics.mean, &info.statistics.std}) {
    const bool ok = numbers->size() == info.channels &&
                    std::all_of(numbers->begin(), numbers->end(),
                                [](const double x) { return is_finite_number(x) && x >= 0 && x <= 1; });
    require_file(ok, file, "/@mean, std", "a number in [0, 1] for each channel",
                 fmt::format("[{}]", fmt::join(*numbers, ", ")));
  }
  const bool hex = info.sha256.size() == 64 && info.sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
  require_file(hex, file, "/@sha256", "64 hexadecimal digits", info.sha256);
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
  writer.create<std::int32_t>("/labels", {set.count}, std::size_t{1} << 16);
  writer.write_rows("/labels", 0, std::span(set.labels));
  writer.write_strings("/class_names", set.class_names);
  const ChannelStatistics statistics = channel_statistics(set);
  std::string sha256 = content_sha256(set);
  writer.set_attribute("/", "format", std::string(image_format));
  writer.set_attribute("/", "format_version", image_format_version);
  writer.set_attribute("/", "name", set.name);
  writer.set_attribute("/", "source", set.source);
  writer.set_attribute("/", "licence", set.licence);
  writer.set_attribute("/", "mean", statistics.mean);
  writer.set_attribute("/", "std", statistics.std);
  writer.set_attribute("/", "sha256", sha256);
  writer.commit();
  return sha256;
}

ImageFile::ImageFile(const std::filesystem::path& path) : reader_(path) {
  require_version(reader_);
  info_ = read_info(reader_);
  labels_ = reader_.read<std::int32_t>("/labels");
  require_sound(info_, labels_, reader_.name());
}

void ImageFile::read_images(const std::size_t first, const std::size_t count, const std::span<std::uint8_t> dst) const {
  reader_.read_rows("/images", first, count, dst);
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
  set.labels = labels_;
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
    hash.update(std::as_bytes(std::span(piece)));
    sums.add(piece);
  }
  hash.update(std::as_bytes(std::span(labels_)));
  const std::string sha256 = to_hex(hash.digest());
  require_file(sha256 == info_.sha256, path(), "/@sha256", info_.sha256, sha256);
  const ChannelStatistics statistics = sums.statistics();
  const bool same = statistics.mean == info_.statistics.mean && statistics.std == info_.statistics.std;
  require_file(same, path(), "/@mean, std", "the statistics of the pixels", "others");
}

}  // namespace bcr::io
