#ifndef BCR_IO_IMAGES_CONTACT_SHEET_HPP
#define BCR_IO_IMAGES_CONTACT_SHEET_HPP

#include "io/hdf5/image_file.hpp"
#include "io/images/area_resize.hpp"

namespace bcr::io {

/// The first images of a data file, a row for each class, on grey paper: what people look at before they train.
/// At most `columns` images of each of the first `rows` classes that have any.
Picture contact_sheet(const ImageFile& file, std::size_t columns, std::size_t rows);

}  // namespace bcr::io

#endif
