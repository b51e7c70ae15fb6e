#ifndef BCR_SRC_TRAIN_BATCHES_IMAGE_FEED_HPP
#define BCR_SRC_TRAIN_BATCHES_IMAGE_FEED_HPP

#include "kernels/augment/augment.hpp"
#include "src/comm/communicator.hpp"
#include "src/train/batches/gather_thread.hpp"
#include "src/train/batches/image_budget.hpp"
#include "src/train/batches/image_pieces.hpp"

#include <filesystem>
#include <memory>

namespace bcr::train {

/// Where the images of a feed wait for their turn.
enum class Residence { device, streamed };

/// How a feed draws: in which order, and what it does to an image.
template <class T>
struct FeedPlan {
  kernels::BatchOrder order;
  kernels::Augmentation augmentation;
  kernels::Normalisation<T> normalisation;
};

/// Batches of one set of images, drawn by position. What stands at a position is decided by the plan alone: the
/// residence, the size of batches and the order of calls change nothing but the time it takes.
///
/// Streamed, the images lie in a scratch file that is mapped into memory (io::ScratchPixels). While a batch is in use,
/// a thread fetches the next one: for a host, which reads the mapping itself, it waits for the disk; for a device it
/// also gathers the images in the other of two buffers.
template <class Exec, class T>
class ImageFeed {
 public:
  /// `largest_batch` is the most that load is asked for. `ranks` read the set together, so that each of them has it.
  ImageFeed(const Exec& exec, const ImagePieces& pieces, const FeedPlan<T>& plan, Residence residence,
            std::size_t largest_batch, const std::filesystem::path& scratch, comm::Communicator& ranks);
  /// Of images [N, H, W, C] that lie in device memory already, with their labels [N].
  ImageFeed(const Exec& exec, Tensor4<std::uint8_t, Exec> pixels, Labels<Exec> labels, const FeedPlan<T>& plan,
            std::size_t largest_batch);
  ~ImageFeed();
  ImageFeed(ImageFeed&&) noexcept;

  /// Fills dst [count, H, W, C] and labels [count] (or empty) with the images at `range`. `next` is the range that will
  /// likely be asked for after this one. Asynchronous on exec; a device that streams first waits for exec's earlier
  /// work.
  void load(const Exec& exec, PositionRange range, PositionRange next, Tensor4<T, Exec> dst, Labels<Exec> labels);

  /// Keeps this room as long as the images are there.
  void hold(ImageRoom room);

  std::size_t count() const;
  Residence residence() const;
  /// Height, width and channels.
  const std::array<std::size_t, 3>& extents() const;
  /// Images that were fetched from the scratch file; none if the set lies in device memory.
  std::uint64_t images_fetched() const;
  /// Time that load has spent waiting for images to be fetched.
  double seconds_waited() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bcr::train

#endif
