#ifndef BCR_IO_PIPELINE_SELECTED_PIXELS_HPP
#define BCR_IO_PIPELINE_SELECTED_PIXELS_HPP

#include "io/hdf5/image_file.hpp"

#include <functional>

namespace bcr::io {

/// Reads the given rows (ascending) of a data file front to back, a chunk at a time, passing over chunks without any,
/// and hands them on packed: `take(first, pixels)` with images first, first + 1, ... of the selection.
void for_selected_pixels(const ImageFile& file, std::span<const std::uint32_t> rows,
                         const std::function<void(std::size_t, std::span<const std::uint8_t>)>& take);

/// The same into memory of rows.size() * image_bytes() bytes.
void read_selected_pixels(const ImageFile& file, std::span<const std::uint32_t> rows, std::span<std::uint8_t> dst);

}  // namespace bcr::io

#endif
