#include "io/images/picture_file.hpp"

#include "io/bytes/input_file.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <cstring>

namespace bcr::io {

namespace {

/// libpng reports by a callback that must not return: hence setjmp. The functions that call setjmp or may be left by
/// longjmp own nothing that has a destructor.
struct Decoder {
  std::span<const std::uint8_t> bytes;
  std::size_t position = 0;
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::jmp_buf failed;
  char reason[160] = {};

  ~Decoder() { png_destroy_read_struct(&png, &info, nullptr); }
};

extern "C" {
static void leave(png_structp png, const char* message) {
  auto* decoder = static_cast<Decoder*>(png_get_error_ptr(png));
  std::strncpy(decoder->reason, message, sizeof decoder->reason - 1);
  std::longjmp(decoder->failed, 1);
}

static void ignore(png_structp, const char*) {}

static void take_bytes(png_structp png, png_bytep dst, const std::size_t count) {
  auto* decoder = static_cast<Decoder*>(png_get_io_ptr(png));
  if (count > decoder->bytes.size() - decoder->position) png_error(png, "the file ends too early");
  std::memcpy(dst, decoder->bytes.data() + decoder->position, count);
  decoder->position += count;
}
}

bool open_decoder(Decoder& decoder) {
  decoder.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoder, leave, ignore);
  if (decoder.png == nullptr) return false;
  if (setjmp(decoder.failed) != 0) return false;
  decoder.info = png_create_info_struct(decoder.png);
  png_set_read_fn(decoder.png, &decoder, take_bytes);
  png_set_crc_action(decoder.png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  png_set_chunk_malloc_max(decoder.png, 1 << 23);
  png_set_chunk_cache_max(decoder.png, 64);
  png_read_info(decoder.png, decoder.info);
  png_set_expand(decoder.png);
  png_set_scale_16(decoder.png);
  png_set_gray_to_rgb(decoder.png);
  png_set_strip_alpha(decoder.png);
  return true;
}

bool decode_rows(Decoder& decoder, std::uint8_t* pixels, const std::size_t height, const std::size_t stride) {
  if (setjmp(decoder.failed) != 0) return false;
  const int passes = png_set_interlace_handling(decoder.png);
  png_read_update_info(decoder.png, decoder.info);
  if (png_get_rowbytes(decoder.png, decoder.info) != stride) png_error(decoder.png, "rows are not RGB");
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t y = 0; y < height; ++y) png_read_row(decoder.png, pixels + y * stride, nullptr);
  }
  png_read_end(decoder.png, nullptr);
  return true;
}

extern "C" {
static void give_bytes(png_structp png, png_bytep src, const std::size_t count) {
  auto* file = static_cast<std::vector<std::uint8_t>*>(png_get_io_ptr(png));
  file->insert(file->end(), src, src + count);
}

static void no_flush(png_structp) {}
}

/// True if all was written; false if libpng left through its error callback.
bool encode_rows(png_structp png, png_infop info, const Picture& picture, std::vector<std::uint8_t>& file) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  png_set_write_fn(png, &file, give_bytes, no_flush);
  png_set_IHDR(png, info, static_cast<png_uint_32>(picture.width), static_cast<png_uint_32>(picture.height), 8,
               PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  for (std::size_t y = 0; y < picture.height; ++y) png_write_row(png, picture.rgb.data() + y * picture.width * 3);
  png_write_end(png, info);
  return true;
}

}  // namespace

Picture decode_png(const std::span<const std::uint8_t> bytes, const std::string& file) {
  Decoder decoder;
  decoder.bytes = bytes;
  if (!open_decoder(decoder)) refuse(file, decoder.position, "a sound PNG file", decoder.reason);
  Picture picture{png_get_image_height(decoder.png, decoder.info), png_get_image_width(decoder.png, decoder.info), {}};
  if (picture.height * picture.width > largest_pixels) {
    refuse(file, decoder.position, fmt::format("at most {} pixels", largest_pixels),
           fmt::format("{} x {}", picture.width, picture.height));
  }
  picture.rgb.resize(picture.height * picture.width * 3);
  if (!decode_rows(decoder, picture.rgb.data(), picture.height, picture.width * 3)) {
    refuse(file, decoder.position, "a sound PNG file", decoder.reason);
  }
  return picture;
}

std::vector<std::uint8_t> encode_png(const Picture& picture) {
  std::vector<std::uint8_t> file;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  const bool written = info != nullptr && encode_rows(png, info, picture, file);
  png_destroy_write_struct(&png, &info);
  require<IoError>(written, "encode PNG", "a picture that libpng accepts", "an error");
  return file;
}

}  // namespace bcr::io
