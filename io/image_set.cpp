#include "io/image_set.hpp"

#include "src/core/error.hpp"
#include "src/core/sha256.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace bcr::io {

void require_consistent(const ImageSet& set, const std::string& origin) {
  const auto check = [&origin](const bool ok, const std::string_view expected, const std::string& received) {
    if (!ok) throw IoError("images of " + origin, expected, received);
  };
  check(set.count > 0 && set.count <= largest_count, "at least one image", fmt::format("{}", set.count));
  for (const std::size_t side : {set.height, set.width}) {
    check(side > 0 && side <= largest_side, fmt::format("sides of 1 to {}", largest_side), fmt::format("{}", side));
  }
  check(set.channels == 1 || set.channels == 3, "1 or 3 channels", fmt::format("{}", set.channels));
  check(set.images.size() == set.count * set.image_bytes(), fmt::format("{} bytes", set.count * set.image_bytes()),
        fmt::format("{} bytes", set.images.size()));
  check(set.labels.size() == set.count, fmt::format("{} labels", set.count), fmt::format("{}", set.labels.size()));
  check(!set.class_names.empty() && set.class_names.size() <= largest_class_count, "at least one class",
        fmt::format("{}", set.class_names.size()));
  check(set.files.empty() || set.files.size() == set.count, fmt::format("{} file names, or none", set.count),
        fmt::format("{}", set.files.size()));
  for (std::size_t i = 0; i < set.count; ++i) {
    const std::int32_t label = set.labels[i];
    if (label >= 0 && static_cast<std::size_t>(label) < set.class_names.size()) continue;
    check(false, fmt::format("labels of 0 to {}", set.class_names.size() - 1),
          fmt::format("label {} of image {}", label, i));
  }
}

void ChannelSums::add(const std::span<const std::uint8_t> pixels) {
  const std::size_t channels = sums_.size();
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t i = c; i < pixels.size(); i += channels) {
      const std::uint64_t value = pixels[i];
      sums_[c] += value;
      squares_[c] += value * value;
    }
  }
  pixels_ += pixels.size() / channels;
}

ChannelStatistics ChannelSums::statistics() const {
  // Sums s of bytes and q of their squares fit 64 bits for 2^48 pixels. With n pixels, mean = s / n and
  // variance = (n q - s^2) / n^2, whose numerator is an exact 128-bit integer.
  ChannelStatistics statistics;
  const double n = static_cast<double>(pixels_);
  for (std::size_t c = 0; c < sums_.size(); ++c) {
    __extension__ using Wide = unsigned __int128;
    const Wide numerator = Wide{pixels_} * squares_[c] - Wide{sums_[c]} * sums_[c];
    statistics.mean.push_back(static_cast<double>(sums_[c]) / n / 255.0);
    statistics.std.push_back(std::sqrt(static_cast<double>(numerator)) / n / 255.0);
  }
  return statistics;
}

ChannelStatistics channel_statistics(const ImageSet& set) {
  ChannelSums sums(set.channels);
  sums.add(set.images);
  return sums.statistics();
}

std::vector<std::size_t> class_counts(const std::span<const std::int32_t> labels, const std::size_t classes) {
  std::vector<std::size_t> counts(classes, 0);
  for (const std::int32_t label : labels) ++counts.at(static_cast<std::size_t>(label));
  return counts;
}

std::string content_sha256(const ImageSet& set) {
  static_assert(std::endian::native == std::endian::little, "labels are hashed as little-endian integers");
  Sha256 hash;
  hash.update(std::as_bytes(std::span(set.images)));
  hash.update(std::as_bytes(std::span(set.labels)));
  return to_hex(hash.digest());
}

std::vector<std::string> numbered_classes(const std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

void append(ImageSet& set, ImageSet&& tail, const std::string& origin) {
  if (set.count == 0) {
    set = std::move(tail);
    return;
  }
  if (set.image_bytes() != tail.image_bytes() || set.height != tail.height || set.channels != tail.channels) {
    throw IoError("images of " + origin, fmt::format("[{}, {}, {}]", set.height, set.width, set.channels),
                  fmt::format("[{}, {}, {}]", tail.height, tail.width, tail.channels));
  }
  set.count += tail.count;
  set.images.insert(set.images.end(), tail.images.begin(), tail.images.end());
  set.labels.insert(set.labels.end(), tail.labels.begin(), tail.labels.end());
}

}  // namespace bcr::io
