#ifndef BCR_IO_PIPELINE_SCRATCH_PIXELS_HPP
#define BCR_IO_PIPELINE_SCRATCH_PIXELS_HPP

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

namespace bcr::io {

/// The images of a set, one after the other, packed into a scratch file without a name and mapped into
/// memory, so that any image can be had by its address. HDF5 reads and checks whole chunks of 256 images: a batch in
/// random order would touch about as many chunks as it has images. The system keeps in memory what fits there and reads
/// the rest when it is asked for; the file is gone with its last user, however that ends.
class ScratchPixels {
 public:
  /// Puts the pixels of images first, first + 1, ... in their place.
  using Write = std::function<void(std::size_t first, std::span<const std::uint8_t> pixels)>;

  /// `fill` is called once and writes every image. `directory` empty: the system's place for temporary files. Throws an
  /// IoError if there is no room.
  ScratchPixels(std::size_t count, std::size_t image_bytes, const std::filesystem::path& directory,
                const std::function<void(const Write&)>& fill);
  ~ScratchPixels();
  ScratchPixels(const ScratchPixels&) = delete;
  ScratchPixels& operator=(const ScratchPixels&) = delete;

  std::size_t image_bytes() const noexcept { return image_bytes_; }
  std::size_t bytes() const noexcept { return bytes_; }
  /// Rows follow each other in memory.
  const std::uint8_t* image(const std::size_t row) const noexcept { return pixels_ + row * image_bytes_; }

  /// Tells the system that an image will be read soon: it begins to fetch what is not in memory, and returns at once.
  void announce(std::size_t row) const noexcept;
  /// Returns when an image is in memory.
  void await(std::size_t row) const noexcept;

 private:
  std::size_t image_bytes_ = 0;
  std::size_t bytes_ = 0;
  const std::uint8_t* pixels_ = nullptr;
};

}  // namespace bcr::io

#endif
