#include "tests/support/format_writers.hpp"

#include "io/hdf5/writer.hpp"

#include <zlib.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
// jpeglib.h needs FILE and size_t declared before it.
#include <jpeglib.h>

namespace bcr::test {

namespace {

void put_big(Bytes& bytes, const std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(value >> shift));
}

template <class T>
void put_little(Bytes& bytes, const T value) {
  for (std::size_t b = 0; b < sizeof(T); ++b)
    bytes.push_back(static_cast<std::uint8_t>(std::uint64_t(value) >> (8 * b)));
}

void put_text(Bytes& bytes, const std::string_view text) {
  for (const char letter : text) bytes.push_back(static_cast<std::uint8_t>(letter));
}
void put_bytes(Bytes& bytes, const Bytes& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

/// 31: gzip, 15: zlib, -15: raw.
Bytes deflated(const Bytes& bytes, const int window_bits) {
  z_stream zlib{};
  if (deflateInit2(&zlib, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::runtime_error("zlib");
  Bytes packed(deflateBound(&zlib, bytes.size()) + 64);
  zlib.next_in = const_cast<Bytef*>(bytes.data());
  zlib.avail_in = static_cast<uInt>(bytes.size());
  zlib.next_out = packed.data();
  zlib.avail_out = static_cast<uInt>(packed.size());
  const int status = deflate(&zlib, Z_FINISH);
  packed.resize(packed.size() - zlib.avail_out);
  deflateEnd(&zlib);
  if (status != Z_STREAM_END) throw std::runtime_error("zlib");
  return packed;
}

void put_mat_element(Bytes& bytes, const std::uint32_t type, const Bytes& data) {
  put_little(bytes, type);
  put_little(bytes, static_cast<std::uint32_t>(data.size()));
  put_bytes(bytes, data);
  while (bytes.size() % 8 != 0) bytes.push_back(0);
}

/// One array variable; `kind` is MATLAB's class, the data are uint8 whatever the class.
Bytes mat_variable(const std::string_view name, const std::uint32_t kind, const std::vector<std::int32_t>& extents,
                   const Bytes& data, const Packing packing) {
  Bytes content;
  Bytes piece;
  put_little(piece, kind);
  put_little(piece, std::uint32_t{0});
  put_mat_element(content, 6, piece);
  piece.clear();
  for (const std::int32_t extent : extents) put_little(piece, extent);
  put_mat_element(content, 5, piece);
  put_little(content, static_cast<std::uint32_t>(1 | name.size() << 16));  // a small element
  put_text(content, name);
  while (content.size() % 8 != 0) content.push_back(0);
  put_mat_element(content, 2, data);
  Bytes variable;
  put_mat_element(variable, 14, content);
  if (packing == Packing::plain) return variable;
  const Bytes packed = deflated(variable, 15);
  Bytes wrapped;
  put_little(wrapped, std::uint32_t{15});
  put_little(wrapped, static_cast<std::uint32_t>(packed.size()));
  put_bytes(wrapped, packed);
  return wrapped;
}

/// MATLAB's order: the first of [H, W, 3, N] fastest.
Bytes matlab_order(const io::ImageSet& set) {
  Bytes bytes;
  for (std::size_t n = 0; n < set.count; ++n)
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t x = 0; x < set.width; ++x)
        for (std::size_t y = 0; y < set.height; ++y)
          bytes.push_back(set.images[((n * set.height + y) * set.width + x) * 3 + c]);
  return bytes;
}

Bytes matlab_labels(const io::ImageSet& set) {
  Bytes bytes;
  for (const std::int32_t label : set.labels) bytes.push_back(static_cast<std::uint8_t>(label == 0 ? 10 : label));
  return bytes;
}

Bytes matlab_header(const std::uint16_t version) {
  Bytes bytes;
  put_text(bytes, "MATLAB MAT-file");
  bytes.resize(124, ' ');
  put_little(bytes, version);
  put_text(bytes, "IM");
  return bytes;
}

}  // namespace

io::ImageSet patterned_set(const std::size_t count, const std::size_t height, const std::size_t width,
                           const std::size_t channels, const std::size_t classes) {
  io::ImageSet set;
  set.count = count;
  set.height = height;
  set.width = width;
  set.channels = channels;
  for (std::size_t i = 0; i < count * height * width * channels; ++i) {
    set.images.push_back(static_cast<std::uint8_t>(i * 37 + i / 251 * 11));
  }
  for (std::size_t i = 0; i < count; ++i) set.labels.push_back(static_cast<std::int32_t>(i % classes));
  set.class_names = io::numbered_classes(classes);
  set.name = "pattern";
  return set;
}

Bytes idx_images(const io::ImageSet& set) {
  Bytes bytes;
  put_big(bytes, 0x803);
  put_big(bytes, static_cast<std::uint32_t>(set.count));
  put_big(bytes, static_cast<std::uint32_t>(set.height));
  put_big(bytes, static_cast<std::uint32_t>(set.width));
  put_bytes(bytes, set.images);
  return bytes;
}

Bytes idx_labels(const io::ImageSet& set) {
  Bytes bytes;
  put_big(bytes, 0x801);
  put_big(bytes, static_cast<std::uint32_t>(set.count));
  for (const std::int32_t label : set.labels) bytes.push_back(static_cast<std::uint8_t>(label));
  return bytes;
}

Bytes planar_pixels(const io::ImageSet& set) {
  Bytes bytes;
  const std::size_t pixels = set.height * set.width;
  for (std::size_t n = 0; n < set.count; ++n)
    for (std::size_t c = 0; c < set.channels; ++c)
      for (std::size_t p = 0; p < pixels; ++p) bytes.push_back(set.images[(n * pixels + p) * set.channels + c]);
  return bytes;
}

Bytes cifar_records(const io::ImageSet& set, const std::size_t heads) {
  Bytes bytes;
  const Bytes planes = planar_pixels(set);
  for (std::size_t n = 0; n < set.count; ++n) {
    const std::int32_t label = set.labels[n];
    if (heads == 2) bytes.push_back(static_cast<std::uint8_t>(label / 5));
    bytes.push_back(static_cast<std::uint8_t>(label));
    const auto begin = planes.begin() + static_cast<std::ptrdiff_t>(n * set.image_bytes());
    bytes.insert(bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(set.image_bytes()));
  }
  return bytes;
}

Bytes gzip(const Bytes& bytes) {
  return deflated(bytes, 31);
}

Bytes mat5_digits(const io::ImageSet& set, const Packing packing) {
  Bytes bytes = matlab_header(0x0100);
  const auto h = static_cast<std::int32_t>(set.height);
  const auto w = static_cast<std::int32_t>(set.width);
  const auto n = static_cast<std::int32_t>(set.count);
  put_bytes(bytes, mat_variable("X", 9, {h, w, 3, n}, matlab_order(set), packing));
  put_bytes(bytes, mat_variable("y", 6, {n, 1}, matlab_labels(set), packing));
  return bytes;
}

Bytes mat73_digits(const io::ImageSet& set, const std::filesystem::path& scratch) {
  const auto path = scratch / "digits.h5";
  {
    io::Hdf5Writer writer(path);
    const Bytes pixels = matlab_order(set);
    std::vector<double> labels;
    for (const std::uint8_t label : matlab_labels(set)) labels.push_back(label);
    writer.write("/X", {set.count, 3, set.width, set.height}, std::span(pixels));
    writer.write("/y", {1, set.count}, std::span(labels));
    writer.commit();
  }
  Bytes bytes = matlab_header(0x0200);
  bytes.resize(512, 0);
  put_bytes(bytes, read_bytes(path));
  std::filesystem::remove(path);
  return bytes;
}

Bytes npy(const std::string_view type, const std::vector<std::size_t>& extents, const Bytes& data) {
  std::string header = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
  for (const std::size_t extent : extents) header += std::to_string(extent) + ", ";
  header += "), }";
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  Bytes bytes;
  bytes.reserve(10 + header.size() + data.size());
  bytes.push_back(0x93);
  put_text(bytes, "NUMPY");
  put_little(bytes, std::uint16_t{1});
  put_little(bytes, static_cast<std::uint16_t>(header.size()));
  put_text(bytes, header);
  put_bytes(bytes, data);
  return bytes;
}

Bytes npz(const std::vector<std::pair<std::string, Bytes>>& entries, const Packing packing) {
  Bytes bytes;
  Bytes directory;
  for (const auto& [name, content] : entries) {
    const bool pack = packing == Packing::deflated;
    const Bytes stored = pack ? deflated(content, -15) : content;
    const auto offset = static_cast<std::uint32_t>(bytes.size());
    Bytes shared;  // what local header and directory entry have in common
    put_little(shared, std::uint16_t{20});
    put_little(shared, std::uint16_t{0});
    put_little(shared, static_cast<std::uint16_t>(pack ? 8 : 0));
    put_little(shared, std::uint32_t{0});
    put_little(shared, static_cast<std::uint32_t>(crc32(0, content.data(), static_cast<uInt>(content.size()))));
    put_little(shared, static_cast<std::uint32_t>(stored.size()));
    put_little(shared, static_cast<std::uint32_t>(content.size()));
    put_little(shared, static_cast<std::uint16_t>(name.size()));
    put_little(shared, std::uint16_t{0});
    put_little(bytes, std::uint32_t{0x04034b50});
    put_bytes(bytes, shared);
    put_text(bytes, name);
    put_bytes(bytes, stored);
    put_little(directory, std::uint32_t{0x02014b50});
    put_little(directory, std::uint16_t{20});
    put_bytes(directory, shared);
    directory.insert(directory.end(), 10, 0);
    put_little(directory, offset);
    put_text(directory, name);
  }
  const auto offset = static_cast<std::uint32_t>(bytes.size());
  put_bytes(bytes, directory);
  put_little(bytes, std::uint32_t{0x06054b50});
  put_little(bytes, std::uint32_t{0});
  put_little(bytes, static_cast<std::uint16_t>(entries.size()));
  put_little(bytes, static_cast<std::uint16_t>(entries.size()));
  put_little(bytes, static_cast<std::uint32_t>(directory.size()));
  put_little(bytes, offset);
  put_little(bytes, std::uint16_t{0});
  return bytes;
}

Bytes int64_labels(const io::ImageSet& set, const std::int64_t first) {
  Bytes bytes;
  for (const std::int32_t label : set.labels) put_little(bytes, static_cast<std::uint64_t>(label + first));
  return bytes;
}

io::Picture picture_of(const io::ImageSet& set, const std::size_t i) {
  const auto begin = set.images.begin() + static_cast<std::ptrdiff_t>(i * set.image_bytes());
  return {set.height, set.width, Bytes(begin, begin + static_cast<std::ptrdiff_t>(set.image_bytes()))};
}

namespace {

Bytes compressed(const std::size_t height, const std::size_t width, const int channels, const int quality,
                 const std::uint8_t* const pixels) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &memory, &size);
  info.image_width = static_cast<JDIMENSION>(width);
  info.image_height = static_cast<JDIMENSION>(height);
  info.input_components = channels;
  info.in_color_space = channels == 4 ? JCS_CMYK : JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    auto* row = const_cast<JSAMPROW>(pixels + info.next_scanline * width * static_cast<std::size_t>(channels));
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  Bytes bytes(memory, memory + size);
  jpeg_destroy_compress(&info);
  std::free(memory);
  return bytes;
}

/// The two headers of a BMP file and what stands between them and the pixels; a negative height: rows from above.
Bytes bmp_file(const std::int32_t height, const std::size_t width, const int bits, const std::uint32_t compression,
               const Bytes& colours, const Bytes& pixels) {
  constexpr std::uint32_t headers = 54;
  Bytes bytes = {'B', 'M'};
  const auto pixels_at = static_cast<std::uint32_t>(headers + colours.size());
  put_little(bytes, static_cast<std::uint32_t>(pixels_at + pixels.size()));
  for (const std::uint32_t value :
       {0U, pixels_at, 40U, static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)})
    put_little(bytes, value);
  put_little(bytes, std::uint16_t{1});
  put_little(bytes, static_cast<std::uint16_t>(bits));
  for (const std::uint32_t value : {compression, static_cast<std::uint32_t>(pixels.size()), 0U, 0U, 0U, 0U})
    put_little(bytes, value);
  bytes.insert(bytes.end(), colours.begin(), colours.end());
  bytes.insert(bytes.end(), pixels.begin(), pixels.end());
  return bytes;
}

