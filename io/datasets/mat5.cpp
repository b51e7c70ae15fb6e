#include "io/datasets/mat5.hpp"

#include "io/bytes/inflate_stream.hpp"
#include "src/core/finite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace bcr::io {

namespace {

constexpr std::uint64_t header_bytes = 128;
constexpr std::uint32_t int8_type = 1;
constexpr std::uint32_t int32_type = 5;
constexpr std::uint32_t uint32_type = 6;
constexpr std::uint32_t matrix_type = 14;
constexpr std::uint32_t compressed_type = 15;
constexpr std::uint32_t first_numeric_class = 6;
constexpr std::uint32_t last_numeric_class = 15;
constexpr std::uint32_t complex_flag = 0x800;
constexpr std::size_t most_dimensions = 8;
constexpr std::size_t longest_name = 4096;

/// Bytes of a stored element by MATLAB's type code; 0: not a number.
std::size_t bytes_of_type(const std::uint32_t type) {
  constexpr std::size_t bytes[] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8};
  return type < std::size(bytes) ? bytes[type] : 0;
}

/// The tag before a piece of data. Data of up to four bytes may sit in the tag itself.
struct Tag {
  std::uint32_t type = 0;
  std::uint32_t size = 0;
  std::uint32_t padding = 0;
};

Tag read_tag(ByteStream& stream) {
  const auto word = stream.read_number<std::uint32_t>("element tag");
  if (word >> 16 != 0) {
    const Tag tag{word & 0xffffU, word >> 16, 4 - std::min<std::uint32_t>(word >> 16, 4)};
    if (tag.size > 4) stream.refuse_here("a small element of at most 4 bytes", std::to_string(tag.size));
    return tag;
  }
  const auto size = stream.read_number<std::uint32_t>("element size");
  return {word, size, (8 - size % 8) % 8};
}

std::vector<std::uint8_t> read_data(ByteStream& stream, const Tag& tag, const std::string_view what) {
  std::vector<std::uint8_t> data;
  stream.append_to(data, tag.size, what);
  stream.skip(tag.padding, "padding");
  return data;
}

std::uint32_t word_at(const std::vector<std::uint8_t>& data, const std::size_t index) {
  const std::uint8_t* at = data.data() + 4 * index;
  return at[0] | at[1] << 8 | at[2] << 16 | static_cast<std::uint32_t>(at[3]) << 24;
}

void expect_tag(const ByteStream& stream, const Tag& tag, const std::uint32_t type, const std::size_t at_most,
                const std::string_view what) {
  if (tag.type != type || tag.size > at_most) {
    stream.refuse_here(fmt::format("{} of type {}", what, type), fmt::format("type {}, {} bytes", tag.type, tag.size));
  }
}

std::vector<std::size_t> read_extents(ByteStream& stream) {
  const Tag tag = read_tag(stream);
  expect_tag(stream, tag, int32_type, 4 * most_dimensions, "dimensions");
  if (tag.size < 8 || tag.size % 4 != 0)
    stream.refuse_here("two to eight dimensions", fmt::format("{} bytes", tag.size));
  const auto data = read_data(stream, tag, "dimensions");
  std::vector<std::size_t> extents;
  std::uint64_t product = 1;
  for (std::size_t i = 0; i < data.size() / 4; ++i) {
    extents.push_back(word_at(data, i));
    product = extents.back() == 0 ? 0 : product;
    if (extents.back() > 0x7fffffff || product * extents.back() > (std::uint64_t{1} << 40)) {
      stream.refuse_here("dimensions of sensible size", std::to_string(extents.back()));
    }
    product *= extents.back();
  }
  return extents;
}

/// The content of a matrix element, or an array without name if it is none of real numbers.
MatArray read_matrix(ByteStream& stream) {
  MatArray array;
  const Tag flags_tag = read_tag(stream);
  expect_tag(stream, flags_tag, uint32_type, 8, "array flags");
  if (flags_tag.size != 8) stream.refuse_here("8 bytes of array flags", std::to_string(flags_tag.size));
  const std::uint32_t flags = word_at(read_data(stream, flags_tag, "array flags"), 0);
  const std::uint32_t kind = flags & 0xffU;
  if (kind < first_numeric_class || kind > last_numeric_class || (flags & complex_flag) != 0) return {};
  array.extents = read_extents(stream);
  const Tag name_tag = read_tag(stream);
  expect_tag(stream, name_tag, int8_type, longest_name, "array name");
  const auto name = read_data(stream, name_tag, "array name");
  const Tag tag = read_tag(stream);
  array.stored_as = tag.type;
  if (bytes_of_type(tag.type) == 0 || tag.size != array.elements() * array.element_bytes()) {
    stream.refuse_here(fmt::format("{} numbers", array.elements()),
                       fmt::format("{} bytes of type {}", tag.size, tag.type));
  }
  array.stream_name = stream.name();
  array.data_offset = stream.offset();
  array.data = read_data(stream, tag, "array elements");
  array.name.assign(name.begin(), name.end());
  return array;
}

