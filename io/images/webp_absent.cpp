#include "io/images/picture_file.hpp"

#include "io/bytes/input_file.hpp"

namespace bcr::io {

bool reads_webp() {
  return false;
}

Picture decode_webp(const std::span<const std::uint8_t>, const std::string& file) {
  refuse(file, 0, "a PNG, JPEG or BMP file: this program was built without libwebp", "a WebP file");
}

}  // namespace bcr::io