void fill_row(Bytes& pixels) {
  while (pixels.size() % 4 != 0) pixels.push_back(0);
}

}  // namespace

Bytes jpeg(const io::Picture& picture, const int quality) {
  return compressed(picture.height, picture.width, 3, quality, picture.rgb.data());
}

Bytes cmyk_jpeg(const std::size_t height, const std::size_t width, const std::array<std::uint8_t, 4>& inks) {
  Bytes pixels;
  for (std::size_t i = 0; i < height * width; ++i) pixels.insert(pixels.end(), inks.begin(), inks.end());
  return compressed(height, width, 4, 95, pixels.data());
}

Bytes bmp(const io::Picture& picture, const int bits, const Rows rows) {
  Bytes pixels;
  for (std::size_t y = 0; y < picture.height; ++y) {
    const std::size_t row = rows == Rows::from_above ? y : picture.height - 1 - y;
    for (std::size_t x = 0; x < picture.width; ++x) {
      for (std::size_t c = 3; c-- > 0;) pixels.push_back(picture.rgb[(row * picture.width + x) * 3 + c]);
      if (bits == 32) pixels.push_back(static_cast<std::uint8_t>(17 * x));  // what should be opacity
    }
    fill_row(pixels);
  }
  const auto height = static_cast<std::int32_t>(picture.height);
  return bmp_file(rows == Rows::from_above ? -height : height, picture.width, bits, 0, {}, pixels);
}

