#include "src/train/batches/image_pieces.hpp"

#include "io/pipeline/selected_pixels.hpp"
#include "src/core/error.hpp"
#include "src/core/views.hpp"

#include <algorithm>

namespace bcr::train {

ImagePieces::ImagePieces(std::vector<Piece> pieces) : pieces_(std::move(pieces)) {
  for (const Piece& piece : pieces_) {
    const io::ImageFileInfo& info = piece.file->info();
    const std::array<std::size_t, 3> extents{info.height, info.width, info.channels};
    if (&piece == pieces_.data()) extents_ = extents;
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

ImagePieces ImagePieces::part(const std::size_t first, const std::size_t count) const {
  require<ShapeError>(first + count <= count_, "ImagePieces::part", "images up to " + std::to_string(count_),
                      std::to_string(first + count));
  std::vector<Piece> pieces;
  std::size_t begin = 0;  // of the piece
  for (const Piece& piece : pieces_) {
    const std::size_t end = begin + piece.selection.rows.size();
    const auto from = static_cast<std::ptrdiff_t>(std::clamp(first, begin, end) - begin);
    const auto to = static_cast<std::ptrdiff_t>(std::clamp(first + count, begin, end) - begin);
    Piece kept{piece.file, {{}, {}, piece.selection.classes}};
    kept.selection.rows.assign(piece.selection.rows.begin() + from, piece.selection.rows.begin() + to);
    kept.selection.labels.assign(piece.selection.labels.begin() + from, piece.selection.labels.begin() + to);
    pieces.push_back(std::move(kept));  // empty ones too: the classes of later pieces are numbered on from theirs
    begin = end;
  }
  ImagePieces part(std::move(pieces));
  part.images_read_ = images_read_;
  return part;
}

std::vector<std::size_t> ImagePieces::chunk_bounds() const {
  std::vector<std::size_t> bounds{0};
  std::size_t begin = 0;  // of the piece
  for (const Piece& piece : pieces_) {
    const std::vector<std::uint32_t>& rows = piece.selection.rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool last = i + 1 == rows.size();
      if (last || rows[i] / io::images_per_chunk != rows[i + 1] / io::images_per_chunk) bounds.push_back(begin + i + 1);
    }
    begin += rows.size();
  }
  return bounds;
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
  *images_read_ += count_;
}

}  // namespace bcr::train
