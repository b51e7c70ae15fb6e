#include "src/train/batches/image_pieces.hpp"

#include "io/pipeline/selected_pixels.hpp"
#include "src/core/error.hpp"
#include "src/core/views.hpp"

namespace bcr::train {

ImagePieces::ImagePieces(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {
  for (const Piece& piece : pieces_) {
    const io::ImageFileInfo& info = piece.file->info();
    const std::array<std::size_t, 3> extents{info.height, info.width, info.channels};
    if (count_ == 0) extents_ = extents;
    if (extents != extents_) {
      throw IoError("images of " + piece.file->path(),
                    "images of " + shape_text(extents_) + " as in " + pieces_[0].file->path(), shape_text(extents));
    }
    count_ += piece.selection.rows.size();
  }
}

std::vector<std::int32_t> ImagePieces::labels() const {
  std::vector<std::int32_t> labels;
  std::int32_t first_class = 0;
  for (const Piece& piece : pieces_) {
    for (const std::int32_t label : piece.selection.labels) labels.push_back(first_class + label);
    first_class += static_cast<std::int32_t>(piece.selection.classes.size());
  }
  return labels;
}

void ImagePieces::read(const std::span<std::uint8_t> dst) const {
  require<ShapeError>(dst.size() == bytes(), "ImagePieces::read", std::to_string(bytes()) + " bytes",
                      std::to_string(dst.size()));
  std::size_t at = 0;
  for (const Piece& piece : pieces_) {
    const std::size_t length = piece.selection.rows.size() * image_bytes();
    io::read_selected_pixels(*piece.file, piece.selection.rows, dst.subspan(at, length));
    at += length;
  }
}

}  // namespace bcr::train
