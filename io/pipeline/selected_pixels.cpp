#include "io/pipeline/selected_pixels.hpp"

#include "src/core/error.hpp"

#include <algorithm>
#include <cstring>

namespace bcr::io {

void for_selected_pixels(const ImageFile& file, const std::span<const std::uint32_t> rows,
                         const std::function<void(std::size_t, std::span<const std::uint8_t>)>& take) {
  const std::size_t image_bytes = file.info().image_bytes();
  std::vector<std::uint8_t> chunk(images_per_chunk * image_bytes);
  std::size_t next = 0;
  while (next < rows.size()) {
    const std::size_t begin = rows[next] / images_per_chunk * images_per_chunk;
    const std::size_t end = std::min(begin + images_per_chunk, file.info().count);
    if (rows[next] >= end) {
      throw IoError("read " + file.path(), "rows below " + std::to_string(file.info().count),
                    std::to_string(rows[next]));
    }
    file.read_images(begin, end - begin, std::span(chunk).first((end - begin) * image_bytes));
    const std::size_t first = next;
    // Packed in place: an image never moves up.
    for (; next < rows.size() && rows[next] < end; ++next) {
      std::memmove(chunk.data() + (next - first) * image_bytes, chunk.data() + (rows[next] - begin) * image_bytes,
                   image_bytes);
    }
    take(first, std::span<const std::uint8_t>(chunk).first((next - first) * image_bytes));
  }
}

void read_selected_pixels(const ImageFile& file, const std::span<const std::uint32_t> rows,
                          const std::span<std::uint8_t> dst) {
  const std::size_t image_bytes = file.info().image_bytes();
  require<ShapeError>(dst.size() == rows.size() * image_bytes, "read_selected_pixels",
                      std::to_string(rows.size() * image_bytes) + " bytes", std::to_string(dst.size()));
  for_selected_pixels(file, rows, [&](const std::size_t first, const std::span<const std::uint8_t> pixels) {
    std::memcpy(dst.data() + first * image_bytes, pixels.data(), pixels.size());
  });
}

}  // namespace bcr::io
