#include "src/predict/picture_source.hpp"

#include "io/images/picture_file.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::predict {
namespace {

namespace fs = std::filesystem;

/// Luma of BT.601 in thousandths, halves up: grey stays what it is.
void to_grey(const std::vector<std::uint8_t>& rgb, const std::span<std::uint8_t> dst) {
  for (std::size_t i = 0; i < dst.size(); ++i)
    dst[i] = static_cast<std::uint8_t>((299 * rgb[3 * i] + 587 * rgb[3 * i + 1] + 114 * rgb[3 * i + 2] + 500) / 1000);
}

std::string size_text(const std::size_t height, const std::size_t width, const std::size_t channels) {
  return fmt::format("{}x{}x{}", height, width, channels);
}

}  // namespace

PictureSource::PictureSource(std::vector<std::string> paths, std::istream& list)
    : paths_(std::move(paths)), list_(list) {}

std::optional<std::string> PictureSource::next_path() {
  if (reads_list_) {
    for (std::string line; std::getline(list_, line);)
      if (!line.empty()) return line;
    reads_list_ = false;
  }
  if (place_ == paths_.size()) return std::nullopt;
  const std::string& path = paths_[place_++];
  if (path != "-") return path;
  reads_list_ = true;
  return next_path();
}

void PictureSource::open_folder(const std::string& path) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
    if (!entry.is_directory() && io::is_picture_name(entry.path())) names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  for (std::string& name : names) ready_.push_back({.name = std::move(name)});
  if (names.empty())
    ready_.push_back({.name = path, .error = "expected PNG or JPEG files in the folder, received none"});
}

void PictureSource::open(const std::string& path) {
  ready_.clear();
  given_ = 0;
  try {
    if (fs::is_directory(path)) return open_folder(path);
    const std::string ending = fs::path(path).extension().string();
    if (ending != ".h5" && ending != ".hdf5") {
      ready_.push_back({.name = path});
      return;
    }
    file_ = std::make_shared<io::ImageFile>(path);
    image_ = 0;
  } catch (const std::exception& error) {
    ready_.push_back({.name = path, .error = error.what()});
  }
}

std::optional<PictureRef> PictureSource::next() {
  for (;;) {
    if (given_ < ready_.size()) return std::move(ready_[given_++]);
    if (file_ && image_ < file_->info().count) {
      const std::size_t index = image_++;
      return PictureRef{.name = fmt::format("{}#{}", file_->path(), index), .file = file_, .index = index};
    }
    file_ = nullptr;
    const auto path = next_path();
    if (!path) return std::nullopt;
    open(*path);
  }
}

void read_pixels(const PictureRef& picture, const Fit fit, const std::size_t height, const std::size_t width,
                 const std::size_t channels, const std::span<std::uint8_t> dst) {
  const std::string wanted = size_text(height, width, channels);
  if (picture.file) {
    const io::ImageFileInfo& info = picture.file->info();
    if (info.height != height || info.width != width || info.channels != channels)
      throw IoError(picture.name, "an image of " + wanted, size_text(info.height, info.width, info.channels));
    picture.file->read_images(picture.index, 1, dst);
    return;
  }
  io::Picture decoded = io::read_picture(picture.name);
  if (decoded.height != height || decoded.width != width) {
    if (fit == Fit::exact || height != width)
      throw IoError(picture.name, "a picture of " + wanted, size_text(decoded.height, decoded.width, 3));
    decoded.rgb = io::resize_and_crop(decoded, height);
  }
  if (channels == 3) {
    std::copy(decoded.rgb.begin(), decoded.rgb.end(), dst.begin());
  } else {
    require<IoError>(channels == 1, picture.name, "a network for 1 or 3 channels", std::to_string(channels));
    to_grey(decoded.rgb, dst);
  }
}

}  // namespace bcr::predict
