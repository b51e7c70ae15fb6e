#include "io/images/picture_file.hpp"

#include "io/bytes/input_file.hpp"
#include "io/images/orientation.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
// jpeglib.h needs FILE and size_t declared before it.
#include <jpeglib.h>

#include <jerror.h>

namespace bcr::io {

namespace {

// A progressive file can ask for one pass over all coefficients per scan; real ones have about ten scans.
constexpr int most_scans = 100;
constexpr int exif_marker = JPEG_APP0 + 1;

/// libjpeg reports by callbacks that must not return, and may not be unwound by C++ exceptions: hence setjmp. The
/// functions that call setjmp or may be left by longjmp own nothing that has a destructor.
struct Decoder {
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  jpeg_progress_mgr progress{};
  std::jmp_buf failed;
  char reason[JMSG_LENGTH_MAX] = {};
};

extern "C" {
static void leave(j_common_ptr info) {
  auto* decoder = static_cast<Decoder*>(info->client_data);
  info->err->format_message(info, decoder->reason);
  std::longjmp(decoder->failed, 1);
}

// Level -1 means that something is wrong. Most of it would make libjpeg go on with invented pixels. Not these: bytes
// that nobody needs between two markers, as some cameras leave them, and headers of unknown versions.
static void leave_on_corruption(j_common_ptr info, const int level) {
  const int message = info->err->msg_code;
  const bool harmless = message == JWRN_EXTRANEOUS_DATA || message == JWRN_JFIF_MAJOR || message == JWRN_ADOBE_XFORM;
  if (level < 0 && !harmless) leave(info);
}

static void leave_on_scan_bomb(j_common_ptr info) {
  auto* decoder = static_cast<Decoder*>(info->client_data);
  if (decoder->info.input_scan_number <= most_scans) return;
  std::snprintf(decoder->reason, sizeof decoder->reason, "more than %d scans", most_scans);
  std::longjmp(decoder->failed, 1);
}
}

bool open_decoder(Decoder& decoder, const std::span<const std::uint8_t> bytes) {
  decoder.info.err = jpeg_std_error(&decoder.errors);
  decoder.info.client_data = &decoder;
  decoder.errors.error_exit = leave;
  decoder.errors.emit_message = leave_on_corruption;
  if (setjmp(decoder.failed) != 0) return false;
  jpeg_create_decompress(&decoder.info);
  decoder.info.client_data = &decoder;
  decoder.progress.progress_monitor = leave_on_scan_bomb;
  decoder.info.progress = &decoder.progress;
  jpeg_mem_src(&decoder.info, bytes.data(), static_cast<unsigned long>(bytes.size()));
  jpeg_save_markers(&decoder.info, exif_marker, 0xffff);
  jpeg_read_header(&decoder.info, TRUE);
  const bool cmyk = decoder.info.jpeg_color_space == JCS_CMYK || decoder.info.jpeg_color_space == JCS_YCCK;
  decoder.info.out_color_space = cmyk ? JCS_CMYK : JCS_RGB;
  decoder.info.dct_method = JDCT_ISLOW;
  return true;
}

bool reduce(Decoder& decoder, const unsigned int eighths) {
  if (setjmp(decoder.failed) != 0) return false;
  decoder.info.scale_num = eighths;
  decoder.info.scale_denom = 8;
  jpeg_calc_output_dimensions(&decoder.info);
  return true;
}

bool decode_rows(Decoder& decoder, std::uint8_t* pixels) {
  if (setjmp(decoder.failed) != 0) return false;
  jpeg_start_decompress(&decoder.info);
  const std::size_t stride = static_cast<std::size_t>(decoder.info.output_width) * decoder.info.output_components;
  while (decoder.info.output_scanline < decoder.info.output_height) {
    JSAMPROW row = pixels + decoder.info.output_scanline * stride;
    jpeg_read_scanlines(&decoder.info, &row, 1);
  }
  jpeg_finish_decompress(&decoder.info);
  return true;
}

/// Adobe writes CMYK inverted (255 = no ink), which is the only kind in circulation.
std::vector<std::uint8_t> inverted_cmyk_to_rgb(const std::vector<std::uint8_t>& cmyk) {
  std::vector<std::uint8_t> rgb(cmyk.size() / 4 * 3);
  for (std::size_t i = 0; i < cmyk.size() / 4; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      rgb[3 * i + c] = static_cast<std::uint8_t>((cmyk[4 * i + c] * cmyk[4 * i + 3] + 127) / 255);
    }
  }
  return rgb;
}

/// Of the first EXIF block.
int orientation_of(const jpeg_decompress_struct& info) {
  for (jpeg_saved_marker_ptr marker = info.marker_list; marker != nullptr; marker = marker->next) {
    const std::span<const std::uint8_t> block(marker->data, marker->data_length);
    if (marker->marker == exif_marker && block.size() > 4 && block[0] == 'E' && block[1] == 'x')
      return exif_orientation(block);
  }
  return 1;
}

/// The eighths of its size at which the picture is to be decoded, those for which libjpeg is quick: 1, 2, 4, or 8.
unsigned int eighths(const jpeg_decompress_struct& info, const int orientation, const LeastSize least) {
  constexpr int first_turned = 5;  // of EXIF's orientations: height and width change places
  const bool turned = orientation >= first_turned;
  const std::size_t rows = turned ? least.width : least.height;
  const std::size_t columns = turned ? least.height : least.width;
  if (rows == 0 || columns == 0) return 8;
  unsigned int number = 1;
  while (number < 8 && ((info.image_height * std::size_t{number} + 7) / 8 < rows ||
                        (info.image_width * std::size_t{number} + 7) / 8 < columns))
    number *= 2;
  return number;
}

struct Encoder {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  std::jmp_buf failed;
  unsigned char* memory = nullptr;
  unsigned long size = 0;

