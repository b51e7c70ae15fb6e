#ifndef BCR_IO_IMAGES_ORIENTATION_HPP
#define BCR_IO_IMAGES_ORIENTATION_HPP

#include "io/images/area_resize.hpp"

#include <span>

namespace bcr::io {

/// How a camera was held: EXIF tag 0x0112, 1 to 8 (TIFF 6.0, "Orientation"), of an EXIF block: "Exif\0\0" and a TIFF
/// file, or that file alone. 1, upright, where there is none or the block is damaged: what a viewer does.
int exif_orientation(std::span<const std::uint8_t> block);

/// The picture as it is meant to be seen: 2 mirrors left to right, 3 turns by 180 degrees, 4 mirrors top to bottom,
/// 5 swaps rows and columns, 6 turns clockwise, 7 swaps along the other diagonal, 8 turns counter-clockwise.
Picture upright(Picture picture, int orientation);

}  // namespace bcr::io

#endif