void check_header(const SharedFile& file) {
  std::uint8_t version[4] = {};
  file->read_at(124, version, "MATLAB header");
  if (version[2] != 'I' || version[3] != 'M') {
    refuse(file->name(), 126, "the mark IM of a little-endian MATLAB file", "other bytes");
  }
  if (version[0] != 0 || version[1] != 1) {
    refuse(file->name(), 124, "version 0x0100 of a MATLAB 5 file", fmt::format("{:#x}", version[0] | version[1] << 8));
  }
}

/// One top-level element, which must fill its stream.
MatArray read_element(std::unique_ptr<ByteStream> stream, const std::uint32_t type) {
  if (type == compressed_type) {
    stream = std::make_unique<InflateStream>(std::move(stream), DeflateWrapper::zlib);
    const Tag tag = read_tag(*stream);
    expect_tag(*stream, tag, matrix_type, 0xffffffff, "array");
    stream->require_available(tag.size, "array");
  }
  MatArray array = read_matrix(*stream);
  if (!array.name.empty()) stream->expect_end();
  return array;
}

}  // namespace

std::size_t MatArray::elements() const noexcept {
  std::size_t product = 1;
  for (const std::size_t extent : extents) product *= extent;
  return product;
}

std::size_t MatArray::element_bytes() const noexcept {
  return bytes_of_type(stored_as);
}

std::vector<MatArray> read_mat5(const SharedFile& file) {
  check_header(file);
  std::vector<MatArray> arrays;
  std::uint64_t position = header_bytes;
  while (position < file->size()) {
    FileStream tag_stream(file, position, file->size());
    const auto type = tag_stream.read_number<std::uint32_t>("element tag");
    const auto size = tag_stream.read_number<std::uint32_t>("element size");
    if (type != matrix_type && type != compressed_type) {
      refuse(file->name(), position, "an array (type 14) or a compressed one (15)", fmt::format("type {}", type));
    }
    tag_stream.require_available(size, "array");
    MatArray array =
        read_element(std::make_unique<FileStream>(file, tag_stream.offset(), tag_stream.offset() + size), type);
    if (!array.name.empty()) arrays.push_back(std::move(array));
    position = tag_stream.offset() + size;
  }
  return arrays;
}

namespace {

template <class T>
std::int64_t integer_at(const MatArray& array, const std::size_t index) {
  T value{};
  std::memcpy(&value, array.data.data() + index * sizeof(T), sizeof(T));
  const bool finite = [&] {
    if constexpr (std::is_floating_point_v<T>) return is_finite(value);
    return true;
  }();
  const bool small = finite && value >= static_cast<T>(0) && static_cast<double>(value) <= 2147483647.0;
  if (small && static_cast<T>(static_cast<std::int64_t>(value)) == value) return static_cast<std::int64_t>(value);
  refuse(array.stream_name, array.data_offset + index * sizeof(T), "a whole number of at most 32 bits",
         finite ? fmt::format("{}", value) : "no finite number");
}

}  // namespace

std::vector<std::int64_t> integers_of(const MatArray& array) {
  std::vector<std::int64_t> values(array.elements());
  for (std::size_t i = 0; i < values.size(); ++i) {
    switch (array.stored_as) {
      case 1:
        values[i] = integer_at<std::int8_t>(array, i);
        break;
      case 2:
        values[i] = integer_at<std::uint8_t>(array, i);
        break;
      case 3:
        values[i] = integer_at<std::int16_t>(array, i);
        break;
      case 4:
        values[i] = integer_at<std::uint16_t>(array, i);
        break;
      case 5:
        values[i] = integer_at<std::int32_t>(array, i);
        break;
      case 6:
        values[i] = integer_at<std::uint32_t>(array, i);
        break;
      case 7:
        values[i] = integer_at<float>(array, i);
        break;
      case 9:
        values[i] = integer_at<double>(array, i);
        break;
      default:
        refuse(array.stream_name, array.data_offset, "8 to 32-bit integers or reals", "another type");
    }
  }
  return values;
}

}  // namespace bcr::io