Bytes palette_bmp(const std::size_t height, const std::size_t width, const int bits) {
  const std::size_t colours = std::size_t{1} << bits;
  Bytes palette;
  for (std::size_t k = 0; k < colours; ++k)  // blue, green, red, nothing
    for (const std::size_t value : {255 - k, 2 * k % 256, k, std::size_t{0}})
      palette.push_back(static_cast<std::uint8_t>(value));
  Bytes pixels;
  for (std::size_t y = 0; y < height; ++y) {
    const std::size_t first = pixels.size();
    pixels.resize(first + (width * static_cast<std::size_t>(bits) + 7) / 8);
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t colour = ((height - 1 - y) * width + x) % colours;
      const std::size_t bit = x * static_cast<std::size_t>(bits);
      pixels[first + bit / 8] |= static_cast<std::uint8_t>(colour << (8 - static_cast<std::size_t>(bits) - bit % 8));
    }
    fill_row(pixels);
  }
  return bmp_file(static_cast<std::int32_t>(height), width, bits, 0, palette, pixels);
}

Bytes masked_bmp(const int bits, const std::array<std::uint32_t, 3>& masks, const std::vector<std::uint32_t>& pixels) {
  Bytes between;
  for (const std::uint32_t mask : masks) put_little(between, mask);
  Bytes row;
  for (const std::uint32_t pixel : pixels)
    for (int i = 0; i < bits / 8; ++i) row.push_back(static_cast<std::uint8_t>(pixel >> 8 * i));
  fill_row(row);
  return bmp_file(1, pixels.size(), bits, 3, between, row);
}

void write_bytes(const std::filesystem::path& path, const Bytes& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

Bytes read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace bcr::test
