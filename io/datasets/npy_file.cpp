#include "io/datasets/npy_file.hpp"

#include "io/bytes/zip_archive.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace bcr::io {

namespace {

constexpr std::uint64_t largest_array = std::uint64_t{1} << 40;

/// Kind and width of numpy's type code: {'u', 1} for "|u1"; nothing for what is not a plain little-endian number.
struct NumberType {
  char kind;
  std::size_t bytes;
};

std::optional<NumberType> number_type(const std::string& code) {
  if (code.size() != 3 || (code[0] != '<' && code[0] != '|')) return std::nullopt;
  const std::size_t bytes = static_cast<std::size_t>(code[2] - '0');
  const bool integer = code[1] == 'u' || code[1] == 'i';
  if (!integer && code[1] != 'f') return std::nullopt;
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return std::nullopt;
  return NumberType{code[1], bytes};
}

std::uint64_t checked_bytes(const ByteStream& stream, const NpyHeader& header, const std::size_t element_bytes) {
  std::uint64_t bytes = element_bytes;
  for (const std::size_t extent : header.extents) {
    if (extent != 0 && bytes > largest_array / extent) {
      stream.refuse_here("an array of sensible size", fmt::format("an extent of {}", extent));
    }
    bytes *= extent;
  }
  return bytes;
}

/// The array in a stream; nothing if it holds real numbers.
std::optional<NpyArray> read_array(ByteStream& stream, const std::string& name) {
  const NpyHeader header = read_npy_header(stream);
  const auto type = number_type(header.type);
  if (!type) stream.refuse_here("an array of little-endian numbers", fmt::format("type {}", header.type));
  if (header.fortran_order) stream.refuse_here("an array in C order", "one in Fortran order");
  const std::uint64_t bytes = checked_bytes(stream, header, type->bytes);
  stream.require_available(bytes, "array elements");
  if (type->kind == 'f') {
    stream.skip(bytes, "array elements");
    stream.expect_end();
    return std::nullopt;
  }
  NpyArray array{name, header.type, header.extents, {}, stream.name(), stream.offset()};
  stream.append_to(array.data, bytes, "array elements");
  stream.expect_end();
  return array;
}

std::string without_ending(const std::string& entry) {
  return entry.ends_with(".npy") ? entry.substr(0, entry.size() - 4) : entry;
}

std::int64_t integer_at(const NpyArray& array, const NumberType type, const std::size_t index) {
  std::uint64_t bits = 0;
  for (std::size_t b = 0; b < type.bytes; ++b) bits |= std::uint64_t{array.data[index * type.bytes + b]} << (8 * b);
  const unsigned unused = static_cast<unsigned>(64 - 8 * type.bytes);
  if (type.kind == 'i') return static_cast<std::int64_t>(bits << unused) >> unused;  // extends the sign
  return static_cast<std::int64_t>(bits);
}

}  // namespace

std::size_t NpyArray::elements() const noexcept {
  std::size_t product = 1;
  for (const std::size_t extent : extents) product *= extent;
  return product;
}

std::vector<NpyArray> read_npy_file(const std::filesystem::path& path) {
  const SharedFile file = open_input(path);
  std::array<std::uint8_t, 4> magic{};
  if (file->size() >= magic.size()) file->read_at(0, magic, "magic number");
  std::vector<NpyArray> arrays;
  if (magic != std::array<std::uint8_t, 4>{'P', 'K', 3, 4}) {
    FileStream stream(file);
    auto array = read_array(stream, "");
    if (array) arrays.push_back(std::move(*array));
    return arrays;
  }
  const ZipArchive archive(file);
  for (const ZipEntry& entry : archive.entries()) {
    const auto stream = archive.open(entry);
    auto array = read_array(*stream, without_ending(entry.name));
    if (array) arrays.push_back(std::move(*array));
  }
  return arrays;
}

bool is_u8(const NpyArray& array) {
  return array.type == "|u1" || array.type == "<u1";
}

std::vector<std::int32_t> labels_of(const NpyArray& array, const std::int64_t first_label, const std::size_t classes) {
  const NumberType type = number_type(array.type).value();
  std::vector<std::int32_t> labels(array.elements());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::int64_t value = integer_at(array, type, i);
    if (value < first_label || value - first_label >= static_cast<std::int64_t>(classes)) {
      refuse(array.stream_name, array.data_offset + i * type.bytes,
             fmt::format("a label of {} to {}", first_label, first_label + static_cast<std::int64_t>(classes) - 1),
             fmt::format("{}", value));
    }
    labels[i] = static_cast<std::int32_t>(value - first_label);
  }
  return labels;
}

}  // namespace bcr::io
