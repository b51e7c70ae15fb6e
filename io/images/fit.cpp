#include "io/images/fit.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::io {

namespace {

Picture black(const std::size_t height, const std::size_t width) {
  return {height, width, std::vector<std::uint8_t>(height * width * 3)};
}

Window whole(const Picture& picture) {
  return {0, 0, picture.height, picture.width};
}

/// A window of this size, at most height x width, in the centre of that.
Window centred(const std::size_t own_height, const std::size_t own_width, const std::size_t height,
               const std::size_t width) {
  return {(height - own_height) / 2, (width - own_width) / 2, own_height, own_width};
}

/// The largest size of the shape height : width that fits into room_height x room_width, rounded; at least 1.
std::pair<std::size_t, std::size_t> largest_within(const std::size_t height, const std::size_t width,
                                                   const std::size_t room_height, const std::size_t room_width) {
  const auto scaled = [](const std::size_t side, const std::size_t to, const std::size_t from) {
    return std::max<std::size_t>(1, (side * to + from / 2) / from);
  };
  if (width * room_height >= height * room_width)
    return {std::min(room_height, scaled(height, room_width, width)), room_width};
  return {room_height, std::min(room_width, scaled(width, room_height, height))};
}

}  // namespace

std::string_view fit_name(const Fit fit) {
  for (const auto& [name, value] : enum_names(fit))
    if (value == fit) return name;
  return "";
}

std::optional<Fit> fit_of_name(const std::string_view name) {
  for (const auto& [known, value] : enum_names(Fit()))
    if (known == name) return value;
  return std::nullopt;
}

LeastSize least_size(const Fit fit, const std::size_t height, const std::size_t width) {
  return fit == Fit::quick_crop ? LeastSize{height, width} : LeastSize{};
}

Picture fit_picture(Picture picture, const Fit fit, const std::size_t height, const std::size_t width) {
  require<ShapeError>(picture.height > 0 && picture.width > 0 && height > 0 && width > 0, "fit a picture",
                      "at least one pixel", "none");
  if (picture.height == height && picture.width == width) return picture;
  Picture dst = black(height, width);
  switch (fit) {
    case Fit::area_crop:
    case Fit::quick_crop: {
      const auto [rows, columns] = largest_within(height, width, picture.height, picture.width);
      area_resize(picture, centred(rows, columns, picture.height, picture.width), dst, whole(dst));
      break;
    }
    case Fit::centre_crop: {
      const std::size_t rows = std::min(height, picture.height);
      const std::size_t columns = std::min(width, picture.width);
      area_resize(picture, centred(rows, columns, picture.height, picture.width), dst,
                  centred(rows, columns, height, width));
      break;
    }
    case Fit::letterbox: {
      const auto [rows, columns] = largest_within(picture.height, picture.width, height, width);
      area_resize(picture, whole(picture), dst, centred(rows, columns, height, width));
      break;
    }
    case Fit::stretch:
      area_resize(picture, whole(picture), dst, whole(dst));
      break;
    case Fit::exact:
      throw ShapeError("fit a picture", fmt::format("{} x {}", height, width),
                       fmt::format("{} x {}", picture.height, picture.width));
  }
  return dst;
}

Picture thumbnail(const Picture& picture, const std::size_t side) {
  if (picture.height <= side && picture.width <= side) return picture;
  const auto [rows, columns] = largest_within(picture.height, picture.width, side, side);
  Picture dst = black(rows, columns);
  area_resize(picture, whole(picture), dst, whole(dst));
  return dst;
}

void write_channels(const Picture& picture, const std::size_t channels, const std::span<std::uint8_t> dst) {
  const std::vector<std::uint8_t>& rgb = picture.rgb;
  require<ShapeError>((channels == 1 || channels == 3) && dst.size() * 3 == rgb.size() * channels,
                      "channels of a picture", "1 or 3, and room for them",
                      fmt::format("{} channels, {} bytes", channels, dst.size()));
  if (channels == 3) {
    std::copy(rgb.begin(), rgb.end(), dst.begin());
    return;
  }
  for (std::size_t i = 0; i < dst.size(); ++i)
    dst[i] = static_cast<std::uint8_t>((299 * rgb[3 * i] + 587 * rgb[3 * i + 1] + 114 * rgb[3 * i + 2] + 500) / 1000);
}

}  // namespace bcr::io
