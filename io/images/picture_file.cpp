#include "io/images/picture_file.hpp"

#include "io/bytes/byte_stream.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace bcr::io {

namespace {

constexpr std::uint64_t largest_file = std::uint64_t{1} << 28;
constexpr std::array<std::uint8_t, 8> png_magic = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
constexpr std::array<std::uint8_t, 3> jpeg_magic = {0xff, 0xd8, 0xff};
constexpr std::array<std::uint8_t, 4> riff_magic = {'R', 'I', 'F', 'F'};
constexpr std::array<std::uint8_t, 4> webp_magic = {'W', 'E', 'B', 'P'};
constexpr std::array<std::uint8_t, 2> bmp_magic = {'B', 'M'};

template <std::size_t Size>
bool begins_with(const std::span<const std::uint8_t> bytes, const std::array<std::uint8_t, Size>& magic) {
  return bytes.size() >= Size && std::equal(magic.begin(), magic.end(), bytes.begin());
}

}  // namespace

bool is_picture_name(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](const unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  constexpr std::array endings = {".png", ".jpg", ".jpeg", ".jpe", ".jfif", ".webp", ".bmp"};
  return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

Picture decode_picture(const std::span<const std::uint8_t> bytes, const std::string& file, const LeastSize least) {
  if (begins_with(bytes, jpeg_magic)) return decode_jpeg(bytes, file, least);
  if (begins_with(bytes, png_magic)) return decode_png(bytes, file);
  if (begins_with(bytes, riff_magic) && bytes.size() > 8 && begins_with(bytes.subspan(8), webp_magic))
    return decode_webp(bytes, file);
  if (begins_with(bytes, bmp_magic)) return decode_bmp(bytes, file);
  refuse(file, 0, "the first bytes of a PNG, JPEG, WebP or BMP file", "others");
}

std::vector<std::uint8_t> read_picture_bytes(const std::filesystem::path& path) {
  return read_whole(InputFile(path), largest_file);
}

Picture read_picture(const std::filesystem::path& path, const LeastSize least) {
  return decode_picture(read_picture_bytes(path), path.string(), least);
}

}  // namespace bcr::io
