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

template <std::size_t Size>
bool begins_with(const std::vector<std::uint8_t>& bytes, const std::array<std::uint8_t, Size>& magic) {
  return bytes.size() >= Size && std::equal(magic.begin(), magic.end(), bytes.begin());
}

}  // namespace

bool is_picture_name(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](const unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return ending == ".png" || ending == ".jpg" || ending == ".jpeg";
}

Picture read_picture(const std::filesystem::path& path) {
  const InputFile file(path);
  const std::vector<std::uint8_t> bytes = read_whole(file, largest_file);
  if (begins_with(bytes, jpeg_magic)) return decode_jpeg(bytes, file.name());
  if (begins_with(bytes, png_magic)) return decode_png(bytes, file.name());
  refuse(file.name(), 0, "the first bytes of a PNG or JPEG file", "others");
}

}  // namespace bcr::io
