#ifndef BCR_IO_IMAGES_FIT_HPP
#define BCR_IO_IMAGES_FIT_HPP

#include "io/images/area_resize.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace bcr::io {

/// How a picture of any size becomes an image of one size. Data files and checkpoints say which it was, because
/// pictures must be treated alike when a network is trained and when it is used.
enum class Fit {
  area_crop,    ///< the largest centred part of the wanted shape, scaled: nothing is distorted, ends of long sides are
                ///< lost
  quick_crop,   ///< the same of a JPEG file that is decoded at 1/2, 1/4 or 1/8 of its size, as long as no side gets
                ///< too short: other pixels, in less time
  centre_crop,  ///< the centre as it is, not scaled; a smaller picture stands on black
  letterbox,    ///< the whole picture, scaled, on black: nothing is lost or distorted, long pictures become small
  stretch,      ///< the whole picture, each side scaled by itself: nothing is lost, long pictures are distorted
  exact,        ///< a picture of another size is refused
};

constexpr auto enum_names(Fit) {
  return std::array{std::pair{std::string_view("area-crop"), Fit::area_crop},
                    std::pair{std::string_view("quick-crop"), Fit::quick_crop},
                    std::pair{std::string_view("centre-crop"), Fit::centre_crop},
                    std::pair{std::string_view("letterbox"), Fit::letterbox},
                    std::pair{std::string_view("stretch"), Fit::stretch},
                    std::pair{std::string_view("exact"), Fit::exact}};
}

std::string_view fit_name(Fit fit);
std::optional<Fit> fit_of_name(std::string_view name);

/// What a decoder that can give less than the whole picture must at least give; 0 x 0: the whole picture.
struct LeastSize {
  std::size_t height = 0;
  std::size_t width = 0;
};
/// Of pictures that are to become height x width by fit_picture.
LeastSize least_size(Fit fit, std::size_t height, std::size_t width);

/// A picture of height x width. All scaling is area_resize; a picture that has the size already stays what it is,
/// whatever the fit. A ShapeError for an empty picture, and for one of another size where the fit is exact.
Picture fit_picture(Picture picture, Fit fit, std::size_t height, std::size_t width);

/// The whole picture within side x side, for people to look at; a smaller one stays what it is.
Picture thumbnail(const Picture& picture, std::size_t side);

/// The pixels with 3 channels, or with 1: luma of BT.601 in thousandths, halves up, so that grey stays what it is.
void write_channels(const Picture& picture, std::size_t channels, std::span<std::uint8_t> dst);

}  // namespace bcr::io

#endif
