#ifndef BCR_SRC_TRAIN_BATCHES_IMAGE_PIECES_HPP
#define BCR_SRC_TRAIN_BATCHES_IMAGE_PIECES_HPP

#include "io/hdf5/image_file.hpp"
#include "io/splits/selection.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace bcr::train {

/// The images of one side of a split: chosen classes of one or more data files of one image size, one after the other.
class ImagePieces {
 public:
  struct Piece {
    std::shared_ptr<const io::ImageFile> file;
    io::Selection selection;
  };

  ImagePieces() = default;
  /// Throws an IoError that names the files if their images differ in size.
  explicit ImagePieces(std::vector<Piece> pieces);

  const std::vector<Piece>& pieces() const noexcept { return pieces_; }
  std::size_t count() const noexcept { return count_; }
  std::size_t bytes() const noexcept { return count_ * image_bytes(); }
  std::size_t image_bytes() const noexcept { return extents_[0] * extents_[1] * extents_[2]; }
  /// Height, width and channels of an image.
  const std::array<std::size_t, 3>& extents() const noexcept { return extents_; }

  /// Of all images. Classes of a second piece are numbered on from those of the first.
  std::vector<std::int32_t> labels() const;

  /// Images [first, first + count) of these, as a set of its own: what one rank tests.
  ImagePieces part(std::size_t first, std::size_t count) const;

  /// Where the images of another chunk of a data file begin, from 0 to count(): those between two bounds are read at
  /// once.
  std::vector<std::size_t> chunk_bounds() const;

  /// All pixels into dst, which holds bytes() bytes.
  void read(std::span<std::uint8_t> dst) const;
  /// Images that were read so far: of these, and of parts of them.
  std::uint64_t images_read() const noexcept { return *images_read_; }

 private:
  std::vector<Piece> pieces_;
  std::size_t count_ = 0;
  std::array<std::size_t, 3> extents_{};
  std::shared_ptr<std::uint64_t> images_read_ = std::make_shared<std::uint64_t>(0);
};

}  // namespace bcr::train

#endif
