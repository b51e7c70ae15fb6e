#include "src/predict/picture_source.hpp"

#include "io/images/picture_file.hpp"
#include "src/core/error.hpp"
#include "src/report/plot/page.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::predict {
namespace {

namespace fs = std::filesystem;

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
  if (names.empty()) ready_.push_back({.name = path, .error = "expected picture files in the folder, received none"});
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

namespace {

/// Photographs as JPEG, small images as they are.
std::string data_url(const io::Picture& picture, const std::size_t side) {
  constexpr std::size_t small = 64;
  constexpr int quality = 85;
  const io::Picture seen = io::thumbnail(picture, side);
  if (seen.height <= small && seen.width <= small)
    return "data:image/png;base64," + report::base64(io::encode_png(seen));
  return "data:image/jpeg;base64," + report::base64(io::encode_jpeg(seen, quality));
}

io::Picture picture_of(const std::vector<std::uint8_t>& pixels, const ImagePlan& plan) {
  io::Picture picture{plan.height, plan.width, {}};
  for (std::size_t i = 0; i < plan.height * plan.width; ++i)
    for (std::size_t c = 0; c < 3; ++c) picture.rgb.push_back(pixels[i * plan.channels + (plan.channels == 3 ? c : 0)]);
  return picture;
}

void read_from_data_file(const PictureRef& picture, const ImagePlan& plan, ReadImage& image) {
  const io::ImageFileInfo& info = picture.file->info();
  if (info.height != plan.height || info.width != plan.width || info.channels != plan.channels)
    throw IoError(picture.name, "an image of " + size_text(plan.height, plan.width, plan.channels),
                  size_text(info.height, info.width, info.channels));
  picture.file->read_images(picture.index, 1, image.pixels);
  if (plan.thumbnail > 0) image.thumbnail = data_url(picture_of(image.pixels, plan), plan.thumbnail);
}

void read_from_picture_file(const PictureRef& picture, const ImagePlan& plan, ReadImage& image) {
  const std::vector<std::uint8_t> bytes = io::read_picture_bytes(picture.name);
  const io::LeastSize least = io::least_size(plan.fit, plan.height, plan.width);
  io::Picture decoded = io::decode_picture(bytes, picture.name, least);
  if (plan.fit == io::Fit::exact && (decoded.height != plan.height || decoded.width != plan.width))
    throw IoError(picture.name, "a picture of " + size_text(plan.height, plan.width, plan.channels),
                  size_text(decoded.height, decoded.width, 3));
  if (plan.thumbnail > 0) {
    const bool reduced = least.height > 0;  // too small for people
    image.thumbnail = data_url(
        reduced ? io::decode_picture(bytes, picture.name, {plan.thumbnail, plan.thumbnail}) : decoded, plan.thumbnail);
  }
  io::write_channels(io::fit_picture(std::move(decoded), plan.fit, plan.height, plan.width), plan.channels,
                     image.pixels);
}

}  // namespace

ReadImage read_image(const PictureRef& picture, const ImagePlan& plan) {
  ReadImage image{.name = picture.name, .error = picture.error};
  if (!image.error.empty()) return image;
  try {
    image.pixels.resize(plan.height * plan.width * plan.channels);
    if (picture.file) {
      read_from_data_file(picture, plan, image);
    } else {
      read_from_picture_file(picture, plan, image);
    }
  } catch (const std::exception& error) {
    image.error = error.what();
  }
  return image;
}

}  // namespace bcr::predict