  ~Encoder() {
    jpeg_destroy_compress(&info);
    std::free(memory);
  }
};

extern "C" {
static void leave_encoder(j_common_ptr info) {
  std::longjmp(static_cast<Encoder*>(info->client_data)->failed, 1);
}
}

bool encode_rows(Encoder& encoder, const Picture& picture, const int quality) {
  encoder.info.err = jpeg_std_error(&encoder.errors);
  encoder.info.client_data = &encoder;
  encoder.errors.error_exit = leave_encoder;
  if (setjmp(encoder.failed) != 0) return false;
  jpeg_create_compress(&encoder.info);
  jpeg_mem_dest(&encoder.info, &encoder.memory, &encoder.size);
  encoder.info.image_width = static_cast<JDIMENSION>(picture.width);
  encoder.info.image_height = static_cast<JDIMENSION>(picture.height);
  encoder.info.input_components = 3;
  encoder.info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&encoder.info);
  jpeg_set_quality(&encoder.info, quality, TRUE);
  jpeg_start_compress(&encoder.info, TRUE);
  while (encoder.info.next_scanline < encoder.info.image_height) {
    auto* row = const_cast<JSAMPROW>(picture.rgb.data() + encoder.info.next_scanline * picture.width * 3);
    jpeg_write_scanlines(&encoder.info, &row, 1);
  }
  jpeg_finish_compress(&encoder.info);
  return true;
}

}  // namespace

Picture decode_jpeg(const std::span<const std::uint8_t> bytes, const std::string& file, const LeastSize least) {
  Decoder decoder;
  const struct Closer {
    jpeg_decompress_struct& info;
    ~Closer() { jpeg_destroy_decompress(&info); }
  } closer{decoder.info};
  const auto position = [&decoder, &bytes] {
    return decoder.info.src == nullptr ? 0 : bytes.size() - decoder.info.src->bytes_in_buffer;
  };

  if (!open_decoder(decoder, bytes)) refuse(file, position(), "a sound JPEG file", decoder.reason);
  Picture picture{decoder.info.image_height, decoder.info.image_width, {}};
  if (picture.height * picture.width > largest_pixels) {
    refuse(file, position(), fmt::format("at most {} pixels", largest_pixels),
           fmt::format("{} x {}", picture.width, picture.height));
  }
  const bool cmyk = decoder.info.out_color_space == JCS_CMYK;
  const int orientation = orientation_of(decoder.info);  // libjpeg forgets its markers when it is done
  if (!reduce(decoder, eighths(decoder.info, orientation, least)))
    refuse(file, position(), "a sound JPEG file", decoder.reason);
  picture.height = decoder.info.output_height;
  picture.width = decoder.info.output_width;
  picture.rgb.resize(picture.height * picture.width * (cmyk ? 4 : 3));
  if (!decode_rows(decoder, picture.rgb.data())) refuse(file, position(), "a sound JPEG file", decoder.reason);
  if (cmyk) picture.rgb = inverted_cmyk_to_rgb(picture.rgb);
  return upright(std::move(picture), orientation);
}

std::vector<std::uint8_t> encode_jpeg(const Picture& picture, const int quality) {
  Encoder encoder;
  require<IoError>(encode_rows(encoder, picture, quality), "encode JPEG", "a picture that libjpeg accepts", "an error");
  return {encoder.memory, encoder.memory + encoder.size};
}

}  // namespace bcr::io
