#include "io/images/picture_file.hpp"

#include <algorithm>

namespace bcr::io {

namespace {

constexpr std::size_t gap = 2;
constexpr std::uint8_t paper = 128;

/// For each of the first classes, the first images of it.
std::vector<std::vector<std::size_t>> choose(const ImageFile& file, const std::size_t columns, const std::size_t rows) {
  std::vector<std::vector<std::size_t>> chosen(file.info().class_names.size());
  for (std::size_t i = 0; i < file.labels().size(); ++i) {
    auto& row = chosen[static_cast<std::size_t>(file.labels()[i])];
    if (row.size() < columns) row.push_back(i);
  }
  std::erase_if(chosen, [](const auto& row) { return row.empty(); });
  chosen.resize(std::min(chosen.size(), rows));
  return chosen;
}

void place(const std::vector<std::uint8_t>& image, const ImageFileInfo& info, const std::size_t top,
           const std::size_t left, Picture& sheet) {
  for (std::size_t y = 0; y < info.height; ++y) {
    for (std::size_t x = 0; x < info.width; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t from = (y * info.width + x) * info.channels + (info.channels == 3 ? c : 0);
        sheet.rgb[((top + y) * sheet.width + left + x) * 3 + c] = image[from];
      }
    }
  }
}

}  // namespace

Picture contact_sheet(const ImageFile& file, const std::size_t columns, const std::size_t rows) {
  const ImageFileInfo& info = file.info();
  const auto chosen = choose(file, columns, rows);
  std::size_t widest = 0;
  for (const auto& row : chosen) widest = std::max(widest, row.size());
  Picture sheet{gap + chosen.size() * (info.height + gap), gap + widest * (info.width + gap), {}};
  sheet.rgb.assign(sheet.height * sheet.width * 3, paper);
  std::vector<std::uint8_t> image(info.image_bytes());
  for (std::size_t r = 0; r < chosen.size(); ++r) {
    for (std::size_t k = 0; k < chosen[r].size(); ++k) {
      file.read_images(chosen[r][k], 1, image);
      place(image, info, gap + r * (info.height + gap), gap + k * (info.width + gap), sheet);
    }
  }
  return sheet;
}

}  // namespace bcr::io
